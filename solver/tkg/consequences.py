"""Finds missing consequences by joins over sorted columns.

Independent of ``encodings/tkg/instances.lp``, with the same semantics: distinct placeholders are
distinct entities, each step comes within its lag of the previous one, and a window that extends
beyond the last time step requires nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solver.tkg.generated import GeneratedGraph
from solver.tkg.index import Index, expand, pack
from solver.tkg.pattern import Lag, Triple
from solver.tkg.planted import PlantedPattern
from solver.tkg.quadruples import Ids, Quadruples

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
    for one in graph.patterns:
        if one.closed:
            yield from join.missing(one)


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
        for (one, other, at), place in zip(rows.tolist(), shown.tolist(), strict=True):
            facts = self._facts.take(found.rows[absent[place]]).rows()
            yield MissingConsequence(
                pattern=pattern.id,
                head=one,
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
