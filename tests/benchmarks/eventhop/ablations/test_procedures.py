"""Reasoners that read the text in order, checked against procedures; and further claims."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from benchmarks.eventhop.ablations.reasoners import PUBLISHED, REASONERS, answer, reasoner
from grammar.eventhop.model import (
    PUBLISHED_ORDERS,
    AllenRelation,
    Bound,
    Claim,
    Item,
    Label,
    Order,
    Point,
    Relation,
    Status,
)
from solver.eventhop.engines.graph import ClosureEngine, number, requirements

Sampler = Callable[[int, int], list[Item]]

LABELS = {
    Status.ENTAILED: Label.TRUE,
    Status.REFUTED: Label.FALSE,
    Status.UNKNOWN: Label.FALSE,
    Status.CONTRADICTORY: Label.UNDEFINED,
}


def labels_of(name: str, items: list[Item]) -> list[Label]:
    labels = answer(items, [Label.TRUE] * len(items), reasoners=[reasoner(name)]).labels[name]
    return list(labels)


def read_until_told(item: Item) -> Label:
    """Decide longer and longer beginnings of a premise until one settles the claim."""
    beginnings = [
        replace(item, premise=item.premise[:count]) for count in range(len(item.premise) + 1)
    ]
    for verdict in ClosureEngine().decide(beginnings):
        if verdict.status is not Status.UNKNOWN:
            return LABELS[verdict.status]
    return Label.FALSE


def read_once(item: Item) -> Label:
    """Carry through the text what each claimed point is known to come before."""
    numbered = number(item)
    needs = requirements(item, numbered)
    reach = {point: lasting({(point, False)}) for point in needs.points}
    for left, order, right in numbered.relations:
        p, q = (right, left) if order is Order.AFTER else (left, right)
        strict = order is not Order.SIMULTANEOUS
        ways = [(p, q)] if strict else [(p, q), (q, p)]
        for point, known in reach.items():
            new = {(b, was or strict) for a, b in ways for at, was in known if at == a}
            reach[point] = lasting(known | new)

    def holds(p: int, strict: bool, q: int) -> bool:
        return (q, True) in reach[p] or (not strict and (q, False) in reach[p])

    pairs = [(p, q) for p in needs.points for q in needs.points if p != q or needs.reflexive]
    if any(holds(p, True, q) and holds(q, False, p) for p, q in pairs):
        return Label.UNDEFINED
    holding = all(holds(need.lower, need.strict, need.upper) for need in needs.inequalities)
    return Label.TRUE if holding else Label.FALSE


def lasting(known: set[tuple[int, bool]]) -> set[tuple[int, bool]]:
    """A point before the start of an event is strictly before its end."""
    return known | {(point + 1, True) for point, _ in known if point % 2 == 0}


def test_the_first_derivation_is_that_of_the_shortest_beginning(sampled: Sampler) -> None:
    items = sampled(21, 150)
    expected = [read_until_told(item) for item in items]
    assert labels_of("first-derivation", items) == expected
    assert set(expected) == set(Label)


def test_a_single_pass_is_one_reading(sampled: Sampler) -> None:
    items = sampled(22, 150)
    expected = [read_once(item) for item in items]
    assert labels_of("single-pass", items) == expected
    assert set(expected) == set(Label)


def test_every_reasoner_answers_claims_beyond_the_papers(sampled: Sampler) -> None:
    """Allen's relations, claims about points, an event and itself, an empty premise."""
    base = sampled(23, 1)[0]
    claim = base.claim
    assert isinstance(claim, Claim)
    start, end = (Point(event=claim.left, bound=bound) for bound in Bound)
    claims = [
        *(
            Claim(left=claim.left, relation=relation, right=claim.right)
            for relation in AllenRelation
        ),
        *(Relation(left=start, order=order, right=end) for order in PUBLISHED_ORDERS),
        Relation(left=start, order=Order.SIMULTANEOUS, right=start),
        replace(claim, right=claim.left),
    ]
    items = [
        replace(base, id=str(place), claim=other_claim) for place, other_claim in enumerate(claims)
    ]
    items += [replace(item, premise=()) for item in items]
    decided = [verdict.label for verdict in ClosureEngine().decide(items)]
    given = answer(items, decided)
    assert set(given.left_out) == {PUBLISHED}
    assert set(given.labels) == {each_reasoner.name for each_reasoner in REASONERS} - {PUBLISHED}
    assert list(given.labels["full"]) == decided
    assert all(len(labels) == len(items) for labels in given.labels.values())
