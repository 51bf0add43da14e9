"""An item under construction: a graph over integers.

Event ``e`` has the points ``2 * e`` (start) and ``2 * e + 1`` (end); the claim relates the events
``LEFT`` and ``RIGHT``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

LEFT, RIGHT = 0, 1
CLAIMED = range(4)
"""The points of the claim's events."""
FAR = 1_000
"""Distance between unconnected points."""


class MisfitError(Exception):
    """A draw that does not yield the requested item; the caller draws again."""


class Edge(NamedTuple):
    """A premise relation: ``earlier < later``, or ``earlier = later`` if not strict."""

    earlier: int
    later: int
    strict: bool


@dataclass(slots=True, kw_only=True)
class Guard:
    """A distance that later relations must not shorten.

    Attributes:
        source, target: points; the shortest chain between them has ``hops`` relations; ``FAR`` if
            there is none.
        after, until: distances from the source and to the target, by point.
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
    """The relations of an item so far.

    Attributes:
        events: number of events, including the claim's two.
        pairs: related pairs of points, the smaller first.
        named: events that occur in a relation.
        guards: distances that further relations must preserve.
        walks: for each chain that a cycle can be planted on, its points, two per relation.
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
        """Add an event."""
        self.events += 1
        return self.events - 1

    def add(self, earlier: int, later: int, strict: bool) -> None:
        """Add a relation."""
        self.edges.append(Edge(earlier, later, strict))
        self.pairs.add((earlier, later) if earlier < later else (later, earlier))
        self.named.add(earlier >> 1)
        self.named.add(later >> 1)
