"""Generates a graph in memory: planted instances and their consequences.

Antecedents of all patterns are matched at once by joins over sorted indexes, with distinct entities
for distinct placeholders (ALLDIFFERENT of Algorithm 6). A search starts at one antecedent and
extends the match forwards and then backwards in time, so that matches with a new fact are found
without enumerating the others (semi-naive evaluation).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generators.tkg.config import Config, Mode
from generators.tkg.literal import look_back
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
from solver.graph.model import Ids, Index, Quadruples, expand, pack

_PIECE = 200_000
"""Maximum number of rows of a join in memory at once."""

_UNBOUND = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Matches:
    """Complete or partial matches of antecedents.

    Attributes:
        pattern: shape (n,).
        fact: shape (n, STEPS): row of the fact of each matched antecedent; undefined elsewhere.
        bound: shape (n, placeholders): entities, -1 if unbound.
    """

    pattern: Ids
    fact: Ids
    bound: Ids

    def __len__(self) -> int:
        return len(self.pattern)

    def take(self, chosen: Ids | NDArray[np.bool_] | slice) -> Matches:
        """Select rows."""
        return Matches(
            pattern=self.pattern[chosen], fact=self.fact[chosen], bound=self.bound[chosen]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _JoinStep:
    """The antecedent to match next, and the matched neighbour that bounds its time, if any."""

    step: int
    neighbour: int | None


class Search:
    """Searches matches over one state of a graph.

    Args:
        plan: the patterns.
        facts: facts of the graph.
        fresh: mask of the new facts; every match contains at least one.
        space: sizes of the graph.
        guard: limit on matches.
        injective: whether distinct placeholders are distinct entities, as in derivations. Planted
            instances need not be.
    """

    def __init__(
        self,
        plan: Plan,
        facts: Quadruples,
        fresh: NDArray[np.bool_],
        space: Space,
        guard: Guard,
        *,
        injective: bool = True,
    ) -> None:
        self._plan = plan
        self._facts = facts
        self._fresh = fresh
        self._space = space
        self._guard = guard
        self._injective = injective
        self._new = np.flatnonzero(fresh)
        self._indexes: dict[int, Index] = {}
        # One segment per index, filled on first use, and one for the new facts by relation.
        self._order = np.empty(4 * len(facts) + len(self._new), np.int64)
        self._begun = Index.of(facts.relation[self._new])
        self._order[4 * len(facts) :] = self._new[self._begun.order]

    def matches(self) -> Iterator[Matches]:
        """Yield all matches of closed patterns with a new fact, each once, in batches."""
        plan = self._plan
        for hops in sorted(set(plan.hops[plan.closed].tolist())):
            pattern = np.flatnonzero(plan.closed & (plan.hops == hops))
            for begin in range(1 if self._fresh.all() else hops):
                later = [_JoinStep(step=n, neighbour=n - 1) for n in range(begin + 1, hops)]
                earlier = [_JoinStep(step=n, neighbour=n + 1) for n in range(begin - 1, -1, -1)]
                empty = Matches(
                    pattern=pattern,
                    fact=np.zeros((len(pattern), STEPS), np.int64),
                    bound=np.full((len(pattern), plan.placeholders), _UNBOUND, np.int64),
                )
                first = _JoinStep(step=begin, neighbour=None)
                yield from self._grown(empty, [first, *later, *earlier], begin)

    def _grown(self, rows: Matches, moves: Sequence[_JoinStep], begin: int) -> Iterator[Matches]:
        if not moves:
            yield rows
            return
        move, rest = moves[0], moves[1:]
        begins, ends = self._candidates(rows, move)
        counts = np.maximum(ends - begins, 0)
        self._guard.count_matches(rows.pattern, counts)
        for piece in _pieces(counts):
            joined = self._joined(rows.take(piece), begins[piece], ends[piece], move.step)
            # The search starts at the first step that is a new fact, so each match occurs once.
            if move.step < begin:
                joined = joined.take(~self._fresh[joined.fact[:, move.step]])
            if len(joined):
                yield from self._grown(joined, rest, begin)

    def _candidates(self, rows: Matches, move: _JoinStep) -> tuple[Ids, Ids]:
        """Ranges in ``_order`` of the candidate facts for the next antecedent of each row."""
        relation = self._plan.relation[rows.pattern, move.step]
        if move.neighbour is None:
            begins, ends = self._begun.ranges(relation)
            return begins + 4 * len(self._facts), ends + 4 * len(self._facts)
        first, last = self._window(rows, move.step, move.neighbour)
        head = _taken(rows.bound, self._plan.head[rows.pattern, move.step])
        tail = _taken(rows.bound, self._plan.tail[rows.pattern, move.step])
        kind = (head != _UNBOUND) * 2 + (tail != _UNBOUND)
        begins, ends = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
        for code in range(4):
            asked = np.flatnonzero(kind == code)
            if not len(asked):
                continue
            known = [relation[asked], *(array[asked] for array in _chosen(code, head, tail))]
            index, offset = self._index(code), code * len(self._facts)
            low, high = (_keys([*known, time[asked]], self._space) for time in (first, last))
            begins[asked] = np.searchsorted(index.keys, low, side="left") + offset
            ends[asked] = np.searchsorted(index.keys, high, side="right") + offset
        return begins, np.where(first <= last, ends, begins)

    def _window(self, rows: Matches, step: int, neighbour: int) -> tuple[Ids, Ids]:
        """First and last possible time of an antecedent, given its matched neighbour."""
        time = self._facts.time[rows.fact[:, neighbour]]
        lag = min(step, neighbour)
        low, high = self._plan.low[rows.pattern, lag], self._plan.high[rows.pattern, lag]
        if step < neighbour:
            low, high = -high, -low
        return np.maximum(time + low, 0), np.minimum(time + high, self._space.steps - 1)

    def _index(self, code: int) -> Index:
        """Index of facts by relation, bound entities and time."""
        if code not in self._indexes:
            facts = self._facts
            columns = [facts.relation, *_chosen(code, facts.head, facts.tail), facts.time]
            index = self._indexes[code] = Index.of(_keys(columns, self._space))
            self._order[code * len(facts) : (code + 1) * len(facts)] = index.order
        return self._indexes[code]

    def _joined(self, rows: Matches, begins: Ids, ends: Ids, step: int) -> Matches:
        """Join each row with its candidates that keep placeholders distinct."""
        row, place = expand(begins, ends)
        fact = self._order[place]
        pattern = rows.pattern[row]
        bound = rows.bound[row]
        kept = np.ones(len(row), dtype=np.bool_)
        for placeholders, column in (
            (self._plan.head[pattern, step], self._facts.head[fact]),
            (self._plan.tail[pattern, step], self._facts.tail[fact]),
        ):
            known = _taken(bound, placeholders)
            elsewhere = self._injective & (bound == column[:, None]).any(axis=1)
            kept &= (known == column) | ((known == _UNBOUND) & ~elsewhere)
            bound[np.arange(len(row)), placeholders] = column
        facts = rows.fact[row]
        facts[:, step] = fact
        return Matches(pattern=pattern, fact=facts, bound=bound).take(kept)


def _chosen(code: int, head: Ids, tail: Ids) -> tuple[Ids, ...]:
    """None, the tail, the head or both: 0 to 3."""
    return (*((head,) if code & 2 else ()), *((tail,) if code & 1 else ()))


def _keys(columns: Sequence[Ids], space: Space) -> Ids:
    """Keys of a relation, up to two entities, and a time."""
    sizes = (space.relations, *[space.entities] * (len(columns) - 2), space.steps)
    return pack(columns, sizes)


def _taken(bound: Ids, placeholders: Ids) -> Ids:
    found: Ids = bound[np.arange(len(bound)), placeholders]
    return found


def _pieces(counts: Ids) -> Iterator[slice]:
    """Divide the rows into slices of at most ``_PIECE`` joined rows, or single rows."""
    summed = np.cumsum(counts)
    begin = 0
    while begin < len(counts):
        before = summed[begin - 1] if begin else 0
        end = max(int(np.searchsorted(summed, before + _PIECE, side="right")), begin + 1)
        if summed[end - 1] > before:
            yield slice(begin, end)
        begin = end


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
        new = rounds.derive(codes, fresh)
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

    def derive(self, codes: Ids, fresh: NDArray[np.bool_]) -> Instances:
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
