"""Weak orders, *not after* and *not before*: engines, hops and certificates.

What is true of an item is computed here from docs/eventhop.md alone: over all weak orders of its
points, as assignments of small integers, and over all walks, by their number of relations.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from grammar.errors import UnwritableError
from grammar.eventhop.graph_json import decode, encode
from grammar.eventhop.model import (
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Domain,
    Item,
    Label,
    Order,
    Point,
    Policy,
    Relation,
    Status,
    Verdict,
)
from grammar.eventhop.writer import Writer
from solver.eventhop import check
from solver.eventhop.certificates.expand import evidence
from solver.eventhop.certificates.lines import certificate_error, texts, to_json, verdict_to_json
from solver.eventhop.certificates.make import certify, hops
from solver.eventhop.crosscheck import engine
from solver.eventhop.drawing import picture
from solver.eventhop.engines import EngineName
from solver.eventhop.hashes import ItemHashes
from solver.eventhop.messages import in_words
from solver.eventhop.published import UnpublishedClaimError, causes, published_label

WEAK = (Order.NOT_AFTER, Order.NOT_BEFORE)
POLICIES = (Policy.LOCAL, Policy.GLOBAL)
SIGN = {
    Order.BEFORE: "<",
    Order.AFTER: ">",
    Order.SIMULTANEOUS: "=",
    Order.NOT_AFTER: "<=",
    Order.NOT_BEFORE: ">=",
}
EVENT_CLAIMS = {
    ClaimRelation.BEFORE: "+<=-",
    ClaimRelation.AFTER: "->=+",
    ClaimRelation.OVERLAPS: "-<+ +>-",
    AllenRelation.PRECEDES: "+<-",
    AllenRelation.MEETS: "+=-",
    AllenRelation.OVERLAPS: "-<- +>- +<+",
    AllenRelation.FINISHED_BY: "-<- +=+",
    AllenRelation.CONTAINS: "-<- +>+",
    AllenRelation.STARTS: "-=- +<+",
    AllenRelation.EQUALS: "-=- +=+",
    AllenRelation.STARTED_BY: "-=- +>+",
    AllenRelation.DURING: "->- +<+",
    AllenRelation.FINISHES: "->- +=+",
    AllenRelation.OVERLAPPED_BY: "->- -<+ +>+",
    AllenRelation.MET_BY: "-=+",
    AllenRelation.PRECEDED_BY: "->+",
}

Need = tuple[Point, bool, Point]
"""Lower point, whether strict, upper point."""


class Truth(NamedTuple):
    """What holds of an item by the specification."""

    status: Status
    consistent: bool
    hops: int | None

    def verdict(self, policy: Policy) -> Verdict:
        contradictory = self.status is Status.CONTRADICTORY
        if contradictory or (policy is Policy.GLOBAL and not self.consistent):
            label = Label.UNDEFINED
        else:
            label = Label.TRUE if self.status is Status.ENTAILED else Label.FALSE
        return Verdict(status=self.status, consistent=self.consistent, label=label)


def events_of(item: Item) -> list[str]:
    return list(dict.fromkeys(item.names))


def needs_of(p: Point, sign: str, q: Point) -> list[Need]:
    return {
        "<": [(p, True, q)],
        ">": [(q, True, p)],
        "=": [(p, False, q), (q, False, p)],
        "<=": [(p, False, q)],
        ">=": [(q, False, p)],
    }[sign]


def claim_of(item: Item) -> tuple[list[Need], list[tuple[Point, Point]]]:
    """The requirements of a claim, and the pairs of points that may contradict each other."""
    claim = item.claim
    if isinstance(claim, Relation):
        points, itself = {claim.left, claim.right}, claim.left == claim.right
        needs = needs_of(claim.left, SIGN[claim.order], claim.right)
    else:
        sides = {"-": Bound.START, "+": Bound.END}
        points = {Point(event=e, bound=b) for e in (claim.left, claim.right) for b in Bound}
        itself = claim.left == claim.right
        needs = [
            need
            for text in EVENT_CLAIMS[claim.relation].split()
            for need in needs_of(
                Point(event=claim.left, bound=sides[text[0]]),
                text[1:-1],
                Point(event=claim.right, bound=sides[text[-1]]),
            )
        ]
    pairs = list(combinations(sorted(points, key=str), 2))
    return needs, pairs + ([(point, point) for point in points] if itself else [])


def constraints(item: Item) -> tuple[list[Need], list[Need]]:
    """The needs of the relations of a premise, and those of the durations."""
    stated = [
        need
        for relation in item.premise
        for need in needs_of(relation.left, SIGN[relation.order], relation.right)
    ]
    lasting = [
        (Point(event=event, bound=Bound.START), True, Point(event=event, bound=Bound.END))
        for event in events_of(item)
    ]
    return stated, lasting


@cache
def weak_orders(points: int) -> NDArray[np.int64]:
    """All assignments of 0, 1, ... without a gap to so many points; one a row."""
    rows = [
        row
        for row in product(range(points), repeat=points)
        if len(set(row)) == max(row, default=-1) + 1
    ]
    return np.array(rows, dtype=np.int64)


def truth(item: Item) -> Truth:
    """The verdict by models: the premise, and the relaxed premise if it has none."""
    events = events_of(item)
    lines = weak_orders(2 * len(events))
    places = {
        Point(event=event, bound=bound): 2 * number + (bound is Bound.END)
        for number, event in enumerate(events)
        for bound in Bound
    }

    def holds(need: Need, *, relaxed: bool = False) -> NDArray[np.bool_]:
        lower, strict, upper = need
        first, last = lines[:, places[lower]], lines[:, places[upper]]
        return first < last if strict and not relaxed else first <= last

    stated, lasting = constraints(item)
    every = [*stated, *lasting]
    weakened = np.logical_and.reduce([holds(need, relaxed=True) for need in every])
    cyclic = [need for need in every if need[1] and not (weakened & holds(need)).any()]

    def coincide(p: Point, q: Point) -> bool:
        return bool((lines[weakened, places[p]] == lines[weakened, places[q]]).all())

    def leaves(need: Need) -> bool:
        """Whether it relates a point of a cycle to one that is not on it."""
        lower, _, upper = need
        on_cycle = any(coincide(lower, u) or coincide(upper, u) for u, _, _ in cyclic)
        return on_cycle and not coincide(lower, upper)

    kept = [
        holds((need[0], need[1] or leaves(need), need[2]), relaxed=need in cyclic) for need in every
    ]
    models = np.logical_and.reduce(kept)
    assert models.any()
    needs, pairs = claim_of(item)

    claimed = np.logical_and.reduce([holds(need) for need in needs])[models]
    if any(coincide(p, u) and coincide(q, u) for p, q in pairs for u, _, _ in cyclic):
        status = Status.CONTRADICTORY
    elif claimed.all():
        status = Status.ENTAILED
    else:
        status = Status.UNKNOWN if claimed.any() else Status.REFUTED
    assert (status, not cyclic) == derived(item)
    return Truth(status=status, consistent=not cyclic, hops=fewest(item, status))


def derived(item: Item) -> tuple[Status, bool]:
    """Status and consistency by derivation: walks, and those with a strict step."""
    points = [Point(event=event, bound=bound) for event in events_of(item) for bound in Bound]
    walks = {(p, strict, q) for p in points for q, strict in lengths(item, p)}
    needs, pairs = claim_of(item)
    if any({(p, True, q), (q, True, p)} <= walks for p, q in pairs):
        status = Status.CONTRADICTORY
    elif walks.issuperset(needs):
        status = Status.ENTAILED
    else:
        refuted = any((upper, not strict, lower) in walks for lower, strict, upper in needs)
        status = Status.REFUTED if refuted else Status.UNKNOWN
    return status, not any((p, True, p) in walks for p in points)


def lengths(item: Item, source: Point) -> dict[tuple[Point, bool], int]:
    """Fewest relations of the walks from a point to each other, and of those that are strict."""
    stated, lasting = constraints(item)
    found: dict[tuple[Point, bool], int] = {}
    level = {(source, False)}
    for count in range(4 * len(events_of(item)) + 1):
        # Durations are free, and lead only to the end of an event.
        level |= {(end, True) for p, _ in level for start, _, end in lasting if start == p}
        for point, strict in level:
            found.setdefault((point, strict), count)
            found.setdefault((point, False), count)
        level = {(q, s or strict) for here, s in level for p, strict, q in stated if p == here}
    return found


def fewest(item: Item, status: Status) -> int | None:
    """Hops, by all walks."""
    needs, pairs = claim_of(item)
    length = {
        (p, q, strict): count
        for p in {point for pair in pairs for point in pair} | {need[0] for need in needs}
        for (q, strict), count in lengths(item, p).items()
    }
    if status is Status.ENTAILED:
        return max(length[lower, upper, strict] for lower, strict, upper in needs)
    if status is Status.REFUTED:
        opposites = [(upper, lower, not strict) for lower, strict, upper in needs]
        return min(length[goal] for goal in opposites if goal in length)
    if status is Status.UNKNOWN:
        return None
    loops = [
        length[p, q, out] + length[q, p, not out]
        for p, q in pairs
        for out in (False, True)
        if (p, q, out) in length and (q, p, not out) in length
    ]
    return min(loops)


def random_item(rng: random.Random, number: int) -> Item:
    """An item of up to three events; its relations are about few points, so some repeat."""
    events = "ABC"[: rng.choice((1, 2, 2, 3, 3, 3))]
    points = [Point(event=event, bound=bound) for event in events for bound in Bound]
    orders = rng.choice((tuple(Order), (*WEAK, Order.BEFORE), WEAK, (*WEAK, Order.SIMULTANEOUS)))
    premise = [
        Relation(left=rng.choice(points), order=rng.choice(orders), right=rng.choice(points))
        for _ in range(rng.randrange(8))
    ]
    if premise and rng.random() < 0.2:
        premise.append(rng.choice(premise))
    claim: Claim | Relation
    if rng.random() < 0.4:
        claim = Relation(
            left=rng.choice(points), order=rng.choice([*Order]), right=rng.choice(points)
        )
    else:
        named = rng.choice([*ClaimRelation] * 4 + [*AllenRelation])
        claim = Claim(left=rng.choice(events), relation=named, right=rng.choice(events))
    return Item(id=f"weak-{number}", premise=tuple(premise), claim=claim)


@pytest.fixture(scope="module")
def known() -> list[tuple[Item, Truth]]:
    rng = random.Random(20)
    items = [random_item(rng, number) for number in range(600)]
    return [(item, truth(item)) for item in items]


def test_the_items_have_all_that_matters(known: list[tuple[Item, Truth]]) -> None:
    weak = [(item, holds) for item, holds in known if any(r.order in WEAK for r in item.premise)]
    assert len(weak) >= 400
    seen = Counter((holds.status, holds.consistent) for _, holds in weak)
    assert min(seen[status, True] for status in Status if status is not Status.CONTRADICTORY) > 20
    assert min(seen[status, False] for status in Status) > 5
    assert any(r.left == r.right and r.order in WEAK for item, _ in weak for r in item.premise)
    assert any(len(set(item.premise)) < len(item.premise) for item, _ in weak)
    assert {holds.hops for _, holds in weak} >= {None, 0, 1, 2, 3}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", EngineName)
def test_engines_decide_as_specified(
    known: list[tuple[Item, Truth]], name: EngineName, policy: Policy
) -> None:
    verdicts = engine(name, policy).decide([item for item, _ in known])
    wrong = [
        (item, verdict, holds)
        for (item, holds), verdict in zip(known, verdicts, strict=True)
        if verdict != holds.verdict(policy)
    ]
    assert wrong == []


def test_certificates_prove_verdict_and_hops(known: list[tuple[Item, Truth]]) -> None:
    for item, holds in known:
        for policy in POLICIES:
            verdict = holds.verdict(policy)
            certificate = certify(item, verdict)
            assert hops(certificate) == holds.hops, item
            assert certificate_error(item, verdict, holds.hops, certificate, policy) is None, item


Strengthen = Callable[[Relation], Relation]


def as_equal(relation: Relation) -> Relation:
    """A weak step may be walked backwards."""
    return replace(relation, order=Order.SIMULTANEOUS) if relation.order in WEAK else relation


def as_strict(relation: Relation) -> Relation:
    """A weak step counts as strict."""
    strict = {Order.NOT_AFTER: Order.BEFORE, Order.NOT_BEFORE: Order.AFTER}
    return replace(relation, order=strict.get(relation.order, relation.order))


def as_reversed(relation: Relation) -> Relation:
    """A weak step leads only backwards."""
    turned = dict(zip(WEAK, WEAK[::-1], strict=True))
    return replace(relation, order=turned.get(relation.order, relation.order))


def without(relation: Relation) -> Relation:
    """A weak order says nothing."""
    return replace(relation, right=relation.left) if relation.order in WEAK else relation


@pytest.mark.parametrize("change", [as_equal, as_strict, as_reversed, without])
def test_proofs_of_another_meaning_are_rejected(
    known: list[tuple[Item, Truth]], change: Strengthen
) -> None:
    seen = Counter[str]()
    for item, holds in known:
        for among in forged_premises(item, change):
            other = truth(among)
            # Points that are named no longer would have other numbers in the certificate.
            if other == holds or events_of(among) != events_of(item):
                continue
            verdict = other.verdict(Policy.LOCAL)
            certificate = certify(among, verdict)
            assert certificate_error(among, verdict, other.hops, certificate) is None
            assert certificate_error(item, verdict, other.hops, certificate) is not None, item
            seen[other.status] += 1
    assert sum(seen.values()) > 100


def forged_premises(item: Item, change: Strengthen) -> Iterator[Item]:
    """All weak relations changed, and each of them alone."""
    changed = tuple(map(change, item.premise))
    yield replace(item, premise=changed)
    for place in range(len(changed)):
        if item.premise[place].order in WEAK:
            alone = (*item.premise[:place], changed[place], *item.premise[place + 1 :])
            yield replace(item, premise=alone)


A_START, A_END = (Point(event="A", bound=bound) for bound in Bound)
B_START, B_END = (Point(event="B", bound=bound) for bound in Bound)


def stated(left: Point, order: Order, right: Point) -> Relation:
    return Relation(left=left, order=order, right=right)


@pytest.mark.parametrize(
    ("relation", "start", "reason"),
    [
        (stated(A_END, Order.NOT_AFTER, B_START), "start of B", "does not go on"),
        (stated(B_START, Order.NOT_BEFORE, A_END), "start of B", "does not go on"),
        (stated(A_END, Order.NOT_AFTER, B_START), "end of A", "do not derive"),
        (stated(B_START, Order.NOT_BEFORE, A_END), "end of A", "do not derive"),
    ],
)
def test_a_weak_step_leads_one_way_and_is_not_strict(
    relation: Relation, start: str, reason: str
) -> None:
    """The claim is strict from A to B, or from B to A."""
    ends = (A_END, B_START) if start == "end of A" else (B_START, A_END)
    item = Item(id="forged", premise=(relation,), claim=stated(ends[0], Order.BEFORE, ends[1]))
    verdict = {"status": "entailed", "label": "true", "consistent": True, "hops": 1}
    model = [["start of A", 0], ["end of A", 1], ["start of B", 2], ["end of B", 3]]
    names = [name for event in events_of(item) for name in (f"start of {event}", f"end of {event}")]
    certificate: dict[str, Any] = {
        "walks": [{"from": start, "steps": [0]}],
        "cycle": None,
        "timelines": [sorted(model, key=lambda pair: names.index(str(pair[0])))],
        "distances": [],
    }
    with pytest.raises(check.RejectedError, match=reason):
        check.check_verdict(check.Item(texts(item)), verdict, "local", certificate)


def test_a_timeline_may_not_reverse_a_weak_order() -> None:
    item = Item(
        id="reversed",
        premise=(stated(A_END, Order.NOT_AFTER, B_START),),
        claim=stated(A_END, Order.BEFORE, B_START),
    )
    verdict = truth(item).verdict(Policy.LOCAL)
    assert verdict.status is Status.UNKNOWN
    rows = to_json(certify(item, verdict))
    shown = verdict_to_json(verdict, None)
    read = check.Item(texts(item))
    check.check_verdict(read, shown, "local", rows)
    backwards = [["start of A", 0], ["end of A", 9], ["start of B", 4], ["end of B", 10]]
    rows["timelines"].append(backwards)
    with pytest.raises(check.RejectedError, match="not monotone"):
        check.check_verdict(read, shown, "local", rows)


def test_the_repaired_rules_of_order_are_those_of_the_definition() -> None:
    """``p = q`` means ``p <= q`` and ``p >= q``: status and consistency stay, hops may grow."""
    rng = random.Random(21)
    for number in range(150):
        item = random_item(rng, number)
        split = tuple(
            part
            for relation in item.premise
            for part in (
                [replace(relation, order=order) for order in WEAK]
                if relation.order is Order.SIMULTANEOUS
                else [relation]
            )
        )
        other = truth(replace(item, premise=split))
        assert other == truth(item)
        (verdict,) = engine(EngineName.ASP).decide([replace(item, premise=split)])
        assert verdict == other.verdict(Policy.LOCAL)


def test_words_and_drawings(known: list[tuple[Item, Truth]]) -> None:
    words = set()
    for item, holds in known[:150]:
        verdict = holds.verdict(Policy.LOCAL)
        certificate = certify(item, verdict)
        words |= set(in_words(item, verdict, evidence(item, verdict, certificate)))
    assert any(" at or before " in line for line in words)
    assert not any("not_after" in line or "not_before" in line for line in words)
    item = Item(
        id="drawn",
        premise=(
            stated(A_END, Order.NOT_AFTER, B_START),
            stated(A_END, Order.NOT_BEFORE, B_START),
        ),
        claim=stated(A_END, Order.SIMULTANEOUS, B_START),
    )
    verdict = truth(item).verdict(Policy.LOCAL)
    certificate = certify(item, verdict)
    lines = list(in_words(item, verdict, evidence(item, verdict, certificate)))
    assert any("end of A at or before start of B (sentence 1)" in line for line in lines)
    assert any("start of B at or before end of A (sentence 2)" in line for line in lines)
    drawing = picture(item, verdict, certificate, hops=1)
    assert drawing.startswith(b"<svg")
    assert drawing == picture(item, verdict, certificate, hops=1)


def test_every_proof_is_drawn(known: list[tuple[Item, Truth]]) -> None:
    weak = [row for row in known if any(r.order in WEAK for r in row[0].premise)]
    for item, holds in weak[:40]:
        verdict = holds.verdict(Policy.LOCAL)
        assert picture(item, verdict, certify(item, verdict), hops=holds.hops)


def test_graph_json_keeps_weak_orders(known: list[tuple[Item, Truth]]) -> None:
    for item, _ in known:
        assert decode(encode(item)) == item
    assert b'"order":"not_after"' in encode(drawn := known[0][0]) or any(
        b'"order":"not_after"' in encode(item) for item, _ in known
    ), drawn


@pytest.mark.parametrize("domain", Domain)
@pytest.mark.parametrize("order", WEAK)
def test_no_writer_writes_a_weak_order(domain: Domain, order: Order) -> None:
    weak, strict = stated(A_END, order, B_START), stated(A_END, Order.BEFORE, B_START)
    for premise, claim in (((weak,), strict), ((strict,), weak)):
        item = Item(id="weak", premise=premise, claim=claim, domain=domain)
        with pytest.raises(UnwritableError, match=f"no phrase for {order.value}"):
            Writer(domain).write(item)


@pytest.mark.parametrize("order", WEAK)
def test_the_published_procedure_does_not_support_them(order: Order) -> None:
    claim = Claim(left="A", relation=ClaimRelation.BEFORE, right="B")
    item = Item(id="weak", premise=(stated(A_END, order, B_START),), claim=claim)
    words = "at or before" if order is Order.NOT_AFTER else "at or after"
    with pytest.raises(UnpublishedClaimError, match=f"'end of A {words} start of B'") as caught:
        published_label(item)
    assert caught.value.code == "unpublished-order"
    assert causes(item, Label.FALSE, Label.TRUE) == ()


def test_hashes_distinguish_all_orders() -> None:
    claim = Claim(left="A", relation=ClaimRelation.BEFORE, right="B")

    def hashes(left: Point, order: Order, right: Point) -> tuple[int | None, int, int]:
        item = Item(id="", premise=(stated(left, order, right),), claim=claim)
        found = ItemHashes(item)
        return found.timeline(), found.graph(), found.outline()

    for columns in zip(*(hashes(A_END, order, B_START) for order in Order), strict=True):
        assert len(set(columns)) == len(Order)
    forward = hashes(A_END, Order.NOT_AFTER, B_START)
    assert hashes(B_START, Order.NOT_BEFORE, A_END) == forward
    assert hashes(B_START, Order.NOT_AFTER, A_END) != forward


def test_long_chains_are_decided() -> None:
    """A thousand events in a circle of weak orders: consistent, unless one order is strict."""
    ends = [Point(event=f"E{number}", bound=Bound.END) for number in range(1000)]
    circle = list(zip(ends, [*ends[1:], ends[0]], strict=True))
    for last, consistent in ((Order.NOT_AFTER, True), (Order.BEFORE, False)):
        orders = [Order.NOT_AFTER] * (len(circle) - 1) + [last]
        premise = tuple(stated(p, order, q) for (p, q), order in zip(circle, orders, strict=True))
        item = Item(id="circle", premise=premise, claim=stated(ends[3], Order.NOT_AFTER, ends[2]))
        (verdict,) = engine(EngineName.GRAPH).decide([item])
        expected = Status.ENTAILED if consistent else Status.CONTRADICTORY
        assert (verdict.status, verdict.consistent) == (expected, consistent)
        certificate = certify(item, verdict)
        assert certificate_error(item, verdict, hops(certificate), certificate) is None
