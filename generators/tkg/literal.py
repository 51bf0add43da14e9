"""Algorithms 4-7 as printed: backtrack from existing consequences and add another one each.

Source: synthetic temporal knowledge graphs, Algorithms 4 (lines 22-32), 5, 6 and 7. One deviation:
if both ends of the consequence are the same placeholder, Algorithm 5 lets the second end overwrite
the first; here facts with two different ends are skipped.

Each step depends on the previous one, so this is plain Python.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from generators.tkg.config import Config
from generators.tkg.plan import ABSENT, STEPS, Guard, Instances
from generators.tkg.planting import PlantedGraph

_Fact = tuple[int, int, int, int]
"""Time, head, relation, tail: the sort order of facts."""

_COST = 6
"""Cost of a match relative to the join; the guard on matches is divided by it."""

_Found = tuple[dict[int, int], tuple[_Fact, ...]]
"""Bindings of placeholders, and the antecedents in order."""


class _Graph:
    """Facts by relation, and by relation and either or both ends; each list sorted by time."""

    def __init__(self) -> None:
        self.facts: set[_Fact] = set()
        self._lists: defaultdict[tuple[int, int | None, int | None], list[_Fact]]
        self._lists = defaultdict(list)

    def add(self, fact: _Fact) -> None:
        """Add a fact unless it is present."""
        if fact in self.facts:
            return
        self.facts.add(fact)
        _, head, relation, tail = fact
        for key in ((relation, None, None), (relation, head, None), (relation, None, tail),
                    (relation, head, tail)):  # fmt: skip
            insort(self._lists[key], fact)

    def between(
        self, relation: int, head: int | None, tail: int | None, first: int, last: int
    ) -> list[_Fact]:
        """The facts at times ``first <= time <= last`` (Algorithm 7)."""
        found = self._lists.get((relation, head, tail))
        if not found:
            return []
        return found[bisect_left(found, (first,)) : bisect_right(found, (last + 1,))]


def look_back(start: PlantedGraph, config: Config, random: np.random.Generator) -> Instances:
    """For each time step and pattern, plant its instances and add consequences (Algorithm 4).

    Returns:
        The added instances, without duplicates.

    Raises:
        RunawayError: a guard is exceeded.
    """
    return _Run(start, config, random).instances()


class _Run:
    def __init__(self, start: PlantedGraph, config: Config, random: np.random.Generator) -> None:
        plan = self._plan = start.plan
        self._space = start.space
        self._random = random
        limits = replace(config.guards, matches=max(config.guards.matches // _COST, 1))
        self._guard = Guard(plan, limits)
        self._graph = _Graph()
        self._steps = [
            list(zip(*(row.tolist() for row in rows), strict=True))
            for rows in zip(plan.head, plan.relation, plan.tail, strict=True)
        ]
        self._lags = [
            list(zip(low.tolist(), high.tolist(), strict=True))
            for low, high in zip(plan.low, plan.high, strict=True)
        ]
        self._planted = self._by_cell(start.planted)
        self._known = {
            (pattern, facts) for rows in self._planted.values() for pattern, facts in rows
        }

    def instances(self) -> Instances:
        made: list[tuple[int, tuple[_Fact, ...]]] = []
        hops = self._plan.hops.tolist()
        for time in range(self._space.steps):
            for pattern in range(len(self._plan)):
                for _, facts in self._planted.get((time, pattern), ()):
                    for fact in facts:
                        self._graph.add(fact)
                for bound, antecedents in self._satisfied(pattern, hops[pattern], time):
                    added = self._consequence(pattern, hops[pattern], bound, antecedents[-1][0])
                    if added is None:
                        continue
                    self._graph.add(added)
                    instance = (pattern, (*antecedents, added))
                    if instance not in self._known:
                        self._known.add(instance)
                        made.append(instance)
                        self._guard.count_edge(pattern, len(self._graph.facts))
        return self._columns(made)

    def _satisfied(self, pattern: int, hops: int, time: int) -> list[_Found]:
        """Algorithm 5 with the deviation above; matches are collected before any fact is added."""
        head, relation, tail = self._steps[pattern][hops]
        found: list[_Found] = []
        for _, number, _, other in self._graph.between(relation, None, None, time, time):
            # Distinct placeholders need distinct entities, and equal ones equal entities.
            if (number == other) == (head == tail):
                found += self._backtracked(pattern, hops, time, {head: number, tail: other}, ())
        # The same antecedents may have several consequences at this time.
        unique = {facts: (bound, facts) for bound, facts in found}
        return list(unique.values())

    def _backtracked(
        self, pattern: int, step: int, time: int, bound: dict[int, int], facts: tuple[_Fact, ...]
    ) -> Iterator[_Found]:
        """Algorithm 6: match the antecedents before ``step``, the latest first."""
        if not step:
            yield bound, facts
            return
        head, relation, tail = self._steps[pattern][step - 1]
        low, high = self._lags[pattern][step - 1]
        candidates = self._graph.between(
            relation, bound.get(head), bound.get(tail), time - high, time - low
        )
        self._guard.count_match(pattern, len(candidates))
        for fact in candidates:
            _, number, _, other = fact
            if head == tail and number != other:
                continue
            new = bound | {head: number, tail: other}
            if len(set(new.values())) == len(new):
                yield from self._backtracked(pattern, step - 1, fact[0], new, (fact, *facts))

    def _consequence(
        self, pattern: int, hops: int, bound: dict[int, int], time: int
    ) -> _Fact | None:
        """Algorithm 4, lines 24-28; None if the drawn time is beyond the last time step."""
        low, high = self._lags[pattern][hops - 1]
        drawn = time + low + int(self._random.random() * (high - low + 1))
        if drawn >= self._space.steps:
            return None
        head, relation, tail = self._steps[pattern][hops]
        return drawn, bound[head], relation, bound[tail]

    def _by_cell(
        self, planted: Instances
    ) -> dict[tuple[int, int], list[tuple[int, tuple[_Fact, ...]]]]:
        """Planted instances by first time and pattern."""
        facts = self._space.facts(planted.codes.ravel())
        columns = (facts.time, facts.head, facts.relation, facts.tail)
        cells = list(zip(*(column.tolist() for column in columns), strict=True))
        there = (planted.codes != ABSENT).sum(axis=1).tolist()
        found: dict[tuple[int, int], list[tuple[int, tuple[_Fact, ...]]]] = defaultdict(list)
        for number, pattern in enumerate(planted.pattern.tolist()):
            row = tuple(cells[number * STEPS : number * STEPS + there[number]])
            found[row[0][0], pattern].append((pattern, row))
        return found

    def _columns(self, made: list[tuple[int, tuple[_Fact, ...]]]) -> Instances:
        codes = np.full((len(made), STEPS), ABSENT, dtype=np.int64)
        space = self._space
        for number, (_, facts) in enumerate(made):
            for step, (time, head, relation, tail) in enumerate(facts):
                code = (time * space.entities + head) * space.relations + relation
                codes[number, step] = code * space.entities + tail
        pattern = np.array([pattern for pattern, _ in made], dtype=np.int64)
        return Instances(pattern=pattern, codes=codes)
