"""Numbers for the points of an item, so that engines can work on integers.

Event ``e`` (numbered by first mention, the premise before the claim) has the points ``2 * e``
(start) and ``2 * e + 1`` (end).
"""

from __future__ import annotations

from dataclasses import dataclass

from solver.model import Bound, Claim, Item, Order, Point


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedItem:
    """An item with integers for points.

    Attributes:
        events: names, in the order of first mention.
        relations: (left point, order, right point) for each relation of the premise.
        claim: the two events of the claim as numbers; for a claim about points, the two points.
    """

    events: tuple[str, ...]
    relations: tuple[tuple[int, Order, int], ...]
    claim: tuple[int, int]

    def point(self, number: int) -> Point:
        """The point that has this number."""
        return Point(event=self.events[number >> 1], bound=_BOUNDS[number & 1])


_BOUNDS = (Bound.START, Bound.END)


def number(item: Item) -> NumberedItem:
    """Number the points of an item."""
    numbers: dict[str, int] = {}

    def event(name: str) -> int:
        return numbers.setdefault(name, len(numbers))

    def point(named: Point) -> int:
        return 2 * event(named.event) + (named.bound is Bound.END)

    relations = tuple((point(r.left), r.order, point(r.right)) for r in item.premise)
    claim = item.claim
    if isinstance(claim, Claim):
        sides = (event(claim.left), event(claim.right))
    else:
        sides = (point(claim.left), point(claim.right))
    return NumberedItem(events=tuple(numbers), relations=relations, claim=sides)
