"""Requirements of a claim over numbered points, for the graph engine and certificates.

Implements ``encodings/temporal/needs.lp`` a second time, as a cross-check.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

from solver.model import AllenRelation, Claim, ClaimRelation, Item, Order
from solver.numbering import NumberedItem


class Inequality(NamedTuple):
    """``lower < upper`` if strict, ``lower <= upper`` if not."""

    lower: int
    strict: bool
    upper: int

    @property
    def opposite(self) -> Inequality:
        """The negation."""
        return Inequality(self.upper, not self.strict, self.lower)


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirements:
    """The conjunction of inequalities that a claim is equivalent to.

    Attributes:
        points: the points of the claim, ascending.
        reflexive: whether the claim is about one event or point and itself.
        inequalities: the conjuncts.
    """

    points: tuple[int, ...]
    reflexive: bool
    inequalities: tuple[Inequality, ...]

    @property
    def pairs(self) -> Iterator[tuple[int, int]]:
        """The pairs of claimed points; a contradiction between any of them makes the status."""
        choose = combinations_with_replacement if self.reflexive else combinations
        return choose(self.points, 2)


def requirements(item: Item, numbered: NumberedItem) -> Requirements:
    """The requirements of the item's claim."""
    left, right = numbered.claim
    if not isinstance(item.claim, Claim):
        return Requirements(
            points=tuple(sorted({left, right})),
            reflexive=left == right,
            inequalities=_compared(left, item.claim.order, right),
        )
    a, b = 2 * left, 2 * right
    points = tuple(sorted({a, a + 1, b, b + 1}))
    named = item.claim.relation
    if isinstance(named, AllenRelation):
        inequalities = tuple(
            inequality
            for left_bound, order, right_bound in _ALLEN[named]
            for inequality in _compared(a + left_bound, order, b + right_bound)
        )
    elif named is ClaimRelation.BEFORE:
        inequalities = (Inequality(a + 1, False, b),)
    elif named is ClaimRelation.AFTER:
        inequalities = (Inequality(b + 1, False, a),)
    else:
        inequalities = (Inequality(a, True, b + 1), Inequality(b, True, a + 1))
    return Requirements(points=points, reflexive=a == b, inequalities=inequalities)


def _compared(p: int, order: Order, q: int) -> tuple[Inequality, ...]:
    if order is Order.BEFORE:
        return (Inequality(p, True, q),)
    if order is Order.AFTER:
        return (Inequality(q, True, p),)
    return (Inequality(p, False, q), Inequality(q, False, p))


_S, _E = 0, 1  # offset of a start and of an end in the numbering of points
_LT, _GT, _EQ = Order.BEFORE, Order.AFTER, Order.SIMULTANEOUS
_ALLEN: dict[AllenRelation, tuple[tuple[int, Order, int], ...]] = {
    AllenRelation.PRECEDES: ((_E, _LT, _S),),
    AllenRelation.MEETS: ((_E, _EQ, _S),),
    AllenRelation.OVERLAPS: ((_S, _LT, _S), (_E, _GT, _S), (_E, _LT, _E)),
    AllenRelation.FINISHED_BY: ((_S, _LT, _S), (_E, _EQ, _E)),
    AllenRelation.CONTAINS: ((_S, _LT, _S), (_E, _GT, _E)),
    AllenRelation.STARTS: ((_S, _EQ, _S), (_E, _LT, _E)),
    AllenRelation.EQUALS: ((_S, _EQ, _S), (_E, _EQ, _E)),
    AllenRelation.STARTED_BY: ((_S, _EQ, _S), (_E, _GT, _E)),
    AllenRelation.DURING: ((_S, _GT, _S), (_E, _LT, _E)),
    AllenRelation.FINISHES: ((_S, _GT, _S), (_E, _EQ, _E)),
    AllenRelation.OVERLAPPED_BY: ((_S, _GT, _S), (_S, _LT, _E), (_E, _GT, _E)),
    AllenRelation.MET_BY: ((_S, _EQ, _E),),
    AllenRelation.PRECEDED_BY: ((_S, _GT, _E),),
}
