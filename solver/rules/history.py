"""The facts that rules are applied to, and what the bodies of rules reach in them.

Rule bodies lead to entities, each with the latest start time of a grounding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from grammar.errors import HopcheckError
from solver.graph.model import Ids, Quadruples, Vocabulary, expand, pack
from solver.rules.model import groups_of

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


MOST_CHAINS = 1_000_000
"""Maximum number of chains in memory, unless a single chain has more continuations."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chains:
    """Chains of one length, one per row.

    Attributes:
        asker: number of the body that the chain matches.
        entities: entities on the chain, one column more than ``triples``.
        triples: numbers of the triples in the history, one column per step.
    """

    asker: Ids
    entities: tuple[Ids, ...]
    triples: tuple[Ids, ...] = ()

    def take(self, chosen: Ids | Mask | slice) -> Chains:
        """Select chains."""
        return replace(
            self,
            asker=self.asker[chosen],
            entities=tuple(column[chosen] for column in self.entities),
            triples=tuple(column[chosen] for column in self.triples),
        )

    def onward(self, entities: Ids, triples: Ids) -> Chains:
        """Extend each chain by one triple."""
        return replace(self, entities=(*self.entities, entities), triples=(*self.triples, triples))


def follow(
    history: History, chains: Chains, bodies: Ids, bound: dict[int, int]
) -> Iterator[Chains]:
    """Extend chains until they match whole bodies; yields batches that fit in memory.

    Args:
        history: the facts to match.
        chains: the chains so far; initially only their first entities.
        bodies: relations, shape (askers, length).
        bound: maps a position to the earlier position that has the same entity.
    """
    place = len(chains.triples)
    if place == bodies.shape[1]:
        yield chains
        return
    relations = bodies[chains.asker, place]
    if place + 1 in bound:
        goals = chains.entities[bound[place + 1]]
        triples, found = history.numbers(chains.entities[-1], relations, goals)
        longer = chains.take(found).onward(goals[found], triples[found])
        yield from follow(history, _possible(history, longer), bodies, bound)
        return
    begins, ends = history.leaving(chains.entities[-1], relations)
    for part in _parts(ends - begins):
        rows, triples = expand(begins[part], ends[part])
        longer = chains.take(part).take(rows).onward(history.tails[triples], triples)
        yield from follow(history, _possible(history, longer), bodies, bound)


def timed(
    history: History, chains: Chains, *, distinct_facts: bool = False
) -> tuple[Chains, tuple[Ids, ...]]:
    """Assign each chain the latest non-decreasing timestamps of its facts.

    Going back from the last fact, each is as late as the later ones allow, so that all are as late
    as in any grounding of the chain.

    Args:
        history: the facts.
        chains: chains of at least one triple.
        distinct_facts: whether a chain uses no fact twice, also not in different directions.

    Returns:
        The chains that have such timestamps, and one column of times per triple.
    """
    forward = [history.forward(one) for one in chains.triples] if distinct_facts else []
    times: tuple[Ids, ...] = (history.last[chains.triples[-1]],)
    for place in range(len(chains.triples) - 2, -1, -1):
        bounds = times[0]
        for later, own in enumerate(forward[place + 1 :]):
            # The same triple later in the chain: times do not decrease, so it has to be earlier.
            before = np.minimum(bounds, times[later] - 1)
            bounds = np.where(own == forward[place], before, bounds)
        times = (history.latest(chains.triples[place], bounds), *times)
        # Chains without a valid time stay until the end, with the bound -1.
    possible = times[0] >= 0
    return chains.take(possible), tuple(column[possible] for column in times)


def _possible(history: History, chains: Chains) -> Chains:
    """Drop chains whose last triple only has facts before the first fact of its predecessor."""
    if len(chains.triples) == 1:
        return chains
    before, after = chains.triples[-2:]
    return chains.take(history.last[after] >= history.first[before])


def _parts(counts: Ids) -> Iterator[slice]:
    """Split rows so that the total count of each part is at most ``MOST_CHAINS``, if possible."""
    total = np.cumsum(counts)
    begin = 0
    while begin < len(counts):
        limit = MOST_CHAINS + (int(total[begin - 1]) if begin else 0)
        end = max(int(np.searchsorted(total, limit, side="right")), begin + 1)
        yield slice(begin, end)
        begin = end


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReachedEntities:
    """The distinct end entities of each body, sorted by asker and entity.

    Attributes:
        asker: number of the body.
        entity: end entity of a grounding of the body.
        time: latest time of the first fact over all such groundings.
    """

    asker: Ids
    entity: Ids
    time: Ids


def reach(
    history: History, starts: Ids, bodies: Ids, same: Ids, *, distinct_facts: bool = False
) -> ReachedEntities:
    """Ground bodies that start at given entities.

    Args:
        history: the facts to match.
        starts: the first entity of each body, shape (n,).
        bodies: relations, shape (n, longest), padded with -1 at the end.
        same: positions with equal entities, encoded by ``table.code_of``.
        distinct_facts: whether a grounding uses no fact twice.
    """
    kinds = same * (bodies.shape[1] + 1) + np.sum(bodies >= 0, axis=1)
    keys: list[Ids] = []
    for kind in np.unique(kinds):
        code, length = divmod(int(kind), bodies.shape[1] + 1)
        askers = np.flatnonzero(kinds == kind)
        chains = Chains(asker=askers, entities=(starts[askers],))
        whole = follow(history, chains, bodies[:, :length], bound_places(code))
        each = (_chain_keys(history, part, distinct_facts=distinct_facts) for part in whole)
        keys += [_latest(part, history.vocabulary.times) for part in each]
    return _reached(keys, history)


def bound_places(code: int) -> dict[int, int]:
    """Map positions to the earlier position with the same entity, from ``table.code_of``."""
    return {place: group[0] for group in groups_of(code) for place in group[1:]}


def _chain_keys(history: History, chains: Chains, *, distinct_facts: bool) -> Ids:
    """Packed (asker, last entity, first time) of each chain with valid timestamps."""
    ordered, times = timed(history, chains, distinct_facts=distinct_facts)
    size = history.vocabulary
    ends = ordered.asker * size.entities + ordered.entities[-1]
    keys: Ids = ends * size.times + times[0]
    return keys


def _latest(keys: Ids, times: int) -> Ids:
    """Sort keys and keep the latest time of each asker and entity."""
    keys.sort()
    pairs = keys // times
    kept = np.ones(len(pairs), dtype=np.bool_)
    kept[:-1] = pairs[1:] != pairs[:-1]
    return keys[kept]


def _reached(parts: Sequence[Ids], history: History) -> ReachedEntities:
    size = history.vocabulary
    keys = _latest(np.concatenate([np.empty(0, np.int64), *parts]), size.times)
    pairs, times = np.divmod(keys, size.times)
    askers, entities = np.divmod(pairs, size.entities)
    return ReachedEntities(asker=askers, entity=entities, time=times)
