"""Places points from left to right so that links point to the right where possible.

Links are added in turn; one that would close a cycle with the earlier ones is *broken*: it is left
out of the order and drawn as an arrow back in time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from solver.drawing.links import Link, LinkKind
from solver.model import Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Columns of points.

    Attributes:
        places: point -> column, from 0; equal points share a column.
        broken: the links that the order violates.
    """

    places: Mapping[Point, int]
    broken: frozenset[Link]


@dataclass(slots=True, kw_only=True)
class _Order:
    """Points merged into classes, and the strict order between classes so far."""

    group: dict[Point, Point] = field(default_factory=dict)
    later: dict[Point, set[Point]] = field(default_factory=dict)

    def of(self, point: Point) -> Point:
        self.group.setdefault(point, point)
        while self.group[point] != point:
            point = self.group[point]
        self.later.setdefault(point, set())
        return point

    def reaches(self, source: Point, target: Point) -> bool:
        open_, seen = [source], {source}
        while open_:
            here = open_.pop()
            if here == target:
                return True
            fresh = {self.of(point) for point in self.later[here]} - seen
            seen |= fresh
            open_.extend(fresh)
        return False

    def accept(self, link: Link) -> bool:
        source, target = self.of(link.source), self.of(link.target)
        if link.kind is LinkKind.EQUAL:
            return source == target or self._merge(source, target)
        if self.reaches(target, source):
            return False
        self.later[source].add(target)
        return True

    def _merge(self, kept: Point, gone: Point) -> bool:
        if self.reaches(kept, gone) or self.reaches(gone, kept):
            return False
        self.group[gone] = kept
        self.later[kept] |= self.later.pop(gone)
        return True


def place(ordered: Sequence[Link], *, mentioned: Sequence[Link]) -> Placement:
    """Place the points of links.

    Args:
        ordered: the links by priority, the most important first.
        mentioned: links with the same points in reading order, which breaks ties.
    """
    order = _Order()
    broken = frozenset(link for link in ordered if not order.accept(link))
    points = dict.fromkeys(point for link in mentioned for point in (link.source, link.target))
    columns = _columns(order, list(dict.fromkeys(order.of(point) for point in points)))
    return Placement(places={point: columns[order.of(point)] for point in points}, broken=broken)


def _columns(order: _Order, groups: Sequence[Point]) -> dict[Point, int]:
    """Assign each class its own column, in a topological order."""
    waiting: dict[Point, set[Point]] = {group: set() for group in groups}
    for group in groups:
        for later in _roots(order, order.later[group]):
            waiting[later].add(group)
    columns: dict[Point, int] = {}
    while len(columns) < len(groups):
        ready = next(g for g in groups if g not in columns and waiting[g] <= columns.keys())
        columns[ready] = len(columns)
    return columns


def _roots(order: _Order, points: Iterable[Point]) -> set[Point]:
    return {order.of(point) for point in points}
