"""Items of shapes that cannot be matched are what their cells want."""

from __future__ import annotations

from collections import Counter

import pytest

from generators.eventhop.config import Cell, Config, Preset
from generators.eventhop.groups import Plan, group, seeded_random
from generators.eventhop.layout import Block, layout
from generators.eventhop.shards import event_distance
from grammar.eventhop.model import (
    Bound,
    Claim,
    ClaimRelation,
    Item,
    Order,
    Point,
    Relation,
    Verdict,
)
from solver.eventhop.certificates.make import certify, hops
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName

BOUNDS = (Bound.START, Bound.END)


def item(plan: Plan) -> Item:
    def point(number: int) -> Point:
        return Point(event=f"e{number >> 1}", bound=BOUNDS[number & 1])

    premise = tuple(
        Relation(
            left=point(edge.earlier),
            order=Order.BEFORE if edge.strict else Order.SIMULTANEOUS,
            right=point(edge.later),
        )
        for edge in plan.edges
    )
    left, right = ("e1", "e0") if plan.cell.claim is ClaimRelation.AFTER else ("e0", "e1")
    return Item(
        id=plan.cell.key,
        premise=premise,
        claim=Claim(left=left, relation=plan.cell.claim, right=right),
    )


def decided(plan: Plan) -> Verdict:
    """By the engine that takes no part in the building: by derivation in ASP."""
    return engine(EngineName.ASP).decide([item(plan)])[0]


def blocks(preset: Preset, *of: str) -> list[Block]:
    planned = layout(Config(preset=preset, keep_unbalanced=True))
    return [block for block in planned.blocks if str(block.shape) in of]


@pytest.mark.parametrize("preset", [Preset.STRICT, Preset.BEFORE_AFTER])
@pytest.mark.parametrize("shape", ["4x3", "4x4", "4x8"])
def test_every_cell_is_reached(preset: Preset, shape: str) -> None:
    equal = preset is Preset.STRICT
    for block in blocks(preset, shape):
        of_block = (*block.entailed, *block.refuted, *block.unknown, *block.contradictory)
        assert of_block
        for cell in of_block:
            (plan,) = group(seeded_random("reached", cell.key), [cell], equal=equal, side=None)
            verdict = decided(plan)
            assert (verdict.status, verdict.consistent) == (cell.status, not cell.contradiction)
            assert hops(certify(item(plan), verdict)) == cell.hops


@pytest.mark.parametrize("shape", ["4x3", "4x4", "4x8", "8x4", "16x8", "32x16"])
def test_items_have_their_exact_sizes(shape: str) -> None:
    for block in blocks(Preset.STRICT, shape):
        for turn in range(8):
            plans = group(seeded_random(shape, turn), block.cells(turn), equal=True, side=turn % 2)
            for plan in plans:
                named = {p >> 1 for edge in plan.edges for p in (edge.earlier, edge.later)}
                assert len(named) == plan.events == block.shape.events
                assert len(plan.edges) == block.shape.relations
                assert plan.outline % 2 == turn % 2


def test_items_of_a_group_have_as_many_simultaneous_points() -> None:
    for block in blocks(Preset.STRICT, "4x3", "4x8"):
        for turn in range(24):
            plans = group(seeded_random("alike", turn), block.cells(turn), equal=True, side=None)
            assert len({sum(edge.strict for edge in plan.edges) for plan in plans}) == 1


def test_no_pair_of_points_is_ordered_twice_away_from_cycles() -> None:
    for block in blocks(Preset.STRICT, "4x8"):
        for turn in range(20):
            for plan in group(
                seeded_random("once", turn), block.cells(turn), equal=True, side=None
            ):
                pairs = Counter(frozenset((e.earlier, e.later)) for e in plan.edges)
                if not plan.cell.contradiction:
                    assert max(pairs.values()) == 1


def test_the_same_seed_builds_the_same() -> None:
    (block, *_) = blocks(Preset.STRICT, "4x8")
    cells: tuple[Cell, ...] = block.cells(3)
    first, again = (group(seeded_random(7), cells, equal=True, side=0) for _ in range(2))
    other = group(seeded_random(8), cells, equal=True, side=0)
    assert first == again != other


def test_event_distance_counts_relations_whatever_their_direction() -> None:
    def start(name: str) -> Point:
        return Point(event=name, bound=Bound.START)

    def before(left: str, right: str) -> Relation:
        return Relation(left=start(left), order=Order.BEFORE, right=start(right))

    premise = (before("a", "b"), before("c", "b"), before("d", "e"))

    def about(left: str, right: str) -> Item:
        claim = Claim(left=left, relation=ClaimRelation.BEFORE, right=right)
        return Item(id="d", premise=premise, claim=claim)

    assert event_distance(about("a", "c")) == 2
    assert event_distance(about("a", "e")) is None
