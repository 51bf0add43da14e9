"""Every small world: all engines agree.

A claim of B about A is, with the names changed, a claim of A about B in another of the worlds; so
the claims here are of A about B, and those of B about A are in the test marked slow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations_with_replacement, islice, product

import pytest

from grammar.eventhop.model import (
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Item,
    Order,
    Point,
    Policy,
    Relation,
    Status,
)
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName

Worlds = Callable[[str, int], Iterator[tuple[Relation, ...]]]
Claims = list[Claim | Relation]

QUICK = (EngineName.GRAPH, EngineName.ASP)
EVERY = (*QUICK, EngineName.SMT, EngineName.TIMELINES)


def event_claims(left: str, right: str, words: Iterable[ClaimRelation | AllenRelation]) -> Claims:
    return [Claim(left=left, relation=word, right=right) for word in words]


def point_claims(events: str) -> Claims:
    points = [Point(event=event, bound=bound) for event, bound in product(events, Bound)]
    return [
        Relation(left=p, order=order, right=q)
        for p, q in combinations_with_replacement(points, 2)
        for order in Order
    ]


PAPER = event_claims("A", "B", ClaimRelation)
ALLEN = event_claims("A", "B", AllenRelation)
BEYOND = ALLEN + point_claims("AB") + event_claims("A", "A", (*ClaimRelation, *AllenRelation))
BOTH_WAYS = PAPER + event_claims("B", "A", ClaimRelation)


def items_of(premises: Iterable[tuple[Relation, ...]], claims: Claims) -> list[Item]:
    return [
        Item(id=f"{'; '.join(map(str, premise))}: {claim}", premise=premise, claim=claim)
        for premise in premises
        for claim in claims
    ]


def assert_agreement(
    items: list[Item], names: tuple[EngineName, ...], policy: Policy = Policy.LOCAL
) -> Counter[Status]:
    first, *others = ([*engine(name, policy).decide(items)] for name in names)
    for name, verdicts in zip(names[1:], others, strict=True):
        for item, expected, found in zip(items, first, verdicts, strict=True):
            assert found == expected, f"{name} differs from {names[0]} on {item.id}"
    return Counter(verdict.status for verdict in first)


# One item in so many is decided by the slow engines, or under another policy: a number that no
# number of claims divides, so that all claims occur.
SHARES = pytest.mark.parametrize("share", [97, pytest.param(1, marks=pytest.mark.slow)])


@SHARES
@pytest.mark.parametrize(
    ("events", "most", "number"), [("AB", 3, 2952), ("ABC", 2, 1654)], ids=["two", "three"]
)
def test_engines_agree_on_every_small_world(
    worlds: Worlds, events: str, most: int, number: int, share: int
) -> None:
    items = items_of(worlds(events, most), PAPER)
    assert len(items) == number * len(PAPER)
    assert len(assert_agreement(items, QUICK)) == len(Status)
    assert len(assert_agreement(items[::share], EVERY)) == len(Status)
    # A verdict differs between the policies in its label alone.
    assert_agreement(items[:: min(share, 5)], QUICK, Policy.GLOBAL)
    assert_agreement(items[:: max(share, 13)], EVERY, Policy.GLOBAL)


@SHARES
@pytest.mark.parametrize(
    "policy", [Policy.LOCAL, pytest.param(Policy.GLOBAL, marks=pytest.mark.slow)]
)
def test_engines_agree_on_claims_beyond_the_paper(
    worlds: Worlds, policy: Policy, share: int
) -> None:
    items = items_of(worlds("AB", 2), BEYOND)
    assert len(assert_agreement(items[:: min(share, 5)], QUICK, policy)) == len(Status)
    assert len(assert_agreement(items[:: max(share, 13)], EVERY, policy)) == len(Status)


@pytest.mark.parametrize("name", EVERY)
def test_names_of_events_do_not_matter(worlds: Worlds, name: EngineName) -> None:
    def swapped(relation: Relation) -> Relation:
        p, q = (
            Point(event=other[point.event], bound=point.bound)
            for point in (relation.left, relation.right)
        )
        return Relation(left=p, order=relation.order, right=q)

    other = {"A": "B", "B": "A"}
    premises = list(islice(worlds("AB", 3), 0, None, 41))
    there = items_of(premises, PAPER)
    back = items_of(
        (tuple(map(swapped, premise)) for premise in premises),
        event_claims("B", "A", ClaimRelation),
    )
    assert engine(name).decide(there) == engine(name).decide(back)


@pytest.mark.slow
@pytest.mark.parametrize(("events", "most"), [("AB", 3), ("ABC", 2)])
@pytest.mark.parametrize("policy", [Policy.LOCAL, Policy.GLOBAL])
def test_engines_agree_on_every_claim_both_ways(
    worlds: Worlds, events: str, most: int, policy: Policy
) -> None:
    assert_agreement(items_of(worlds(events, most), BOTH_WAYS), EVERY, policy)


@pytest.mark.slow
def test_engines_agree_on_every_claim_beyond_the_paper(worlds: Worlds) -> None:
    assert_agreement(items_of(worlds("AB", 2), BEYOND), EVERY)


@pytest.mark.slow
def test_quick_engines_agree_on_three_relations_over_three_events(worlds: Worlds) -> None:
    assert_agreement(items_of(worlds("ABC", 3), PAPER), QUICK)
