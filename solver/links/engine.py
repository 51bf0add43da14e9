"""The ``graph`` engine: strongly connected components of the steps between end points.

It shares no table and no numbering with ``encodings/links``, so that each can expose errors of the
other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from grammar.eventhop.model import Bound, Point
from grammar.links.model import (
    Document,
    During,
    Interpretation,
    Link,
    Reading,
    RelationType,
    Step,
    dated_order,
)

_SYMBOLS = {"<=": (False, False), "<": (False, True), "<<": (True, True)}
"""Whether a comparison is strict under the readings lenient and allen."""

_LEFT_TO_RIGHT = {
    RelationType.BEFORE: "A+ < B-",
    RelationType.IBEFORE: "A+ <= B-, B- <= A+",
    RelationType.INCLUDES: "A- < B-, B+ < A+",
    RelationType.SIMULTANEOUS: "A- <= B-, B- <= A-, A+ <= B+, B+ <= A+",
    RelationType.BEGINS: "A- <= B-, B- <= A-, A+ << B+",
    RelationType.ENDS: "A+ <= B+, B+ <= A+, B- << A-",
    RelationType.OVERLAP: "A- << B+, B- << A+",
    RelationType.STARTS_BEFORE: "A- << B-",
    RelationType.STARTS_EQUAL: "A- <= B-, B- <= A-",
    RelationType.VAGUE: "",
}
_RIGHT_TO_LEFT = {
    RelationType.AFTER: RelationType.BEFORE,
    RelationType.IAFTER: RelationType.IBEFORE,
    RelationType.IS_INCLUDED: RelationType.INCLUDES,
    RelationType.BEGUN_BY: RelationType.BEGINS,
    RelationType.ENDED_BY: RelationType.ENDS,
    RelationType.STARTS_AFTER: RelationType.STARTS_BEFORE,
    RelationType.DURING: RelationType.INCLUDES,
}
_AS = {
    RelationType.IDENTITY: RelationType.SIMULTANEOUS,
    RelationType.DURING_INV: RelationType.INCLUDES,
}

Arc = tuple[int, int, bool]
"""From a point to a later one, or to one that is no earlier (False)."""


def _parsed(text: str, *, swapped: bool, reading: Reading) -> tuple[Arc, ...]:
    """Comparisons over the points 0 (left start) to 3 (right end)."""
    points = {"A-": 0, "A+": 1, "B-": 2, "B+": 3}
    arcs = []
    for comparison in filter(None, text.split(", ")):
        left, symbol, right = comparison.split()
        p, q = points[left], points[right]
        strict = _SYMBOLS[symbol][reading is Reading.ALLEN]
        arcs.append(((p + 2) % 4, (q + 2) % 4, strict) if swapped else (p, q, strict))
    return tuple(arcs)


@cache
def comparisons(interpretation: Interpretation) -> dict[RelationType, tuple[Arc, ...]]:
    """What each relation means, over the points 0 (left start) to 3 (right end)."""
    table = {}
    for relation in RelationType:
        swapped, meaning = (
            relation in _RIGHT_TO_LEFT,
            _RIGHT_TO_LEFT.get(relation, _AS.get(relation, relation)),
        )
        simultaneous = interpretation.during is During.SIMULTANEOUS
        if simultaneous and relation in (RelationType.DURING, RelationType.DURING_INV):
            swapped, meaning = False, RelationType.SIMULTANEOUS
        text = _LEFT_TO_RIGHT[meaning]
        table[relation] = _parsed(text, swapped=swapped, reading=interpretation.reading)
    return table


class Edge(NamedTuple):
    """A step between numbered points; ``link`` is -1 for durations and dates."""

    source: int
    target: int
    strict: bool
    link: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Whether a document is consistent, with a timeline or a cycle that shows it.

    Attributes:
        timeline: start and end of each node, with the fewest distinct instants; empty if there is
            none.
        cycle: steps from a point to itself, one of them strict; empty if there is none.
    """

    consistent: bool
    timeline: Mapping[str, tuple[int, int]]
    cycle: tuple[Step, ...]

    @property
    def links(self) -> tuple[int, ...]:
        """Indices of the links on the cycle, ascending."""
        return tuple(sorted({step.relation for step in self.cycle if step.relation is not None}))


