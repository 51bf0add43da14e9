"""What has to hold for a claim, over numbered points: the graph engine's own reading of claims.

Written beside ``encodings/temporal/claims.lp`` so that the two can disagree.
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
        """What holds exactly if this does not."""
        return Inequality(self.upper, not self.strict, self.lower)


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """The inequalities that make a claim hold, all of them together.

    Attributes:
        points: the points that the claim speaks of, ascending.
        reflexive: whether the claim sets its points beside themselves (an event about itself).
        inequalities: what has to hold.
    """

    points: tuple[int, ...]
    reflexive: bool
    inequalities: tuple[Inequality, ...]

    @property
    def pairs(self) -> Iterator[tuple[int, int]]:
        """The pairs of points that must not contradict each other."""
        choose = combinations_with_replacement if self.reflexive else combinations
        return choose(self.points, 2)


def needed(item: Item, numbered: NumberedItem) -> Needs:
    """What the item's claim needs, over numbered points."""
    left, right = numbered.claim
    if not isinstance(item.claim, Claim):
        return Needs(
            points=tuple(sorted({left, right})),
            reflexive=left == right,
            inequalities=_compared(left, item.claim.order, right),
        )
    a, b = 2 * left, 2 * right
    points = tuple(sorted({a, a + 1, b, b + 1}))
    named = item.claim.relation
    if isinstance(named, AllenRelation):
        inequalities = tuple(
            need
            for left_bound, order, right_bound in _ALLEN[named]
            for need in _compared(a + left_bound, order, b + right_bound)
        )
    elif named is ClaimRelation.BEFORE:
        inequalities = (Inequality(a + 1, False, b),)
    elif named is ClaimRelation.AFTER:
        inequalities = (Inequality(b + 1, False, a),)
    else:
        inequalities = (Inequality(a, True, b + 1), Inequality(b, True, a + 1))
    return Needs(points=points, reflexive=a == b, inequalities=inequalities)


def _compared(p: int, order: Order, q: int) -> tuple[Inequality, ...]:
    if order is Order.BEFORE:
        return (Inequality(p, True, q),)
    if order is Order.AFTER:
        return (Inequality(q, True, p),)
    return (Inequality(p, False, q), Inequality(q, False, p))


_S, _E = 0, 1  # the bound of a point, as its number has it
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
