"""The ``graph`` engine: reachability in the premise graph.

Implements the logic of ``encodings/temporal/`` a second time by other means, as a cross-check:
descendants as bit sets, and a topological sort of the classes of simultaneous points, or strongly
connected components if there are weak orders.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

from grammar.eventhop.lexicon import AnyRelation
from grammar.eventhop.model import (
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Item,
    Order,
    Point,
    Policy,
    Status,
    Verdict,
)
from solver.eventhop.engines import EngineName, verdict


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


NUMBERED_KEPT = 1024
"""Maximum number of items whose numbering is kept."""

# By identity, because the hash of an item costs as much as its numbering.
_kept: OrderedDict[int, tuple[Item, NumberedItem]] = OrderedDict()


def number(item: Item) -> NumberedItem:
    """Number the points of an item; what decides an item and what certifies it share this."""
    kept = _kept.get(id(item))
    if kept is not None and kept[0] is item:
        return kept[1]
    if len(_kept) >= NUMBERED_KEPT:
        _kept.popitem(last=False)
    numbered = _numbered(item)
    _kept[id(item)] = item, numbered
    return numbered


def _numbered(item: Item) -> NumberedItem:
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
    claim = item.claim
    return _requirements(
        claim.relation if isinstance(claim, Claim) else claim.order, *numbered.claim
    )


# The orders of points and the relations of events share their words.
@lru_cache(maxsize=4096, typed=True)
def _requirements(named: AnyRelation, left: int, right: int) -> Requirements:
    if isinstance(named, Order):
        return Requirements(
            points=tuple(sorted({left, right})),
            reflexive=left == right,
            inequalities=_compared(left, named, right),
        )
    a, b = 2 * left, 2 * right
    points = tuple(sorted({a, a + 1, b, b + 1}))
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
    if order is Order.NOT_AFTER:
        return (Inequality(p, False, q),)
    if order is Order.NOT_BEFORE:
        return (Inequality(q, False, p),)
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


class ClosureEngine:
    """Decides by reachability in the premise graph."""

    name = EngineName.GRAPH

    def __init__(self, *, policy: Policy = Policy.LOCAL) -> None:
        self._policy = policy

    def decide(self, items: Sequence[Item]) -> list[Verdict]:
        """One verdict per item, in order."""
        return [self._decide(item) for item in items]

    def _decide(self, item: Item) -> Verdict:
        numbered = number(item)
        graph = PremiseGraph.of(numbered)
        required = requirements(item, numbered)
        after = {p: graph.descendants(p) for p in required.points}
        contradictory = any(
            after[p].strict >> q & 1 and after[q].strict >> p & 1 for p, q in required.pairs
        )
        if contradictory:
            status, consistent = Status.CONTRADICTORY, False
        else:
            consistent = graph.acyclic()
            status = Status.UNKNOWN
            if all(after[p].beyond(strict) >> q & 1 for p, strict, q in required.inequalities):
                status = Status.ENTAILED
            elif any(
                after[q].beyond(not strict) >> p & 1 for p, strict, q in required.inequalities
            ):
                status = Status.REFUTED
        return verdict(status, consistent=consistent, policy=self._policy)


@dataclass(frozen=True, slots=True, kw_only=True)
class Descendants:
    """Points reachable from a point, as bit sets: by any walk, and by a strict walk."""

    any: int
    strict: int

    def beyond(self, strict: bool) -> int:
        """The points reached with ``<`` (strict) or ``<=``."""
        return self.strict if strict else self.any


@dataclass(frozen=True, slots=True, kw_only=True)
class PremiseGraph:
    """Steps between numbered points; point ``p`` is bit ``p`` of the integers in the lists.

    Attributes:
        strict: successors of each point by a strict step, as bit sets.
        loose: successors of each point by a loose step, as bit sets.
        weak: whether a loose step may lead only one way.
    """

    strict: list[int]
    loose: list[int]
    weak: bool = False

    @classmethod
    def of(cls, item: NumberedItem) -> PremiseGraph:
        """The graph of a premise with the duration axioms of its events."""
        size = 2 * len(item.events)
        strict = [1 << (p + 1) if not p & 1 else 0 for p in range(size)]
        loose = [0] * size
        weak = False
        for p, order, q in item.relations:
            if order is Order.BEFORE:
                strict[p] |= 1 << q
            elif order is Order.AFTER:
                strict[q] |= 1 << p
            elif order is Order.SIMULTANEOUS:
                loose[p] |= 1 << q
                loose[q] |= 1 << p
            else:
                weak = True
                earlier, later = (p, q) if order is Order.NOT_AFTER else (q, p)
                loose[earlier] |= 1 << later
        return cls(strict=strict, loose=loose, weak=weak)

    def descendants(self, point: int) -> Descendants:
        """All points reachable from a point, itself included as ``<=``."""
        reached, reached_strictly = 1 << point, 0
        fresh, fresh_strictly = reached, 0
        while fresh or fresh_strictly:
            both = fresh | fresh_strictly
            bit = both & -both
            index = bit.bit_length() - 1
            arrives = self.loose[index]
            arrives_strictly = self.strict[index]
            if fresh_strictly & bit:
                arrives_strictly |= arrives
            fresh &= ~bit
            fresh_strictly &= ~bit
            arrives &= ~reached
            arrives_strictly &= ~reached_strictly
            reached |= arrives | arrives_strictly
            reached_strictly |= arrives_strictly
            fresh |= arrives
            fresh_strictly |= arrives_strictly
        return Descendants(any=reached, strict=reached_strictly)

    def acyclic(self) -> bool:
        """Whether the premise is consistent: no closed walk has a strict step."""
        if self.weak:
            return self._apart()
        place = self._representatives()
        waits = [0] * len(place)
        follows: list[list[int]] = [[] for _ in place]
        for p, targets in enumerate(self.strict):
            while targets:
                bit = targets & -targets
                targets ^= bit
                q = place[bit.bit_length() - 1]
                follows[place[p]].append(q)
                waits[q] += 1
        ready = [p for p, first in enumerate(place) if p == first and not waits[p]]
        placed = 0
        while ready:
            placed += 1
            for q in follows[ready.pop()]:
                waits[q] -= 1
                if not waits[q]:
                    ready.append(q)
        return placed == sum(p == first for p, first in enumerate(place))

    def _apart(self) -> bool:
        """Whether no strict step joins two points with walks both ways."""
        import networkx as nx

        steps = nx.DiGraph()
        for sets in (self.strict, self.loose):
            steps.add_edges_from((p, q) for p, targets in enumerate(sets) for q in _bits(targets))
        classes = enumerate(nx.strongly_connected_components(steps))
        place = {p: number for number, points in classes for p in points}
        return all(
            place[p] != place[q] for p, targets in enumerate(self.strict) for q in _bits(targets)
        )

    def _representatives(self) -> list[int]:
        """For each point, the representative of its class of simultaneous points."""
        place = list(range(len(self.loose)))
        done = 0
        for p, neighbours in enumerate(self.loose):
            if not neighbours or done >> p & 1:
                continue
            group = fresh = neighbours | 1 << p
            while fresh:
                bit = fresh & -fresh
                index = bit.bit_length() - 1
                place[index] = p
                fresh = (fresh ^ bit) | self.loose[index] & ~group
                group |= self.loose[index]
            done |= group
        return place


def _bits(points: int) -> Iterator[int]:
    """The points of a bit set, ascending."""
    while points:
        bit = points & -points
        points ^= bit
        yield bit.bit_length() - 1
