"""What is known before a time, sorted by triple: where rules look for the facts of their bodies."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.errors import HopcheckError
from solver.tkg.dataset import Vocabulary
from solver.tkg.index import pack
from solver.tkg.quadruples import Ids, Quadruples

Mask: TypeAlias = NDArray[np.bool_]


class GraphSizeError(HopcheckError):
    """A graph whose ids are too large to be packed."""

    code = "graph-size"


def require_keys(vocabulary: Vocabulary, name: str) -> None:
    """Refuse a graph whose facts, read both ways, have no keys of 63 bits.

    Raises:
        GraphSizeError: naming the graph.
    """
    # One time more, for what comes after the last one.
    sizes = (*_sizes(vocabulary)[:3], vocabulary.times + 1)
    if prod(map(float, sizes)) >= 2.0**63:
        message = "found a graph too large to join, expected entities^2 * 2 relations * times "
        raise GraphSizeError(f"{message}below 2^63", where=name)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class History:
    """Facts in both directions, a triple (head, relation, tail) with the times at which it holds.

    Triples are numbered in the order of their keys, so that those of one head and relation stand
    together.

    Attributes:
        vocabulary: how many entities, relations and times there are.
        rows: each fact once, as ``pack`` of head, relation, tail and time; ascending.
        triples: each triple once, as ``pack`` of head, relation and tail; ascending.
        tails: the tail of each triple.
        first: the earliest time of each triple; last: the latest one.
        moments: each fact as ``pack`` of its triple's number and its time; ascending.
        starts: heads with a relation, as ``pack`` of both; ascending, each once.
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
        """All facts, and each one read backwards.

        Raises:
            GraphSizeError: there are too many entities, relations and times for keys of 63 bits.
        """
        return cls._of_rows(_keys(facts, vocabulary), vocabulary)

    def extended(self, facts: Quadruples) -> History:
        """What is known when some facts have come on top; only those are sorted."""
        keys = _keys(facts, self.vocabulary)
        _, held = _found(self.rows, keys)
        new = keys[~held]
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
        """What happened at times ``begin <= time < end``."""
        times = self.rows % self.vocabulary.times
        seen = (times >= begin) & (times < end)
        return self if seen.all() else self._of_rows(self.rows[seen], self.vocabulary)

    def leaving(self, heads: Ids, relations: Ids) -> tuple[Ids, Ids]:
        """Ranges of triples that have these heads and relations, an empty range for none."""
        if not len(self.starts):
            return np.zeros_like(heads), np.zeros_like(heads)
        keys = heads * (2 * self.vocabulary.relations) + relations
        places, held = _found(self.starts, keys)
        begins = self.offsets[places]
        return begins, np.where(held, self.offsets[places + 1], begins)

    def numbers(self, heads: Ids, relations: Ids, tails: Ids) -> tuple[Ids, Mask]:
        """The triples' numbers, and whether there is such a triple; a number without is void."""
        keys = heads * (2 * self.vocabulary.relations) + relations
        return _found(self.triples, keys * self.vocabulary.entities + tails)

    def latest(self, triples: Ids, bounds: Ids) -> Ids:
        """The latest time of each triple that is not after its bound; -1 if there is none.

        Args:
            triples: numbers.
            bounds: times, of the same length; nothing is before -1.
        """
        times: Ids = self.last[triples]
        # Most triples hold once or long ago, so that few have to be searched for.
        late = np.flatnonzero(times > bounds)
        if len(late):
            chosen = triples[late] * self.vocabulary.times
            places = np.searchsorted(self.moments, chosen + bounds[late], side="right") - 1
            found = self.moments[places] - chosen
            times[late] = np.where((places >= 0) & (found >= 0), found, -1)
        return times

    def facts(self, triples: Ids | None = None) -> Quadruples:
        """The facts of some triples, or all; each once and in its own direction, sorted by key."""
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
    """Facts and each one read backwards, each once, as ``History.rows`` holds them."""
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
    """Where ascending keys begin anew."""
    new = np.ones(len(keys), dtype=np.bool_)
    new[1:] = keys[1:] != keys[:-1]
    return np.flatnonzero(new)


def _found(held: Ids, keys: Ids) -> tuple[Ids, Mask]:
    """Where each key stands among ascending ones, and whether it does."""
    places = np.searchsorted(held, keys)
    if not len(held):
        return places, np.zeros(len(keys), dtype=np.bool_)
    places[places == len(held)] = 0
    there: Mask = held[places] == keys
    return places, there
