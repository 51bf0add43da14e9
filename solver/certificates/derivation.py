"""Derivation over points, used only by the certificate checker: breadth-first search on facts."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable

from solver.certificates.meaning import Fact, claimed_points, duration_facts, relation_facts
from solver.model import Item, Point


class Steps:
    """Some relations of a premise as facts, with the duration axioms of their events."""

    def __init__(self, item: Item, relations: Iterable[int]) -> None:
        stated = [fact for index in relations for fact in relation_facts(item.premise[index])]
        points = {point for fact in stated for point in (fact.lower, fact.upper)}
        axioms = duration_facts({point.event for point in points | claimed_points(item)})
        self.facts = stated + axioms
        self._leaving: dict[Point, list[tuple[Fact, int]]] = {}
        for facts, cost in ((stated, 1), (axioms, 0)):
            for fact in facts:
                self._leaving.setdefault(fact.lower, []).append((fact, cost))

    def derive(self, goal: Fact) -> bool:
        """Whether a walk derives the goal."""
        return self.distance(goal) < math.inf

    def distance(self, goal: Fact) -> float:
        """Fewest premise relations on a walk that derives the goal; infinite if there is none."""
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
        """Whether the facts are satisfiable: no closed walk has a strict step."""
        place = self._representatives()
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

    def _representatives(self) -> dict[Point, Point]:
        """For each point, the representative of its class of simultaneous points."""
        equal: dict[Point, list[Point]] = {}
        for fact in self.facts:
            for point in (fact.lower, fact.upper):
                equal.setdefault(point, [])
            if not fact.strict:
                equal[fact.lower].append(fact.upper)
        place: dict[Point, Point] = {}
        for first in equal:
            fresh = [] if first in place else [first]
            while fresh:
                point = fresh.pop()
                if point not in place:
                    place[point] = first
                    fresh += equal[point]
        return place
