"""Generates a graph in memory: planted instances and their consequences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generators.tkg.config import Config, Mode
from generators.tkg.literal import look_back
from generators.tkg.matching import Matches, Search
from generators.tkg.plan import (
    ABSENT,
    STEPS,
    Guard,
    Instances,
    LabelledGraph,
    Plan,
    Space,
    label_graph,
)
from generators.tkg.planting import PlantedGraph, plant_graph, random_generator
from solver.graph.model import Ids, Quadruples, pack


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _DueConsequences:
    """Consequences required within a time window.

    Attributes:
        pattern: pattern ids, shape (n,).
        codes: codes of the antecedents, shape (n, STEPS), ABSENT elsewhere.
        triple: relation, head and tail packed in one number.
        first: begin of the window.
        last: end of the window, inclusive; may exceed the last time step.
    """

    pattern: Ids
    codes: Ids
    triple: Ids
    first: Ids
    last: Ids

    def __len__(self) -> int:
        return len(self.pattern)

    def take(self, chosen: Ids | NDArray[np.bool_]) -> _DueConsequences:
        """Select rows."""
        return _DueConsequences(
            pattern=self.pattern[chosen],
            codes=self.codes[chosen],
            triple=self.triple[chosen],
            first=self.first[chosen],
            last=self.last[chosen],
        )


def close(start: PlantedGraph, config: Config, random: np.random.Generator) -> Instances:
    """Derive all instances that follow from the planted ones.

    Raises:
        RunawayError: a guard is exceeded.
    """
    codes = start.planted.facts()
    made = [Instances.none()]
    fresh = np.ones(len(codes), dtype=np.bool_)
    rounds = _Rounds(start.plan, start.space, random, Guard(start.plan, config.guards))
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
    """Derives the consequences of one round."""

    def __init__(self, plan: Plan, space: Space, random: np.random.Generator, guard: Guard) -> None:
        self._plan = plan
        self._space = space
        self._random = random
        self._guard = guard

    def one(self, codes: Ids, fresh: NDArray[np.bool_]) -> Instances:
        """Derive the instances with antecedents in the graph, at least one of them new."""
        facts = self._space.facts(codes)
        before = np.sort(self._places(facts))
        # Kept separately from the many old facts, since it is updated and searched repeatedly.
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
        """Facts packed as numbers sorted by triple, then by time."""
        return self._triples(facts) * self._space.steps + facts.time

    def _triples(self, facts: Quadruples) -> Ids:
        sizes = (self._space.relations, self._space.entities, self._space.entities)
        return pack((facts.relation, facts.head, facts.tail), sizes)

    def _due(self, matches: Matches, codes: Ids, facts: Quadruples) -> _DueConsequences:
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
        due = _DueConsequences(
            pattern=pattern,
            codes=np.where(antecedent, codes[matches.fact], ABSENT),
            triple=triple,
            first=time + plan.low[pattern, last],
            last=time + plan.high[pattern, last],
        )
        return due.take(due.first < self._space.steps)

    def _held(self, due: _DueConsequences, present: Ids) -> NDArray[np.bool_]:
        """Whether a consequence is already in its window."""
        begin = due.triple * self._space.steps
        low = np.searchsorted(present, begin + due.first, side="left")
        end = begin + np.minimum(due.last, self._space.steps - 1)
        held: NDArray[np.bool_] = np.searchsorted(present, end, side="right") > low
        return held

    def _emitted(self, due: _DueConsequences) -> tuple[_DueConsequences, Instances, Ids]:
        """Draw times for consequences with disjoint windows; defer the others.

        Returns:
            deferred consequences; new instances; their consequences as places.
        """
        due = due.take(np.lexsort((due.pattern, due.first, due.triple)))
        chosen = _apart(due)
        ready, rest = due.take(chosen), due.take(~chosen)
        width = ready.last - ready.first + 1
        time = ready.first + np.floor(self._random.random(len(ready)) * width).astype(np.int64)
        # A consequence drawn beyond the last time step is dropped.
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


def _apart(due: _DueConsequences) -> NDArray[np.bool_]:
    """Of sorted windows, those that begin after all earlier windows of their triple."""
    if not len(due):
        return np.zeros(0, dtype=np.bool_)
    group = np.cumsum(np.diff(due.triple, prepend=due.triple[0]) != 0)
    span = int(due.last.max()) + 1
    ends = np.maximum.accumulate(group * span + due.last)
    apart = np.ones(len(due), dtype=np.bool_)
    apart[1:] = (group * span + due.first)[1:] > ends[:-1]
    return apart


def generate(config: Config, seed: int) -> LabelledGraph:
    """Generate a graph, deterministically for a config and seed.

    Raises:
        ConfigError: the config cannot be satisfied.
        RunawayError: a guard is exceeded.
    """
    start = plant_graph(config, seed)
    match config.mode:
        case Mode.FORCED:
            followed = Instances.none()
        case Mode.FORWARD:
            followed = close(start, config, random_generator(seed, "closure"))
        case Mode.LITERAL:
            followed = look_back(start, config, random_generator(seed, "literal"))
    instances = Instances.joined(start.planted, followed)
    return label_graph(instances, start.plan, start.space, len(start.planted))
