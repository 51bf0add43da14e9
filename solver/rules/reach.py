"""Finds the entities that rule bodies lead to, with the latest start time of a grounding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from solver.graph.model import Ids, expand
from solver.rules.graph import History, Mask
from solver.rules.model import groups_of

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
        each = (_keys(history, part, distinct_facts=distinct_facts) for part in whole)
        keys += [_latest(part, history.vocabulary.times) for part in each]
    return _reached(keys, history)


def bound_places(code: int) -> dict[int, int]:
    """Map positions to the earlier position with the same entity, from ``table.code_of``."""
    return {place: group[0] for group in groups_of(code) for place in group[1:]}


def _keys(history: History, chains: Chains, *, distinct_facts: bool) -> Ids:
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
