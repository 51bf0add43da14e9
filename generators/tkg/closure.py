"""Follows patterns forwards: where antecedents hold, the consequence comes within its lag.

Source: synthetic temporal knowledge graphs, section 4, read as implication; see ``docs/tkg.md``.
Goes in rounds: round n makes the consequences that rest on n - 1 others. None is made where one
lies in the window already, so with lags of one value the result is the least model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generators.tkg.beginning import Beginning
from generators.tkg.config import Config
from generators.tkg.guard import Guard
from generators.tkg.instances import ABSENT, Instances
from generators.tkg.matching import Matches, Search
from generators.tkg.plan import STEPS, Plan
from generators.tkg.space import Space
from solver.tkg.index import pack
from solver.tkg.quadruples import Ids, Quadruples


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Due:
    """Consequences that have to be somewhere in a window of time.

    Attributes:
        pattern: shape (n,).
        codes: of the antecedents, shape (n, STEPS), ABSENT elsewhere.
        triple: relation, head and tail in one number.
        first: time; the window ends at ``last``, which may lie beyond the end of time.
    """

    pattern: Ids
    codes: Ids
    triple: Ids
    first: Ids
    last: Ids

    def __len__(self) -> int:
        return len(self.pattern)

    def take(self, chosen: Ids | NDArray[np.bool_]) -> _Due:
        """Some of the rows."""
        return _Due(
            pattern=self.pattern[chosen],
            codes=self.codes[chosen],
            triple=self.triple[chosen],
            first=self.first[chosen],
            last=self.last[chosen],
        )


def close(begun: Beginning, config: Config, random: np.random.Generator) -> Instances:
    """The instances that follow from those that were planted.

    Raises:
        RunawayError: there are more than the guards allow.
    """
    codes = begun.planted.facts()
    made = [Instances.none()]
    fresh = np.ones(len(codes), dtype=np.bool_)
    rounds = _Rounds(begun.plan, begun.space, random, Guard(begun.plan, config.guards))
    depth = 0
    while fresh.any() and (config.closure.depth is None or depth < config.closure.depth):
        new = rounds.one(codes, fresh)
        made.append(new)
        found = np.setdiff1d(new.facts(), codes, assume_unique=True)
        joined = np.concatenate((codes, found))
        order = np.argsort(joined, kind="stable")
        codes, fresh = joined[order], order >= len(codes)
        depth += 1
    return Instances.joined(*made)


class _Rounds:
    """Makes what follows in one step."""

    def __init__(self, plan: Plan, space: Space, random: np.random.Generator, guard: Guard) -> None:
        self._plan = plan
        self._space = space
        self._random = random
        self._guard = guard

    def one(self, codes: Ids, fresh: NDArray[np.bool_]) -> Instances:
        """The instances whose antecedents are in the graph, one of them at least being new."""
        facts = self._space.facts(codes)
        before = np.sort(self._places(facts))
        # Apart from those that were there, which are many: few are looked at again and again.
        new = np.empty(0, np.int64)
        made = [Instances.none()]
        search = Search(self._plan, facts, fresh, self._space, self._guard)
        for matches in search.matches():
            due = self._due(matches, codes, facts)
            due = due.take(~self._held(due, before))
            due = due.take(~self._held(due, new))
            while len(due):
                due, instances, places = self._emitted(due)
                made.append(instances)
                new = np.sort(np.concatenate((new, places)))
                self._guard.count_edges(instances.pattern, len(before) + len(new))
                due = due.take(~self._held(due, new))
        return Instances.joined(*made)

    def _places(self, facts: Quadruples) -> Ids:
        """Facts as numbers that ascend by triple and then by time."""
        return self._triples(facts) * self._space.steps + facts.time

    def _triples(self, facts: Quadruples) -> Ids:
        sizes = (self._space.relations, self._space.entities, self._space.entities)
        return pack((facts.relation, facts.head, facts.tail), sizes)

    def _due(self, matches: Matches, codes: Ids, facts: Quadruples) -> _Due:
        plan, pattern = self._plan, matches.pattern
        row = np.arange(len(pattern))
        last = plan.hops[pattern] - 1
        time = facts.time[matches.fact[row, last]]
        triple = self._triples(
            Quadruples(
                head=matches.bound[row, plan.head[pattern, last + 1]],
                relation=plan.relation[pattern, last + 1],
                tail=matches.bound[row, plan.tail[pattern, last + 1]],
                time=time,
            )
        )
        antecedent = np.arange(STEPS) <= last[:, None]
        due = _Due(
            pattern=pattern,
            codes=np.where(antecedent, codes[matches.fact], ABSENT),
            triple=triple,
            first=time + plan.low[pattern, last],
            last=time + plan.high[pattern, last],
        )
        return due.take(due.first < self._space.steps)

    def _held(self, due: _Due, present: Ids) -> NDArray[np.bool_]:
        """Whether a consequence lies in the window."""
        begin = due.triple * self._space.steps
        low = np.searchsorted(present, begin + due.first, side="left")
        end = begin + np.minimum(due.last, self._space.steps - 1)
        held: NDArray[np.bool_] = np.searchsorted(present, end, side="right") > low
        return held

    def _emitted(self, due: _Due) -> tuple[_Due, Instances, Ids]:
        """Draw times for consequences whose windows do not touch; the others wait.

        Returns:
            those that wait; the instances that were made; their consequences as places.
        """
        due = due.take(np.lexsort((due.pattern, due.first, due.triple)))
        chosen = _apart(due)
        ready, rest = due.take(chosen), due.take(~chosen)
        width = ready.last - ready.first + 1
        time = ready.first + np.floor(self._random.random(len(ready)) * width).astype(np.int64)
        # A time beyond the end is drawn as any other, and its consequence is not seen.
        seen = time < self._space.steps
        ready, time = ready.take(seen), time[seen]
        places = ready.triple * self._space.steps + time
        codes = ready.codes.copy()
        codes[np.arange(len(ready)), self._plan.hops[ready.pattern]] = self._codes(places)
        return rest, Instances(pattern=ready.pattern, codes=codes), places

    def _codes(self, places: Ids) -> Ids:
        rest, time = np.divmod(places, self._space.steps)
        rest, tail = np.divmod(rest, self._space.entities)
        relation, head = np.divmod(rest, self._space.entities)
        return self._space.codes(Quadruples(head=head, relation=relation, tail=tail, time=time))


def _apart(due: _Due) -> NDArray[np.bool_]:
    """Of sorted windows those that begin behind all earlier ones of their triple."""
    if not len(due):
        return np.zeros(0, dtype=np.bool_)
    group = np.cumsum(np.diff(due.triple, prepend=due.triple[0]) != 0)
    span = int(due.last.max()) + 1
    ends = np.maximum.accumulate(group * span + due.last)
    apart = np.ones(len(due), dtype=np.bool_)
    apart[1:] = (group * span + due.first)[1:] > ends[:-1]
    return apart
