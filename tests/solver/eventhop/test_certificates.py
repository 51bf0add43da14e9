"""Certificates: every verdict has a valid one, and all are shortest."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from pathlib import Path

import pytest

from grammar.eventhop.model import (
    PUBLISHED_ORDERS,
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Domain,
    Item,
    Label,
    Order,
    Point,
    Relation,
    SpatialReading,
    Status,
    Verdict,
)
from grammar.eventhop.reader import Reader
from solver.eventhop.certificates.evidence import Cycle
from solver.eventhop.certificates.expand import evidence
from solver.eventhop.certificates.lines import certificate_error
from solver.eventhop.certificates.make import UncertifiableError, certify, hops
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName
from solver.eventhop.io import read_records
from solver.eventhop.records import Record

ItemMaker = Callable[[str, str], Item]
RandomItems = Callable[[int, int], list[Item]]

GRAPH = engine(EngineName.GRAPH)
FILES = ["temporal_test", "temporal_train", "spatial_test", "logical_test"]
READINGS = [
    # The largest file is verified, with its certificates, on the command line.
    pytest.param("temporal_test", SpatialReading.GEOMETRIC, marks=pytest.mark.slow),
    *((name, SpatialReading.GEOMETRIC) for name in FILES if name != "temporal_test"),
    ("spatial_test", SpatialReading.PUBLISHED),
]


def small_items(seed: int, count: int) -> Iterator[Item]:
    """Items of 2 to 4 events, dense enough to hold cycles and detours, with claims of all kinds."""
    source = random.Random(seed)
    for number in range(count):
        events = "ABCD"[: source.choice((2, 3, 4, 4))]
        points = [Point(event=event, bound=bound) for event, bound in product(events, Bound)]
        starts = {event: source.randrange(6) for event in events}
        instants = {p: starts[p.event] + (p.bound is Bound.END) for p in points}
        honest = source.random() < 0.6
        premise = []
        for _ in range(source.choice((0, 1, 2, 3, 4, 5, 6, 7))):
            # Occasionally a point is related to itself.
            p, q = (
                source.choices(points, k=2) if source.random() < 0.1 else source.sample(points, 2)
            )
            ordered = Order.BEFORE if instants[p] < instants[q] else Order.AFTER
            true_order = Order.SIMULTANEOUS if instants[p] == instants[q] else ordered
            order = true_order if honest else source.choice([*PUBLISHED_ORDERS, Order.SIMULTANEOUS])
            premise.append(Relation(left=p, order=order, right=q))
        left, right = source.choices(events, k=2) if source.random() < 0.1 else ("A", "B")
        words = [*ClaimRelation] * 4 + [*AllenRelation]
        claim: Claim | Relation = Claim(left=left, relation=source.choice(words), right=right)
        if source.random() < 0.2:
            p, q = source.choices(points, k=2)
            claim = Relation(left=p, order=source.choice(PUBLISHED_ORDERS), right=q)
        yield Item(id=f"small-{number}", premise=tuple(premise), claim=claim)


@cache
def decided(count: int) -> list[tuple[Item, Verdict]]:
    items = list(small_items(20240301, count))
    return list(zip(items, GRAPH.decide(items), strict=True))


COUNTS = pytest.mark.parametrize("count", [800, pytest.param(2500, marks=pytest.mark.slow)])
LABELS = {
    Status.ENTAILED: Label.TRUE,
    Status.REFUTED: Label.FALSE,
    Status.UNKNOWN: Label.FALSE,
    Status.CONTRADICTORY: Label.UNDEFINED,
}


def accepted(items: list[Item]) -> Counter[Status]:
    """Certify all items and check the certificates."""
    found: Counter[Status] = Counter()
    for item, verdict in zip(items, GRAPH.decide(items), strict=True):
        certificate = certify(item, verdict)
        assert certificate_error(item, verdict, hops(certificate), certificate) is None, item
        found[verdict.status] += 1
    return found


@COUNTS
def test_small_items_are_certified(count: int) -> None:
    found = accepted([item for item, _ in decided(count)])
    assert min(found[status] for status in Status) > count / 50


@pytest.mark.parametrize("count", [300, pytest.param(600, marks=pytest.mark.slow)])
def test_random_items_are_certified(random_items: RandomItems, count: int) -> None:
    assert min(accepted(random_items(7, count))[status] for status in Status) > count / 30


@COUNTS
def test_premises_that_are_inconsistent_elsewhere_are_certified(count: int) -> None:
    elsewhere = Counter(verdict.status for _, verdict in decided(count) if not verdict.consistent)
    assert min(elsewhere[status] for status in Status) > count / 250


@COUNTS
def test_no_other_status_can_be_certified(count: int) -> None:
    refused = rejected = 0
    for item, verdict in decided(count):
        for status, consistent in product(Status, (True, False)):
            if (status, consistent) == (verdict.status, verdict.consistent):
                continue
            wrong = Verdict(status=status, consistent=consistent, label=LABELS[status])
            try:
                certificate = certify(item, wrong)
            except UncertifiableError:
                refused += 1
            else:
                found = certificate_error(item, wrong, hops(certificate), certificate)
                assert found is not None, (item, wrong)
                rejected += 1
    assert min(refused, rejected) > 0.4 * count


# Fewest premise relations for a status, by enumerating all subsets of the premise.


def fewest(item: Item, claim: Claim | Relation, status: Status) -> int:
    """Size of the smallest set of relations that alone gives a claim the status."""
    subsets = [
        chosen
        for size in range(len(item.premise) + 1)
        for chosen in combinations(item.premise, size)
    ]
    parts = [Item(id="part", premise=chosen, claim=claim) for chosen in subsets]
    verdicts = zip(subsets, GRAPH.decide(parts), strict=True)
    return next(len(chosen) for chosen, verdict in verdicts if verdict.status is status)


def inequalities(claim: Claim | Relation) -> list[Claim | Relation]:
    """The claim as claims of one inequality each."""
    if isinstance(claim, Claim) and claim.relation is ClaimRelation.OVERLAPS:
        a, b = claim.left, claim.right
        return [_starts_before_end(a, b), _starts_before_end(b, a)]
    return [claim]


def _starts_before_end(a: str, b: str) -> Relation:
    left, right = Point(event=a, bound=Bound.START), Point(event=b, bound=Bound.END)
    return Relation(left=left, order=Order.BEFORE, right=right)


def is_one_inequality_or_overlaps(item: Item) -> bool:
    if isinstance(item.claim, Claim):
        return isinstance(item.claim.relation, ClaimRelation)
    return item.claim.order is not Order.SIMULTANEOUS


@COUNTS
def test_chains_are_shortest(count: int) -> None:
    tried: Counter[Status] = Counter()
    for item, verdict in decided(count):
        if not is_one_inequality_or_overlaps(item):
            continue
        if verdict.status is Status.ENTAILED:
            sizes = [fewest(item, claim, Status.ENTAILED) for claim in inequalities(item.claim)]
        elif verdict.status is Status.REFUTED:
            sizes = [fewest(item, item.claim, Status.REFUTED)]
        else:
            continue
        assert hops(certify(item, verdict)) == max(sizes), item
        tried[verdict.status] += max(sizes) > 1
    assert min(tried.values()) > count / 250


@COUNTS
def test_closed_walks_are_shortest(count: int) -> None:
    """Compared with all-pairs shortest walks; and no smaller set of relations is contradictory."""
    longer_than_one = 0
    for item, verdict in decided(count):
        if verdict.status is not Status.CONTRADICTORY:
            continue
        length = hops(certify(item, verdict))
        assert length is not None
        assert length == shortest_way_round(item), item
        assert length >= fewest(item, item.claim, Status.CONTRADICTORY)
        longer_than_one += length > 1
    assert longer_than_one > count / 25


def shortest_way_round(item: Item) -> float:
    """Premise relations on the shortest closed strict walk through a pair of claimed points."""
    lengths = _all_walks(item)
    claim = item.claim
    if isinstance(claim, Relation):
        claimed = sorted({claim.left, claim.right}, key=str)
    else:
        claimed = [Point(event=e, bound=b) for e in {claim.left, claim.right} for b in Bound]
    choose = combinations_with_replacement if claim.left == claim.right else combinations
    return min(
        lengths[p, q, out] + lengths[q, p, back] if p != q else lengths[p, p, True]
        for p, q in choose(claimed, 2)
        for out, back in ((True, True), (True, False), (False, True))
    )


def _all_walks(item: Item) -> dict[tuple[Point, Point, bool], float]:
    """Floyd-Warshall over walks with and without a strict step."""
    named = {p.event for r in item.premise for p in (r.left, r.right)}
    claim = item.claim
    named |= {claim.left, claim.right} if isinstance(claim, Claim) else set()
    named |= {claim.left.event, claim.right.event} if isinstance(claim, Relation) else set()
    points = [Point(event=event, bound=bound) for event in named for bound in Bound]
    far = float("inf")
    length = {(p, q, strict): far for p in points for q in points for strict in (True, False)}

    def shorten(p: Point, q: Point, strict: bool, cost: float) -> None:
        length[p, q, strict] = min(length[p, q, strict], cost)

    for event in named:
        start, end = (Point(event=event, bound=bound) for bound in Bound)
        shorten(start, end, True, 0)
        shorten(start, start, False, 0)
        shorten(end, end, False, 0)
    for relation in item.premise:
        p, q, order = relation.left, relation.right, relation.order
        if order is Order.SIMULTANEOUS:
            shorten(p, q, False, 1)
            shorten(q, p, False, 1)
        else:
            p, q = (p, q) if order is Order.BEFORE else (q, p)
            shorten(p, q, True, 1)
    # Two rounds: a walk may visit a point before and after its first strict step.
    for via, p, q in [*product(points, repeat=3)] * 2:
        for flag, other in product((True, False), repeat=2):
            shorten(p, q, flag or other, length[p, via, flag] + length[via, q, other])
    return length


@COUNTS
def test_hops_do_not_depend_on_the_order_of_sentences(count: int) -> None:
    source = random.Random(5)
    for item, verdict in decided(count):
        shuffled = replace(item, premise=tuple(source.sample(item.premise, len(item.premise))))
        assert hops(certify(shuffled, verdict)) == hops(certify(item, verdict)), item


@COUNTS
def test_cores_are_smallest_sets_on_the_walks(count: int) -> None:
    for item, verdict in decided(count):
        found = evidence(item, verdict, certify(item, verdict))
        if isinstance(found, Cycle):
            walked = {step.relation for step in (*found.forward, *found.backward)}
            assert set(found.core) <= walked
            assert list(found.core) == sorted(set(found.core))


CASES = [
    ("A+ < B-", "A before B", 1),
    ("A+ = C-, C+ = B-", "A before B", 2),
    ("", "A overlaps A", 0),
    ("", "A- = A-", 0),
    ("", "A- < A-", 0),
    ("A+ < B-", "A overlaps B", 1),
    ("A- < B+, B- < C-, C- < A+", "A overlaps B", 2),
    ("A- = B-, A- < B-", "A before B", 2),
    ("A+ < A-", "A before B", 1),
    ("A- < A-", "A- < A-", 1),
    ("A- < C-, C- < A-", "A before A", 2),
    ("A- = B-, B- = C-, C- < B-", "A before B", 4),
    ("A- < B-", "A before B", None),
]


@pytest.mark.parametrize(("premise", "claim", "expected"), CASES)
def test_hops(item_of: ItemMaker, premise: str, claim: str, expected: int | None) -> None:
    item = item_of(premise, claim)
    (verdict,) = GRAPH.decide([item])
    certificate = certify(item, verdict)
    assert certificate_error(item, verdict, expected, certificate) is None
    assert hops(certificate) == expected


@pytest.mark.parametrize(("name", "spatial"), READINGS)
def test_every_item_of_the_real_files_is_certified(
    shared: Path, name: str, spatial: SpatialReading
) -> None:
    reader = Reader(Domain(name.partition("_")[0]), spatial)
    records = read_records(shared / "data" / "eventhop" / f"{name}.tsv.gz")
    items = [reader.read(r.id, r.premise, r.claim) for r in records if isinstance(r, Record)]
    assert len(items) == (2400 if name == "temporal_test" else 720)
    assert set(accepted(items)) == set(Status)
