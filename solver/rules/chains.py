"""Joins that match rule bodies with chains of triples, for many bodies at once.

Timestamps are resolved afterwards: a chain of triples is followed once however often its facts
repeat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from solver.rules.history import History, Mask
from solver.tkg.index import expand
from solver.tkg.quadruples import Ids

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


def timed(history: History, chains: Chains) -> tuple[Chains, tuple[Ids, ...]]:
    """Assign each chain the latest non-decreasing timestamps of its facts.

    Going back from the last fact, each is as late as the next one allows, so that the first is as
    late as in any grounding of the chain.

    Returns:
        The chains that have such timestamps, and one column of times per triple.
    """
    times: tuple[Ids, ...] = (history.last[chains.triples[-1]],)
    for triples in chains.triples[-2::-1]:
        times = (history.latest(triples, times[0]), *times)
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