class Network:
    """The steps between the end points of a document: 2n is the start of node n, 2n+1 its end."""

    def __init__(
        self,
        document: Document,
        interpretation: Interpretation,
        links: Sequence[Link] | None = None,
    ) -> None:
        self.names = tuple(document.nodes)
        self._number = {name: n for n, name in enumerate(self.names)}
        self.size = 2 * len(self.names)
        self.links = document.links if links is None else tuple(links)
        self._table = comparisons(interpretation)
        self.edges: list[Edge] = [Edge(p, p + 1, True, -1) for p in range(0, self.size, 2)]
        if interpretation.dates:
            self.edges += (
                Edge(self._point(left), self._point(right), strict, -1)
                for left, strict, right in dated_order(document)
            )
        for n, link in enumerate(self.links):
            self.edges += (Edge(p, q, strict, n) for p, q, strict in self.demands(link))

    def _point(self, point: Point) -> int:
        return 2 * self._number[point.event] + (point.bound is Bound.END)

    def demands(self, link: Link) -> Iterator[Arc]:
        """What a link demands of the numbered points."""
        return self.demanded(link.relation, link.left, link.right)

    def demanded(self, relation: RelationType, left: str, right: str) -> Iterator[Arc]:
        """What a relation between two nodes demands of the numbered points."""
        number, other = 2 * self._number[left], 2 * self._number[right]
        points = (number, number + 1, other, other + 1)
        return ((points[p], points[q], strict) for p, q, strict in self._table[relation])

    def decide(self, removed: AbstractSet[int] = frozenset()) -> Decision:
        """Decide the links without some of them."""
        edges = [edge for edge in self.edges if edge.link not in removed]
        component = components(self.size, edges)
        torn = [
            edge
            for edge in edges
            if edge.strict and component[edge.source] == component[edge.target]
        ]
        if not torn:
            instants = self._instants(edges, component)
            timeline = {
                name: (instants[2 * n], instants[2 * n + 1]) for n, name in enumerate(self.names)
            }
            return Decision(consistent=True, timeline=timeline, cycle=())
        walk = shortest_cycle(self.size, edges, component, torn)
        walk = self._minimal(walk)
        return Decision(consistent=False, timeline={}, cycle=tuple(map(self._step, walk)))

    def _minimal(self, walk: list[Edge]) -> list[Edge]:
        """A cycle over links of which none can be left out."""
        links = sorted({edge.link for edge in walk if edge.link >= 0})
        fixed = [edge for edge in self.edges if edge.link < 0]
        own: dict[int, list[Edge]] = {n: [] for n in links}
        for edge in self.edges:
            if edge.link in own:
                own[edge.link].append(edge)

        def cycle(kept: Iterable[int]) -> list[Edge] | None:
            edges = fixed + [edge for n in kept for edge in own[n]]
            found = components(self.size, edges)
            torn = [e for e in edges if e.strict and found[e.source] == found[e.target]]
            return shortest_cycle(self.size, edges, found, torn) if torn else None

        for link in links:
            if link in own and len(own) > 1:
                shorter = cycle(n for n in own if n != link)
                if shorter is not None:
                    walk = shorter
                    kept = {edge.link for edge in walk}
                    own = {n: edges for n, edges in own.items() if n in kept}
        return walk

    def _step(self, edge: Edge) -> Step:
        return Step(
            source=self.point(edge.source),
            target=self.point(edge.target),
            strict=edge.strict,
            relation=None if edge.link < 0 else edge.link,
        )

    def point(self, number: int) -> Point:
        """The point of a number."""
        bound = Bound.END if number & 1 else Bound.START
        return Point(event=self.names[number >> 1], bound=bound)

    def _instants(self, edges: Sequence[Edge], component: Sequence[int]) -> list[int]:
        """The earliest instant of each point: the most strict steps on a way to it."""
        # Components are numbered against the order of the steps.
        ways: list[list[tuple[int, bool]]] = [[] for _ in range(max(component, default=-1) + 1)]
        for edge in edges:
            p, q = component[edge.source], component[edge.target]
            if p != q:
                ways[p].append((q, edge.strict))
        instants = [0] * len(ways)
        for p in range(len(ways) - 1, -1, -1):
            for q, strict in ways[p]:
                instants[q] = max(instants[q], instants[p] + strict)
        return [instants[c] for c in component]

    def conflicts(self, removed: AbstractSet[int]) -> set[frozenset[int]]:
        """Contradictory sets of links without some links: a short one for each strict step."""
        edges = [edge for edge in self.edges if edge.link not in removed]
        component = components(self.size, edges)
        inside = [edge for edge in edges if component[edge.source] == component[edge.target]]
        ways: list[list[Edge]] = [[] for _ in range(self.size)]
        for edge in inside:
            ways[edge.source].append(edge)
        found = set()
        for inside_edge in inside:
            if inside_edge.strict:
                back, _ = _way(ways, inside_edge.target, inside_edge.source, self.size)
                walk = [inside_edge, *(back or ())]
                found.add(frozenset(edge.link for edge in walk if edge.link >= 0))
        return found

    def cores(self, limit: int) -> Iterator[tuple[int, ...]]:
        """Minimal sets of links that contradict each other, all if fewer than ``limit``.

        Source: Reiter 1987, hitting-set tree: each core, without each of its links in turn.
        """
        found: dict[tuple[int, ...], None] = {}
        seen: set[frozenset[int]] = {frozenset()}
        waiting = deque(seen)
        while waiting and len(found) < limit:
            removed = waiting.popleft()
            core = next((numbers for numbers in found if removed.isdisjoint(numbers)), None)
            if core is None:
                decision = self.decide(removed)
                if decision.consistent:
                    continue
                core = decision.links
                found[core] = None
                yield core
            for link in core:
                more = removed | {link}
                if more not in seen:
                    seen.add(more)
                    waiting.append(more)


