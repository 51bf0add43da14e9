"""Numbers the points of an item, so that engines can work on integers.

Events are numbered by first mention, premise before claim. Event ``e`` has the points ``2 * e``
(start) and ``2 * e + 1`` (end).
"""

from __future__ import annotations

from dataclasses import dataclass

from grammar.eventhop.model import Bound, Claim, Item, Order, Point


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedItem:
    """An item with integers for points.

    Attributes:
        events: names, in the order of first mention.
        relations: (left point, order, right point) for each relation of the premise.
        claim: the numbers of the claim's two events, or of its two points.
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
    relations = []
    # Inlined: a call for each point would double the time of the graph engine.
    for relation in item.premise:
        left, right = relation.left, relation.right
        p = 2 * numbers.setdefault(left.event, len(numbers)) + (left.bound is Bound.END)
        q = 2 * numbers.setdefault(right.event, len(numbers)) + (right.bound is Bound.END)
        relations.append((p, relation.order, q))
    claim = item.claim
    if isinstance(claim, Claim):
        left_event = numbers.setdefault(claim.left, len(numbers))
        sides = (left_event, numbers.setdefault(claim.right, len(numbers)))
    else:
        p = 2 * numbers.setdefault(claim.left.event, len(numbers))
        q = 2 * numbers.setdefault(claim.right.event, len(numbers))
        sides = (p + (claim.left.bound is Bound.END), q + (claim.right.bound is Bound.END))
    return NumberedItem(events=tuple(numbers), relations=tuple(relations), claim=sides)
