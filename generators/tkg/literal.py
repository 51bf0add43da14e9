"""Algorithms 4-7 as printed: looks back from consequences that are there, and adds another each.

Source: synthetic temporal knowledge graphs, Algorithms 4 (lines 22-32), 5, 6 and 7. One thing is
repaired: where both ends of the consequence are one placeholder, Algorithm 5 lets the second end
overwrite the first; here a fact with two different ends is passed over.

Each step depends on the one before, fact by fact, so this goes in plain Python.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from generators.tkg.beginning import Beginning
from generators.tkg.config import Config
from generators.tkg.guard import Guard
from generators.tkg.instances import ABSENT, Instances
from generators.tkg.plan import STEPS

_Fact = tuple[int, int, int, int]
"""Time, head, relation, tail: as facts are sorted."""

_COST = 6
"""How much longer a match takes than in a join; the guard is as much narrower."""

_Found = tuple[dict[int, int], tuple[_Fact, ...]]
"""What a match binds placeholders to, and its antecedents in order."""


class _Graph:
    """Facts by relation, and by relation and either or both ends; each list sorted by time."""

    def __init__(self) -> None:
        self.facts: set[_Fact] = set()
        self._lists: defaultdict[tuple[int, int | None, int | None], list[_Fact]]
        self._lists = defaultdict(list)

    def add(self, fact: _Fact) -> None:
        """Add a fact if it is not there yet."""
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


def look_back(begun: Beginning, config: Config, random: np.random.Generator) -> Instances:
    """Go through time and patterns, plant what is to be planted, and add what Algorithm 4 adds.

    Returns:
        The instances that were added; one that is there already is not told again.

    Raises:
        RunawayError: there are more facts or matches than the guards allow.
    """
    return _Run(begun, config, random).instances()


class _Run:
    def __init__(self, begun: Beginning, config: Config, random: np.random.Generator) -> None:
        plan = self._plan = begun.plan
        self._space = begun.space
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
        self._planted = self._by_cell(begun.planted)
        self._told = {
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
                    if instance not in self._told:
                        self._told.add(instance)
                        made.append(instance)
                        self._guard.count_edge(pattern, len(self._graph.facts))
        return self._columns(made)

    def _satisfied(self, pattern: int, hops: int, time: int) -> list[_Found]:
        """Algorithm 5, with its repair: before anything is added, and each match once."""
        head, relation, tail = self._steps[pattern][hops]
        found: list[_Found] = []
        for _, one, _, other in self._graph.between(relation, None, None, time, time):
            # Two placeholders have to be two entities, and one placeholder one entity.
            if (one == other) == (head == tail):
                found += self._backtracked(pattern, hops, time, {head: one, tail: other}, ())
        # The same antecedents may stand before several consequences of this time.
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
            _, one, _, other = fact
            if head == tail and one != other:
                continue
            new = bound | {head: one, tail: other}
            if len(set(new.values())) == len(new):
                yield from self._backtracked(pattern, step - 1, fact[0], new, (fact, *facts))

    def _consequence(
        self, pattern: int, hops: int, bound: dict[int, int], time: int
    ) -> _Fact | None:
        """Algorithm 4, lines 24-28; None if the time drawn is behind the last one."""
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
