"""A graph indexed for rule mining: the continuations of a walk and the heads that follow it."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from grammar.errors import HopcheckError
from solver.graph.model import Ids, Index, Quadruples, Vocabulary, pack


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RuleGraph:
    """Distinct facts in both directions, sorted by head and time.

    Attributes:
        facts: relations may be inverse; times are ranks, 0 to ``times``, exclusive.
        relations: number of relations, with inverses.
        entities: upper bound of entity ids.
        times: number of distinct times.
        next_begin: for each fact, the first row of its possible continuations.
        next_end: the end of these rows, exclusive.
        head_keys: (head, tail, latest time) of each triple (head, relation, tail), ascending.
        head_relation: the relation of each key.
        head_end: end of the keys with the same head and tail, exclusive.
    """

    facts: Quadruples
    relations: int
    entities: int
    times: int
    next_begin: Ids
    next_end: Ids
    head_keys: Ids
    head_relation: Ids
    head_end: Ids

    @classmethod
    def of(cls, facts: Quadruples, relations: int) -> RuleGraph:
        """Index facts.

        Args:
            facts: facts in one direction; duplicates count once.
            relations: number of relations without inverses.

        Raises:
            OverflowError: two entities, a relation and a time do not fit in 63 bits.
        """
        times, rank = np.unique(facts.time, return_inverse=True)
        entities = int(max(facts.head.max(initial=-1), facts.tail.max(initial=-1))) + 1
        sizes = (max(entities, 1), max(len(times), 1), 2 * relations, max(entities, 1))
        ranked = Quadruples(
            head=facts.head, relation=facts.relation, tail=facts.tail, time=rank.astype(np.int64)
        ).both_ways(relations)
        ordered = _sorted(ranked, sizes)
        out = pack((ordered.head, ordered.time), sizes[:2])
        at = pack((ordered.tail, ordered.time), sizes[:2])
        following = ordered.tail * sizes[1] + sizes[1]
        keys, relation, end = _heads(ordered, sizes)
        return cls(
            facts=ordered,
            relations=2 * relations,
            entities=sizes[0],
            times=sizes[1],
            next_begin=np.searchsorted(out, at),
            next_end=np.searchsorted(out, following),
            head_keys=keys,
            head_relation=relation,
            head_end=end,
        )

    def heads_after(self, start: Ids, end: Ids, time: Ids) -> tuple[Ids, Ids]:
        """Find head facts of walks: between the same ends, strictly after the last fact.

        Args:
            start: first entities of the walks.
            end: last entities.
            time: times of the last facts.

        Returns:
            Ranges of ``head_relation``; each relation with such a fact occurs once.
        """
        key = (start * self.entities + end) * self.times + time
        begin = np.searchsorted(self.head_keys, key, side="right")
        found = np.append(self.head_keys, -1)[begin] // self.times == key // self.times
        return begin, np.where(found, np.append(self.head_end, 0)[begin], begin)


def _sorted(facts: Quadruples, sizes: tuple[int, ...]) -> Quadruples:
    """Deduplicate facts and sort them by head and time."""
    keys = np.unique(pack((facts.head, facts.time, facts.relation, facts.tail), sizes))
    rest, tail = np.divmod(keys, sizes[3])
    rest, relation = np.divmod(rest, sizes[2])
    head, time = np.divmod(rest, sizes[1])
    return Quadruples(head=head, relation=relation, tail=tail, time=time)


def _heads(facts: Quadruples, sizes: tuple[int, ...]) -> tuple[Ids, Ids, Ids]:
    """The latest fact of each triple, sorted by head, tail and time."""
    entities, times, relations, _ = sizes
    triples = pack((facts.head, facts.tail, facts.relation), (entities, entities, relations))
    index = Index.of(triples * times + facts.time)
    triple = index.keys // times
    last = np.append(triple[1:] != triple[:-1], np.ones(min(len(triple), 1), dtype=np.bool_))
    pair, relation = np.divmod(triple[last], relations)
    by_time = Index.of(pair * times + index.keys[last] % times)
    ordered = by_time.keys // times
    end = np.searchsorted(ordered, ordered, side="right")
    return by_time.keys, relation[by_time.order], end


Mask: TypeAlias = NDArray[np.bool_]


class GraphSizeError(HopcheckError):
    """A graph whose ids are too large to be packed into 63 bits."""

    code = "graph-size"


def require_keys(vocabulary: Vocabulary, name: str) -> None:
    """Require that the facts of a graph, in both directions, have keys of 63 bits.

    Raises:
        GraphSizeError: they do not; the error names the graph.
    """
    # One more time, for queries after the last fact.
    sizes = (*_sizes(vocabulary)[:3], vocabulary.times + 1)
    if prod(map(float, sizes)) >= 2.0**63:
        message = "found a graph too large to join, expected entities^2 * 2 relations * times "
        raise GraphSizeError(f"{message}below 2^63", where=name)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class History:
    """Facts in both directions, grouped by triple (head, relation, tail).

    Triples are numbered in the order of their keys, so that those of one head and relation are
    adjacent.

    Attributes:
        vocabulary: entities, relations and times of the graph.
        rows: distinct facts as packed (head, relation, tail, time); ascending.
        triples: distinct triples as packed (head, relation, tail); ascending.
        tails: the tail of each triple.
        first: the earliest time of each triple.
        last: the latest time of each triple.
        moments: each fact as packed (triple number, time); ascending.
        starts: distinct packed (head, relation); ascending.
        offsets: triples of ``starts[k]`` are numbered ``offsets[k]`` to ``offsets[k + 1]``.
    """

    vocabulary: Vocabulary
    rows: Ids
    triples: Ids
    tails: Ids
    first: Ids
    last: Ids
    moments: Ids
    starts: Ids
    offsets: Ids

    @classmethod
    def of(cls, facts: Quadruples, vocabulary: Vocabulary) -> History:
        """Index facts in both directions.

        Raises:
            GraphSizeError: there are too many entities, relations and times for keys of 63 bits.
        """
        return cls._of_rows(_keys(facts, vocabulary), vocabulary)

    def extended(self, facts: Quadruples) -> History:
        """Add facts; only the new ones are sorted."""
        keys = _keys(facts, self.vocabulary)
        _, known = _found(self.rows, keys)
        new = keys[~known]
        if not len(new):
            return self
        places = np.searchsorted(self.rows, new)
        return self._of_rows(np.insert(self.rows, places, new), self.vocabulary)

    @classmethod
    def _of_rows(cls, rows: Ids, vocabulary: Vocabulary) -> History:
        keys, times = np.divmod(rows, vocabulary.times)
        begins = _changes(keys)
        triples = keys[begins]
        leading, tails = np.divmod(triples, vocabulary.entities)
        opening = _changes(leading)
        ends = np.append(begins, len(rows))[1:]
        numbers = np.repeat(np.arange(len(triples), dtype=np.int64), ends - begins)
        return cls(
            vocabulary=vocabulary,
            rows=rows,
            triples=triples,
            tails=tails,
            first=times[begins],
            last=times[ends - 1],
            moments=numbers * vocabulary.times + times,
            starts=leading[opening],
            offsets=np.append(opening, len(triples)),
        )

    def between(self, begin: int, end: int) -> History:
        """The facts at times ``begin <= time < end``."""
        times = self.rows % self.vocabulary.times
        seen = (times >= begin) & (times < end)
        return self if seen.all() else self._of_rows(self.rows[seen], self.vocabulary)

    def leaving(self, heads: Ids, relations: Ids) -> tuple[Ids, Ids]:
        """Ranges of the triples with these heads and relations; empty if there are none."""
        if not len(self.starts):
            return np.zeros_like(heads), np.zeros_like(heads)
        keys = heads * (2 * self.vocabulary.relations) + relations
        places, found = _found(self.starts, keys)
        begins = self.offsets[places]
        return begins, np.where(found, self.offsets[places + 1], begins)

    def numbers(self, heads: Ids, relations: Ids, tails: Ids) -> tuple[Ids, Mask]:
        """The numbers of triples, and a mask of those that exist; other numbers are invalid."""
        keys = heads * (2 * self.vocabulary.relations) + relations
        return _found(self.triples, keys * self.vocabulary.entities + tails)

    def latest(self, triples: Ids, bounds: Ids) -> Ids:
        """The latest time of each triple that is not after its bound; -1 if there is none.

        Args:
            triples: numbers of triples.
            bounds: times, of the same length.
        """
        times: Ids = self.last[triples]
        # Most triples have one fact or only old ones, so that few need a search.
        late = np.flatnonzero(times > bounds)
        if len(late):
            chosen = triples[late] * self.vocabulary.times
            places = np.searchsorted(self.moments, chosen + bounds[late], side="right") - 1
            found = self.moments[places] - chosen
            times[late] = np.where((places >= 0) & (found >= 0), found, -1)
        return times

    def forward(self, triples: Ids) -> Ids:
        """Packed (head, relation, tail) of each triple in forward direction, by its number."""
        size = self.vocabulary
        keys = self.triples[triples]
        rest, tails = np.divmod(keys, size.entities)
        heads, relations = np.divmod(rest, 2 * size.relations)
        back = (tails * (2 * size.relations) + relations - size.relations) * size.entities + heads
        return np.where(relations >= size.relations, back, keys)

    def facts(self, triples: Ids | None = None) -> Quadruples:
        """The distinct facts of some triples, or all, in forward direction, sorted by key."""
        rows = self.rows
        if triples is not None:
            rows = rows[np.isin(self.moments // self.vocabulary.times, triples)]
        keys, times = np.divmod(rows, self.vocabulary.times)
        keys, tails = np.divmod(keys, self.vocabulary.entities)
        heads, relations = np.divmod(keys, 2 * self.vocabulary.relations)
        facts = Quadruples(head=heads, relation=relations, tail=tails, time=times)
        inverse = relations >= self.vocabulary.relations
        own = facts.take(~inverse)
        if triples is None:
            return own
        back = facts.take(inverse).inverted(self.vocabulary.relations)
        return Quadruples.joined(own, back).distinct()


def _keys(facts: Quadruples, vocabulary: Vocabulary) -> Ids:
    """Distinct packed facts in both directions, ascending."""
    both = facts.both_ways(vocabulary.relations)
    columns = (both.head, both.relation, both.tail, both.time)
    try:
        return np.unique(pack(columns, _sizes(vocabulary)))
    except OverflowError:
        message = "found a graph too large to apply rules to, expected entities^2 * 2 relations "
        raise GraphSizeError(f"{message}* times below 2^63") from None


def _sizes(vocabulary: Vocabulary) -> tuple[int, int, int, int]:
    entities = vocabulary.entities
    return entities, 2 * vocabulary.relations, entities, vocabulary.times


def _changes(keys: Ids) -> Ids:
    """Positions in ascending keys at which a new key begins."""
    new = np.ones(len(keys), dtype=np.bool_)
    new[1:] = keys[1:] != keys[:-1]
    return np.flatnonzero(new)


def _found(ascending: Ids, keys: Ids) -> tuple[Ids, Mask]:
    """The position of each key in an ascending array, and a mask of the keys it contains."""
    places = np.searchsorted(ascending, keys)
    if not len(ascending):
        return places, np.zeros(len(keys), dtype=np.bool_)
    places[places == len(ascending)] = 0
    contained: Mask = ascending[places] == keys
    return places, contained
