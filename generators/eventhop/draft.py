"""An item while it is built: a graph over integers.

Event ``e`` has the points ``2 * e`` (start) and ``2 * e + 1`` (end); the claim speaks of the events
``LEFT`` and ``RIGHT``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

LEFT, RIGHT = 0, 1
CLAIMED = range(4)
"""The points of these two."""
FAR = 1_000
"""A distance that no chain has: there is none."""


class MisfitError(Exception):
    """A bag, or the luck of the draw, does not give the item that is wanted: draw again."""


class Edge(NamedTuple):
    """A premise relation: ``earlier < later``, or ``earlier = later`` if not strict."""

    earlier: int
    later: int
    strict: bool


@dataclass(slots=True, kw_only=True)
class Guard:
    """A distance that has to stay as it is.

    Attributes:
        source, target: points; the shortest chain between them has ``hops`` relations, or there
            is none if that is ``FAR``.
        after, until: distances from the source and to the target, by point; set by ``measure``.
    """

    source: int
    target: int
    hops: int
    after: list[int] = field(default_factory=list)
    until: list[int] = field(default_factory=list)

    def spoiled_by(self, earlier: int, later: int) -> bool:
        """Whether a step between two points would make the chain shorter."""
        return self.after[earlier] + 1 + self.until[later] < self.hops


@dataclass(slots=True, kw_only=True)
class Draft:
    """Relations placed so far.

    Attributes:
        events: how many events there are, the claim's two included.
        pairs: pairs of points that are ordered already, the smaller first.
        named: events that some relation names.
        guards: what further relations must not change.
        walks: for each chain that leaves room for a cycle, its points from first to last, two
            for each relation.
        cyclic: whether there is a cycle away from the claim.
    """

    events: int = 2
    edges: list[Edge] = field(default_factory=list)
    pairs: set[tuple[int, int]] = field(default_factory=set)
    named: set[int] = field(default_factory=set)
    guards: list[Guard] = field(default_factory=list)
    walks: list[list[int]] = field(default_factory=list)
    cyclic: bool = False

    def fresh(self) -> int:
        """A new event."""
        self.events += 1
        return self.events - 1

    def add(self, earlier: int, later: int, strict: bool) -> None:
        """Place a relation."""
        self.edges.append(Edge(earlier, later, strict))
        self.pairs.add((earlier, later) if earlier < later else (later, earlier))
        self.named.add(earlier >> 1)
        self.named.add(later >> 1)
