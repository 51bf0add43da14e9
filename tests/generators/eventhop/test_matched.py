"""Members of a matched group differ in status and in nothing that can be counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from generators.eventhop.config import TRAITS, Cell, Config, Preset, Shape
from generators.eventhop.groups import Plan, matched_group, opposed, seeded_random
from generators.eventhop.layout import PERIOD, layout, opposite
from generators.eventhop.matched import (
    PASSING,
    Statement,
    Step,
    Way,
    closed,
    entails_order,
    gadget,
    measured,
    recipes,
    signature,
    stated,
)
from generators.eventhop.shards import Checker
from generators.eventhop.skeleton import BOUNDS, Edge, MisfitError
from grammar.eventhop.model import Claim, ClaimRelation, Item, Label, Order, Point, Relation, Status
from solver.eventhop.certificates.make import certify, hops
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName
from solver.eventhop.hashes import timeline_hashes
from solver.eventhop.probes import GRAPH, LENGTHS, MENTIONS, POINTS, SENTENCES, surface

COUNTS = (*LENGTHS, *SENTENCES, *MENTIONS, *POINTS, *GRAPH)


def item(edges: Sequence[Edge], claim: ClaimRelation) -> Item:
    def point(number: int) -> Point:
        return Point(event=f"e{number >> 1}", bound=BOUNDS[number & 1])

    premise = tuple(
        Relation(
            left=point(edge.earlier),
            order=Order.BEFORE if edge.strict else Order.SIMULTANEOUS,
            right=point(edge.later),
        )
        for edge in edges
    )
    left, right = ("e1", "e0") if claim is ClaimRelation.AFTER else ("e0", "e1")
    return Item(id="1", premise=premise, claim=Claim(left=left, relation=claim, right=right))


def counts(plan: Plan) -> dict[str, float]:
    """The counts of an item; which point of ``=`` is on the left is drawn with the text."""
    found = surface("", item(plan.edges, plan.cell.claim))
    shown = {name: found[name] for name in COUNTS}
    kind, turned = "sentences start simultaneous end", "sentences end simultaneous start"
    shown[kind] += shown.pop(turned)
    return shown


@pytest.mark.parametrize(
    "preset", [Preset.STRICT, Preset.ONLY_BEFORE, Preset.SAME_TIMELINES], ids=str
)
def test_all_counts_are_equal_in_a_group(preset: Preset) -> None:
    planned = layout(Config(preset=preset))
    traits = Config(preset=preset).traits
    checker = Checker()
    for number in range(2 * len(planned.blocks)):
        cells = planned.cells(number)
        plans = matched_group(
            seeded_random("equal", number),
            cells,
            equal=traits.equal,
            strong=traits.strong,
            side=number % 2,
        )
        true, *others = map(counts, plans)
        assert all(other == true for other in others)
        assert len({str(signature(plan.edges)) for plan in plans}) == 1
        assert len({plan.outline for plan in plans}) == 1
        assert plans[0].outline % 2 == number % 2
        symmetric = cells[0].claim is ClaimRelation.OVERLAPS
        timelines = timeline_hashes([(plan.edges, plan.events, symmetric) for plan in plans])
        assert len(set(timelines)) == 3
        items = [item(plan.edges, plan.cell.claim) for plan in plans]
        assert all(checker.matches(items, cells))


def test_the_counts_see_a_relation_that_differs() -> None:
    """The comparison above can fail: turned and moved relations of the claim's events."""
    cells = layout(Config()).cells(0)
    plan, *_ = matched_group(seeded_random("1"), cells, equal=True, strong=False, side=None)
    number, edge = next((n, e) for n, e in enumerate(plan.edges) if e.earlier < 4 and e.strict)
    last = plan.edges[-1]
    for other in (
        Edge(edge.later, edge.earlier, True),
        Edge(edge.earlier ^ 1, edge.later, True),
        Edge(edge.earlier, edge.later, False),
        Edge(2 * last.earlier // 2, edge.later, True),
    ):
        edges = (*plan.edges[:number], other, *plan.edges[number + 1 :])
        assert counts(replace(plan, edges=edges)) != counts(plan)
        assert signature(edges) != signature(plan.edges)


@pytest.mark.parametrize("overlaps", [False, True])
def test_the_screen_decides_as_the_engine(overlaps: bool) -> None:
    random = Random(5)
    claim = ClaimRelation.OVERLAPS if overlaps else ClaimRelation.BEFORE
    asp = engine(EngineName.ASP)
    drawn = []
    while len(drawn) < 300:
        edges = []
        for _ in range(random.randrange(2, 8)):
            p, q = random.sample(range(8), 2)
            if p >> 1 != q >> 1:
                edges.append(Edge(p, q, random.random() < 0.7))
        if {e >> 1 for edge in edges for e in edge[:2]} >= {0, 1}:
            drawn.append(edges)
    items = [item(edges, claim) for edges in drawn]
    seen: Counter[Status] = Counter()
    for edges, each_item, verdict in zip(drawn, items, asp.decide(items), strict=True):
        seen[verdict.status] += 1
        found = measured(edges, overlaps=overlaps)
        if found is None:
            assert not verdict.consistent
            assert verdict.status is not Status.CONTRADICTORY
            continue
        assert verdict.consistent is (found[0] is not Status.CONTRADICTORY)
        assert found == (verdict.status, hops(certify(each_item, verdict)))
        if not overlaps and verdict.consistent:
            assert entails_order(edges) is (verdict.status is Status.ENTAILED)
    assert len(seen) == 4


@pytest.mark.parametrize("way", Way)
def test_each_way_makes_groups(way: Way) -> None:
    """For short and long chains, with the statuses and hops that are asked for."""
    made = 0
    random = Random(str(way))
    for claim, h, r, c in product(
        (ClaimRelation.BEFORE, ClaimRelation.OVERLAPS), (1, 3, 5), (None, 1, 3), (3, 4, 6)
    ):
        shape = Shape(events=16, relations=16)
        false = Status.UNKNOWN if r is None else Status.REFUTED
        cells = tuple(
            Cell(shape=shape, claim=claim, status=status, contradiction=cyclic, hops=length)
            for status, length, cyclic in (
                (Status.ENTAILED, h, False),
                (false, r, False),
                (Status.CONTRADICTORY, c, True),
            )
        )
        for recipe in recipes(cells, equal=True):
            if recipe.way is not way:
                continue
            for _ in range(40):
                try:
                    parts = gadget(random, cells, recipe, equal=True, repeat=random.random() < 0.5)
                except MisfitError:
                    continue
                made += 1
                assert len({str(signature(edges)) for edges in parts}) == 1
                assert len(parts[0]) == recipe.relations
                break
            else:
                pytest.fail(f"nothing was made for {recipe} and {list(map(str, cells))}")
    assert made


def test_the_opposite_claims_turn_the_labels() -> None:
    planned = layout(Config(preset=Preset.SAME_TIMELINES))
    checker = Checker()
    for number in range(2 * len(planned.blocks)):
        cells = planned.built(number)
        plans = matched_group(
            seeded_random("turn", number), cells, equal=True, strong=True, side=None
        )
        other = opposed(plans, opposite(cells, number))
        assert [plan.outline for plan in other] == [plans[n].outline for n in (1, 0, 2)]
        assert {plan.cell.claim for plan in other}.isdisjoint({plan.cell.claim for plan in plans})
        items = [item(plan.edges, plan.cell.claim) for plan in (*plans, *other)]
        assert all(checker.matches(items, [plan.cell for plan in (*plans, *other)]))


@pytest.mark.parametrize("preset", [Preset.STRICT, Preset.ONLY_BEFORE])
def test_false_is_refuted_and_unknown_in_turn(preset: Preset) -> None:
    for block in layout(Config(preset=preset)).blocks:
        statuses = Counter(block.cells(turn)[1].status for turn in range(96))
        if str(block.shape) == "8x16" and block.claim is ClaimRelation.OVERLAPS:
            # Two chains and a cycle leave too few of eight events for sixteen relations.
            assert statuses == {Status.REFUTED: 96}
        else:
            assert statuses == {Status.REFUTED: 48, Status.UNKNOWN: 48}
        for place, status in ((0, Status.ENTAILED), (2, Status.CONTRADICTORY)):
            cells = [block.cells(turn)[place] for turn in range(96)]
            assert {cell.status for cell in cells} == {status}
            levels = Counter(cell.hops for cell in cells)
            assert len(levels) > 1
            assert max(levels.values()) < 75


def test_a_chain_and_a_relation_back_contradict_their_events_if_closed() -> None:
    """Two events between the claim's, entered and left in every way; a strict relation anywhere."""
    found = Counter()
    for out, into, leave, enter in product((0, 1), repeat=4):
        for (first, then), (second, last), strict in product(PASSING, PASSING, range(4)):
            bounds = [
                (0, out, first, 2),
                (2, then, second, 3),
                (3, last, into, 1),
                (1, leave, enter, 0),
            ]
            steps = [Step(*bound, number == strict) for number, bound in enumerate(bounds)]
            edges = [Edge(2 * s.first + s.out, 2 * s.last + s.into, s.strict) for s in steps]
            got = measured(edges, overlaps=True)
            contradictory = got is not None and got[0] is Status.CONTRADICTORY
            found[contradictory, closed(steps[:-1], steps[-1])] += 1
    assert not found[False, True]
    assert found[True, True]
    assert found[False, False]


@pytest.mark.parametrize("preset", [Preset.STRICT, Preset.BEFORE_AFTER, Preset.ONLY_BEFORE])
def test_one_sentence_makes_as_many_claims_true_as_false(preset: Preset) -> None:
    """A sentence about both events makes *before* and *after* true, and *overlaps* false."""
    made: Counter[tuple[Shape, bool, Statement]] = Counter()
    for block in layout(Config(preset=preset)).blocks:
        kinds = filter(None, (stated(block.cells(turn)) for turn in range(PERIOD)))
        made.update((block.shape, block.claim is ClaimRelation.OVERLAPS, kind) for kind in kinds)
    assert made
    assert all(
        count == made[shape, not overlaps, kind] for (shape, overlaps, kind), count in made.items()
    )


@pytest.mark.parametrize("preset", [Preset.STRICT, Preset.BEFORE_AFTER])
def test_one_sentence_predicts_no_label(preset: Preset) -> None:
    """Whatever the bounds and the order, as many items are true, false and undefined."""
    planned = layout(Config(preset=preset))
    found: dict[tuple[bool, int], Counter[Label]] = {}
    for number in range(PERIOD * len(planned.blocks)):
        cells = planned.built(number)
        if stated(cells) is None:
            continue
        equal = TRAITS[preset].equal
        for plan in matched_group(
            seeded_random(number), cells, equal=equal, strong=False, side=None
        ):
            for p, q, strict in plan.edges:
                if p < 4 and q < 4:
                    # 1: one ends before the other starts; 0: two starts or two ends.
                    bounds = (p & 1) - (q & 1)
                    kind = strict, bounds if strict else abs(bounds)
                    found.setdefault(kind, Counter())[plan.cell.label] += 1
    for kind, counts in found.items():
        assert max(counts.values()) < 0.38 * counts.total(), (kind, counts)
