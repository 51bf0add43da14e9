"""Second engine of the proof, which sorts and joins columns; cross-checks ``proof.lp``.

Independent implementation of ``encodings/tkg/labels.lp`` and ``support.lp`` over whole columns;
``solver.tkg.engine`` finds the missing consequences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from solver.encodings import ViolationAtom
from solver.graph.model import Ids, Index, Quadruples, expand, pack
from solver.patterns.model import MOST_HOPS, Lag, Triple
from solver.tkg.io import GeneratedGraph
from solver.tkg.planted import PlantedPattern

_UNBOUND = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingConsequence:
    """A required consequence that the graph lacks.

    Attributes:
        pattern: id of the pattern.
        time: time of the last antecedent.
        antecedents: the earliest matching facts ``(head, relation, tail, time)``.
    """

    pattern: int
    head: int
    tail: int
    time: int
    antecedents: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Matches:
    """Matched antecedents: rows of the usable facts, and entities of the placeholders (from 1)."""

    rows: Ids
    bound: Ids


def missing_consequences(graph: GeneratedGraph, usable: Quadruples) -> Iterator[MissingConsequence]:
    """Find the consequences that closed patterns require and the graph lacks, each once.

    Args:
        graph: graph to check.
        usable: facts that may be antecedents.

    Raises:
        OverflowError: the facts cannot be numbered in 63 bits.
    """
    join = _Join(graph, usable)
    for pattern in graph.patterns:
        if pattern.closed:
            yield from join.missing(pattern)


class _Join:
    def __init__(self, graph: GeneratedGraph, usable: Quadruples) -> None:
        words, facts = graph.dataset.vocabulary, graph.facts
        self._steps = graph.declared.steps
        self._times = max(self._steps, words.times)
        self._entities, self._relations = words.entities, words.relations
        self._facts = usable
        sizes = (words.relations, words.entities, self._times)
        self._by_head = Index.of(pack((usable.relation, usable.head, usable.time), sizes))
        self._by_tail = Index.of(pack((usable.relation, usable.tail, usable.time), sizes))
        self._by_time = Index.of(pack((usable.relation, usable.time), (sizes[0], sizes[2])))
        self._present = np.sort(self._keys(facts.relation, facts.head, facts.tail, facts.time))

    def _keys(self, relation: Ids, head: Ids, tail: Ids, time: Ids) -> Ids:
        sizes = (self._relations, self._entities, self._entities, self._times)
        return pack((relation, head, tail, time), sizes)

    def missing(self, pattern: PlantedPattern) -> Iterator[MissingConsequence]:
        if max(map(pattern.relation, pattern.template.steps)) >= self._relations:
            return
        bound = np.full((1, pattern.placeholders + 1), _UNBOUND, dtype=np.int64)
        found = _Matches(rows=np.empty((1, 0), dtype=np.int64), bound=bound)
        for number, step in enumerate(pattern.template.antecedents):
            lag = pattern.lags[number - 1] if number else None
            found = self._extended(found, step, pattern.relation(step), lag)
        last, window = pattern.template.consequence, pattern.lags[-1]
        head, tail = found.bound[:, last.head], found.bound[:, last.tail]
        time = self._facts.time[found.rows[:, -1]]
        inside = np.flatnonzero(time < self._steps - window.high)
        relation = np.full(len(inside), pattern.relation(last))
        ends = head[inside], tail[inside]
        first = self._keys(relation, *ends, time[inside] + window.low)
        until = self._keys(relation, *ends, time[inside] + window.high)
        begin = np.searchsorted(self._present, first, side="left")
        absent = inside[np.searchsorted(self._present, until, side="right") == begin]
        keys = np.stack((head[absent], tail[absent], time[absent]), axis=1)
        rows, shown = np.unique(keys, axis=0, return_index=True)
        for (row, other, at), place in zip(rows.tolist(), shown.tolist(), strict=True):
            facts = self._facts.take(found.rows[absent[place]]).rows()
            yield MissingConsequence(
                pattern=pattern.id,
                head=row,
                tail=other,
                time=at,
                antecedents=tuple(map(tuple, facts.tolist())),
            )

    def _extended(self, found: _Matches, step: Triple, relation: int, lag: Lag | None) -> _Matches:
        """Extend the matches by each fact that matches the next step."""
        size = len(found.rows)
        first, last = np.zeros(size, np.int64), np.full(size, self._times - 1)
        if lag is not None:
            time = self._facts.time[found.rows[:, -1]]
            first = np.minimum(time + lag.low, self._times)
            last = np.minimum(time + lag.high, self._times - 1)
        head, tail = found.bound[:, step.head], found.bound[:, step.tail]
        index, key = self._by_time, np.full(size, relation, dtype=np.int64)
        if size and head[0] != _UNBOUND:
            index, key = self._by_head, key * self._entities + head
        elif size and tail[0] != _UNBOUND:
            index, key = self._by_tail, key * self._entities + tail
        begin = np.searchsorted(index.keys, key * self._times + first, side="left")
        end = np.searchsorted(index.keys, key * self._times + last, side="right")
        asker, place = expand(begin, end)
        rows, bound = index.order[place], found.bound[asker]
        kept = np.ones(len(rows), dtype=np.bool_)
        for placeholder, column in ((step.head, self._facts.head), (step.tail, self._facts.tail)):
            entity = column[rows]
            known = bound[:, placeholder]
            elsewhere = (bound == entity[:, None]).any(axis=1)
            kept &= (known == entity) | ((known == _UNBOUND) & ~elsewhere)
            bound[:, placeholder] = entity
        joined = np.concatenate((found.rows[asker], rows[:, None]), axis=1)
        return _Matches(rows=joined[kept], bound=bound[kept])


_STEPS = MOST_HOPS + 1
_NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinResult:
    """Result of the join.

    Attributes:
        findings: violations, sorted, in the form of ``solver.tkg.encode.findings``.
        antecedents: witnesses of missing consequences: facts ``(head, relation, tail, time)``.
    """

    findings: list[ViolationAtom]
    antecedents: Mapping[ViolationAtom, tuple[tuple[int, ...], ...]]


def joined_findings(graph: GeneratedGraph) -> JoinResult:
    """Find all violations.

    Raises:
        OverflowError: the facts cannot be numbered in 63 bits.
    """
    proof = _Proof(graph)
    parts = (proof.rows(), proof.instances(), proof.lags(), proof.steps(), proof.support())
    found = {atom for part in parts for atom in part}
    return JoinResult(findings=sorted(found), antecedents=proof.antecedents)


class _Proof:
    """The labels joined with their facts and their patterns' steps, row by row."""

    def __init__(self, graph: GeneratedGraph) -> None:
        self.antecedents: dict[ViolationAtom, tuple[tuple[int, ...], ...]] = {}
        self._graph = graph
        self._labels = labels = graph.labels
        size = len(graph.facts)
        self._there = labels.fact < size
        # Rows with an invalid fact number point to fact 0 and are masked later.
        self._fact = np.where(self._there, labels.fact, 0) if size else np.zeros_like(labels.fact)
        ids = np.array([pattern.id for pattern in graph.patterns], dtype=np.int64)
        places = {int(number): place for place, number in enumerate(ids)}
        self._place = np.array([places.get(p, -1) for p in labels.pattern.tolist()], dtype=np.int64)
        self._known = self._place >= 0
        self._lay_out()
        steps = self._hops[self._place] + 1
        self._fits = self._known & (labels.position >= 1) & (labels.position <= steps)
        self._seen = self._fits & self._there
        self._differs = (labels.instance >= graph.declared.planted) | graph.declared.injective
        self._column = np.clip(labels.position - 1, 0, _STEPS - 1)

    def _lay_out(self) -> None:
        """Steps and lags of the patterns, one row each; the last row is for unknown patterns."""
        patterns = self._graph.patterns
        self._hops = np.zeros(len(patterns) + 1, dtype=np.int64)
        self._steps = np.zeros((len(patterns) + 1, _STEPS, 3), dtype=np.int64)
        self._lags = np.zeros((len(patterns) + 1, _STEPS, 2), dtype=np.int64)
        for row, pattern in enumerate(patterns):
            self._hops[row] = pattern.hops
            for place, step in enumerate(pattern.template.steps):
                self._steps[row, place] = step.head, pattern.relation(step), step.tail
            for place, lag in enumerate(pattern.lags):
                self._lags[row, place] = lag.low, lag.high

    def rows(self) -> Iterator[ViolationAtom]:
        """Violations of single labels."""
        labels, hops = self._labels, self._hops[self._place]
        first = np.arange(len(labels))
        last = np.where(labels.consequence, labels.position <= hops, labels.position == hops + 1)
        yield from _flagged("absent_fact", ~self._there, first, labels.fact)
        yield from _flagged("unknown_pattern", ~self._known, first, labels.pattern)
        stray = self._known & ~self._fits
        yield from _flagged("unknown_step", stray, first, labels.pattern, labels.position)
        yield from _flagged(
            "wrong_role", self._known & last, first, labels.pattern, labels.position
        )
        wanted = self._steps[self._place, self._column, 1]
        if len(self._graph.facts):
            wrong = self._seen & (self._graph.facts.relation[self._fact] != wanted)
            yield from _flagged("wrong_relation", wrong, first, labels.fact, wanted)

    def instances(self) -> Iterator[ViolationAtom]:
        """Violations between the labels of an instance, apart from times."""
        labels = self._labels
        pairs = np.unique(np.stack((labels.instance, labels.pattern), axis=1), axis=0)
        for (instance,), values in _several(pairs[:, :1], pairs[:, 1]):
            yield from _pairs("two_patterns", (instance,), values)
        keys = np.stack((labels.instance, labels.position), axis=1)
        for key, values in _several(keys, np.arange(len(labels))):
            yield from _pairs("labelled_twice", key, values)
        if not len(self._graph.facts):
            return
        seen = np.flatnonzero(self._seen)
        facts, rows = self._graph.facts, self._fact[seen]
        ends = self._steps[self._place[seen], self._column[seen]]
        bound = np.concatenate(
            [
                np.stack((labels.instance[seen], ends[:, side], entity[rows], seen), axis=1)
                for side, entity in ((0, facts.head), (2, facts.tail))
            ]
        )
        kept = np.unique(bound[:, :3], axis=0)
        for key, values in _several(kept[:, :2], kept[:, 2]):
            yield from _pairs("two_entities", key, values)
        differing = np.unique(bound[self._differs[bound[:, 3]]][:, :3], axis=0)
        for (instance, entity), values in _several(differing[:, [0, 2]], differing[:, 1]):
            for pair in _pairs("one_entity", (instance,), values):
                yield ViolationAtom(code=pair.code, numbers=(*pair.numbers, entity))

    def lags(self) -> Iterator[ViolationAtom]:
        """Steps outside their lag."""
        labels = self._labels
        if not len(self._graph.facts):
            return
        seen = np.flatnonzero(self._seen)
        _, group = np.unique(
            np.stack((labels.pattern[seen], labels.instance[seen]), axis=1),
            axis=0,
            return_inverse=True,
        )
        # A gap of two between groups keeps instances apart.
        key = group.reshape(-1) * (_STEPS + 2) + labels.position[seen]
        index = Index.of(key)
        asker, place = expand(*index.ranges(key + 1))
        before, after = seen[asker], seen[index.order[place]]
        time = self._graph.facts.time
        passed = time[self._fact[after]] - time[self._fact[before]]
        lag = self._lags[self._place[before], self._column[before]]
        wrong = (passed < lag[:, 0]) | (passed > lag[:, 1])
        columns = (labels.instance[before], labels.position[before], labels.fact[before])
        yield from _flagged("outside_lag", wrong, *columns, labels.fact[after])

    def steps(self) -> Iterator[ViolationAtom]:
        """Missing steps of instances."""
        labels, declared = self._labels, self._graph.declared
        known = np.flatnonzero(self._known)
        pairs, group = np.unique(
            np.stack((self._place[known], labels.instance[known]), axis=1),
            axis=0,
            return_inverse=True,
        )
        group = group.reshape(-1)
        furthest = np.zeros(len(pairs), dtype=np.int64)
        np.maximum.at(furthest, group, labels.position[known])
        present = np.zeros((len(pairs), _STEPS + 1), dtype=np.bool_)
        inside = labels.position[known] <= _STEPS
        present[group[inside], labels.position[known][inside]] = True
        earliest = np.full((len(pairs), _STEPS + 1), _NEVER, dtype=np.int64)
        seen = self._seen[known]
        at = (group[seen], labels.position[known][seen])
        if seen.any():
            np.minimum.at(earliest, at, self._graph.facts.time[self._fact[known][seen]])
        place, instance = pairs[:, 0], pairs[:, 1]
        for step in range(1, _STEPS + 1):
            reach = np.zeros(len(pairs), dtype=np.bool_)
            if step > 1:
                before = earliest[:, step - 1]
                high = self._lags[place, step - 2, 1]
                reach = (before != _NEVER) & (before < declared.steps - high)
            due = (step == 1) | (furthest > step) | reach | (instance >= declared.planted)
            wrong = due & ~present[:, step] & (step <= self._hops[place] + 1)
            yield from _flagged("missing_step", wrong, instance, np.full(len(pairs), step))

    def support(self) -> Iterator[ViolationAtom]:
        """Unlabelled, repeated and unsupported facts, and missing consequences."""
        facts, labels = self._graph.facts, self._labels
        labelled = np.zeros(len(facts), dtype=np.bool_)
        labelled[labels.fact[self._there]] = True
        numbers = np.arange(len(facts))
        yield from _flagged("unlabelled", ~labelled, numbers)
        for _, rows in _several(facts.rows(), numbers):
            yield from _pairs("repeated_fact", (), rows)
        level = self._levels()
        yield from _flagged("unsupported", labelled & (level == _NEVER), numbers)
        declared = self._graph.declared
        if not declared.closed:
            return
        limit = _NEVER if declared.depth is None else declared.depth
        for missing in missing_consequences(self._graph, facts.take(level < limit)):
            numbers_of = (missing.pattern, missing.head, missing.tail, missing.time)
            found = ViolationAtom(code="missing_consequence", numbers=numbers_of)
            self.antecedents[found] = missing.antecedents
            yield found

    def _levels(self) -> Ids:
        """Minimal derivation depth of each fact; ``_NEVER`` if it is unsupported."""
        labels, declared = self._labels, self._graph.declared
        limited = declared.closed and declared.depth is not None
        named, fact = np.unique(labels.fact, return_inverse=True)
        level = np.full(len(named), _NEVER, dtype=np.int64)
        planted = labels.instance < declared.planted
        level[fact[planted]] = 0
        instances, group = np.unique(labels.instance, return_inverse=True)
        hops = self._hops[self._place]
        followed = self._known & ~planted
        rests = np.flatnonzero(followed & (labels.position <= hops) & (labels.position >= 1))
        ends = np.flatnonzero(followed & (labels.position == hops + 1))
        while True:
            step = np.full((len(instances), MOST_HOPS), _NEVER, dtype=np.int64)
            np.minimum.at(step, (group[rests], labels.position[rests] - 1), level[fact[rests]])
            reached = np.maximum.accumulate(step, axis=1)[group[ends], hops[ends] - 1]
            if limited:
                within = reached < (declared.depth or 0)
                reached = np.where(within, np.where(within, reached, 0) + 1, _NEVER)
            before = level.copy()
            np.minimum.at(level, fact[ends], reached)
            if np.array_equal(before, level):
                break
        found = np.full(len(self._graph.facts), _NEVER, dtype=np.int64)
        there = named < len(found)
        found[named[there]] = level[there]
        return found


def _flagged(code: str, chosen: NDArray[np.bool_], *columns: Ids) -> Iterator[ViolationAtom]:
    for row in np.flatnonzero(chosen).tolist():
        yield ViolationAtom(code=code, numbers=tuple(int(column[row]) for column in columns))


def _several(keys: Ids, values: Ids) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """Keys, shape (n, k), with more than one value, and all of their values."""
    if not len(keys):
        return
    order = np.lexsort((values, *keys.T[::-1]))
    keys, values = keys[order], values[order]
    changes = np.flatnonzero((keys[1:] != keys[:-1]).any(axis=1)) + 1
    bounds = np.concatenate(([0], changes, [len(keys)]))
    for group in np.flatnonzero(np.diff(bounds) > 1).tolist():
        begin, end = bounds[group], bounds[group + 1]
        yield tuple(keys[begin].tolist()), values[begin:end].tolist()


def _pairs(code: str, key: tuple[int, ...], values: list[int]) -> Iterator[ViolationAtom]:
    for pair in combinations(sorted(values), 2):
        yield ViolationAtom(code=code, numbers=(*key, *pair))
