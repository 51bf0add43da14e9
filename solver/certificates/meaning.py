"""What sentences and claims mean, for the replay of certificates alone.

Written a third time, beside ``encodings/temporal/`` and the graph engine, because a checker that
borrowed the meaning from what it checks would check nothing.
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
        """What is true exactly if this is not."""
        return Fact(self.upper, not self.strict, self.lower)

    def implies(self, other: Fact) -> bool:
        """Whether this says at least as much about the same two points."""
        same = (self.lower, self.upper) == (other.lower, other.upper)
        return same and (self.strict or not other.strict)

    def holds(self, timeline: Timeline) -> bool:
        """Whether the instants of a timeline agree."""
        lower, upper = timeline[self.lower], timeline[self.upper]
        return lower < upper or (lower == upper and not self.strict)


def said(relation: Relation) -> list[Fact]:
    """What a sentence, or a claim about two points, says."""
    left, right = relation.left, relation.right
    if relation.order is Order.BEFORE:
        return [Fact(left, True, right)]
    if relation.order is Order.AFTER:
        return [Fact(right, True, left)]
    return [Fact(left, False, right), Fact(right, False, left)]


def lasting(events: Iterable[str]) -> list[Fact]:
    """Each event lasts."""
    return [Fact(_start(event), True, _end(event)) for event in sorted(events)]


def claimed_points(item: Item) -> set[Point]:
    """The points that the claim speaks of."""
    claim = item.claim
    if isinstance(claim, Relation):
        return {claim.left, claim.right}
    return {make(event) for event in (claim.left, claim.right) for make in (_start, _end)}


def demands(item: Item) -> list[Fact]:
    """What makes the claim true, all of it together."""
    claim = item.claim
    if isinstance(claim, Relation):
        return said(claim)
    a, b = claim.left, claim.right
    if claim.relation is ClaimRelation.BEFORE:
        return [Fact(_end(a), False, _start(b))]
    if claim.relation is ClaimRelation.AFTER:
        return [Fact(_end(b), False, _start(a))]
    if claim.relation is ClaimRelation.OVERLAPS:
        return [Fact(_start(a), True, _end(b)), Fact(_start(b), True, _end(a))]
    return [fact for relation in _allen(claim) for fact in said(relation)]


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