def components(size: int, edges: Iterable[Edge]) -> list[int]:
    """The strongly connected component of each point, numbered against the order of the steps.

    Source: Tarjan 1972, without recursion.
    """
    ways: list[list[int]] = [[] for _ in range(size)]
    for edge in edges:
        ways[edge.source].append(edge.target)
    low = [0] * size
    component = [-1] * size
    stack: list[int] = []
    begun = closed = 0
    for root in range(size):
        if low[root]:
            continue
        begun += 1
        order = {root: begun}
        low[root] = begun
        stack.append(root)
        work = [(root, iter(ways[root]))]
        while work:
            point, targets = work[-1]
            for target in targets:
                if not low[target]:
                    begun += 1
                    low[target] = order[target] = begun
                    stack.append(target)
                    work.append((target, iter(ways[target])))
                    break
                if component[target] < 0:
                    low[point] = min(low[point], low[target])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[point])
                if low[point] == order[point]:
                    while True:
                        member = stack.pop()
                        component[member] = closed
                        if member == point:
                            break
                    closed += 1
    return component


_EFFORT = 2_000_000
"""Steps followed in search of the shortest cycle; then the shortest found so far is taken."""


def shortest_cycle(
    size: int, edges: Iterable[Edge], component: Sequence[int], torn: Sequence[Edge]
) -> list[Edge]:
    """A cycle through a strict step with the fewest steps of links, among those searched."""
    ways: list[list[Edge]] = [[] for _ in range(size)]
    for edge in edges:
        if component[edge.source] == component[edge.target]:
            ways[edge.source].append(edge)
    best: list[Edge] = []
    least = size + len(torn) + 1
    effort = 0
    for first in torn:
        own = first.link >= 0
        back, tried = _way(ways, first.target, first.source, least - own - 1)
        effort += tried
        if back is not None:
            best = [first, *back]
            least = sum(edge.link >= 0 for edge in best)
        if effort > _EFFORT and best:
            break
    return best


def _way(
    ways: Sequence[Sequence[Edge]], source: int, target: int, most: int
) -> tuple[list[Edge] | None, int]:
    """A way with the fewest steps of links, of at most so many; and the number of steps tried."""
    distance = {source: 0}
    by: dict[int, Edge] = {}
    waiting = deque([source])
    tried = 0
    while waiting:
        point = waiting.popleft()
        if point == target:
            way: list[Edge] = []
            while target != source:
                way.append(by[target])
                target = by[target].source
            return way[::-1], tried
        for edge in ways[point]:
            tried += 1
            length = distance[point] + (edge.link >= 0)
            if length <= most and length < distance.get(edge.target, most + 1):
                distance[edge.target] = length
                by[edge.target] = edge
                if edge.link >= 0:
                    waiting.append(edge.target)
                else:
                    waiting.appendleft(edge.target)
    return None, tried
