"""Semantics of sentences and claims, used only by the certificate checker.

Independent of ``encodings/temporal/`` and of the graph engine on purpose: a checker that shared
their semantics would share their errors.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from solver.model import (
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Item,
    Order,
    Point,
    Relation,
    Timeline,
)


class Fact(NamedTuple):
    """``lower < upper`` if strict, ``lower <= upper`` if not."""

    lower: Point
    strict: bool
    upper: Point

    @property
    def opposite(self) -> Fact:
        """The negation."""
        return Fact(self.upper, not self.strict, self.lower)

    def implies(self, other: Fact) -> bool:
        """Whether this implies another fact about the same two points."""
        same = (self.lower, self.upper) == (other.lower, other.upper)
        return same and (self.strict or not other.strict)

    def holds(self, timeline: Timeline) -> bool:
        """Whether a timeline satisfies this."""
        lower, upper = timeline[self.lower], timeline[self.upper]
        return lower < upper or (lower == upper and not self.strict)


def relation_facts(relation: Relation) -> list[Fact]:
    """The facts equivalent to a sentence, or to a claim about two points."""
    left, right = relation.left, relation.right
    if relation.order is Order.BEFORE:
        return [Fact(left, True, right)]
    if relation.order is Order.AFTER:
        return [Fact(right, True, left)]
    return [Fact(left, False, right), Fact(right, False, left)]


def duration_facts(events: Iterable[str]) -> list[Fact]:
    """The duration axiom of each event."""
    return [Fact(_start(event), True, _end(event)) for event in sorted(events)]


def claimed_points(item: Item) -> set[Point]:
    """The points of the claim."""
    claim = item.claim
    if isinstance(claim, Relation):
        return {claim.left, claim.right}
    return {make(event) for event in (claim.left, claim.right) for make in (_start, _end)}


def claim_facts(item: Item) -> list[Fact]:
    """The facts whose conjunction is equivalent to the claim."""
    claim = item.claim
    if isinstance(claim, Relation):
        return relation_facts(claim)
    a, b = claim.left, claim.right
    if claim.relation is ClaimRelation.BEFORE:
        return [Fact(_end(a), False, _start(b))]
    if claim.relation is ClaimRelation.AFTER:
        return [Fact(_end(b), False, _start(a))]
    if claim.relation is ClaimRelation.OVERLAPS:
        return [Fact(_start(a), True, _end(b)), Fact(_start(b), True, _end(a))]
    return [fact for relation in _allen(claim) for fact in relation_facts(relation)]


def _allen(claim: Claim) -> list[Relation]:
    """Allen's relation as comparisons, written ``point of A, sign, point of B``."""
    signs = {"<": Order.BEFORE, ">": Order.AFTER, "=": Order.SIMULTANEOUS}
    points = {"s": _start, "e": _end}
    return [
        Relation(left=points[c[0]](claim.left), order=signs[c[1]], right=points[c[2]](claim.right))
        for c in _ALLEN[AllenRelation(claim.relation)].split()
    ]


_ALLEN = {
    AllenRelation.PRECEDES: "e<s",
    AllenRelation.PRECEDED_BY: "s>e",
    AllenRelation.MEETS: "e=s",
    AllenRelation.MET_BY: "s=e",
    AllenRelation.OVERLAPS: "s<s e>s e<e",
    AllenRelation.OVERLAPPED_BY: "s>s s<e e>e",
    AllenRelation.STARTS: "s=s e<e",
    AllenRelation.STARTED_BY: "s=s e>e",
    AllenRelation.FINISHES: "s>s e=e",
    AllenRelation.FINISHED_BY: "s<s e=e",
    AllenRelation.DURING: "s>s e<e",
    AllenRelation.CONTAINS: "s<s e>e",
    AllenRelation.EQUALS: "s=s e=e",
}


def _start(event: str) -> Point:
    return Point(event=event, bound=Bound.START)


def _end(event: str) -> Point:
    return Point(event=event, bound=Bound.END)
