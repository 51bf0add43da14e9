"""Derivation over points for the replay of certificates alone: plain walks over facts."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable

from solver.certificates.meaning import Fact, claimed_points, lasting, said
from solver.model import Item, Point


class Steps:
    """What some relations of a premise say, with the duration axioms of the events they name."""

    def __init__(self, item: Item, relations: Iterable[int]) -> None:
        told = [fact for index in relations for fact in said(item.premise[index])]
        points = {point for fact in told for point in (fact.lower, fact.upper)}
        axioms = lasting({point.event for point in points | claimed_points(item)})
        self.facts = told + axioms
        self._leaving: dict[Point, list[tuple[Fact, int]]] = {}
        for facts, cost in ((told, 1), (axioms, 0)):
            for fact in facts:
                self._leaving.setdefault(fact.lower, []).append((fact, cost))

    def derive(self, goal: Fact) -> bool:
        """Whether a walk shows the goal."""
        return self.distance(goal) < math.inf

    def distance(self, goal: Fact) -> float:
        """Fewest premise relations on a walk that shows the goal; infinite if none does."""
        queue = deque([(goal.lower, False, 0)])
        settled: set[tuple[Point, bool]] = set()
        while queue:
            point, strict, cost = queue.popleft()
            if (point, strict) in settled:
                continue
            settled.add((point, strict))
            if point == goal.upper and (strict or not goal.strict):
                return cost
            for fact, price in self._leaving.get(point, ()):
                then = (fact.upper, strict or fact.strict, cost + price)
                if price:
                    queue.append(then)
                else:
                    queue.appendleft(then)
        return math.inf

    def consistent(self) -> bool:
        """Whether the points can be put on a line: no strict walk leads back to its start."""
        place = self._places()
        waits = dict.fromkeys(place.values(), 0)
        follows: dict[Point, list[Point]] = {}
        for fact in self.facts:
            if fact.strict:
                waits[place[fact.upper]] += 1
                follows.setdefault(place[fact.lower], []).append(place[fact.upper])
        ready = [point for point, count in waits.items() if not count]
        placed = 0
        while ready:
            placed += 1
            for point in follows.get(ready.pop(), ()):
                waits[point] -= 1
                if not waits[point]:
                    ready.append(point)
        return placed == len(waits)

    def _places(self) -> dict[Point, Point]:
        """For each point, the one that stands for all points simultaneous with it."""
        beside: dict[Point, list[Point]] = {}
        for fact in self.facts:
            for point in (fact.lower, fact.upper):
                beside.setdefault(point, [])
            if not fact.strict:
                beside[fact.lower].append(fact.upper)
        place: dict[Point, Point] = {}
        for first in beside:
            fresh = [] if first in place else [first]
            while fresh:
                point = fresh.pop()
                if point not in place:
                    place[point] = first
                    fresh += beside[point]
        return place
