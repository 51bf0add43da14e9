"""Chains of triples that match bodies of rules: many bodies are followed at once, as joins.

A triple's times count later: a chain of triples is followed once however often its facts repeat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from solver.rules.history import History, Mask
from solver.tkg.index import expand
from solver.tkg.quadruples import Ids

MOST_CHAINS = 1_000_000
"""Chains that are held in memory at once, unless a single step of one chain leads on to more."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chains:
    """Rows of chains of one length.

    Attributes:
        asker: which of the bodies asked about.
        entities: that the chain passes, one column more than triples.
        triples: numbers in the history, a column each.
    """

    asker: Ids
    entities: tuple[Ids, ...]
    triples: tuple[Ids, ...] = ()

    def take(self, chosen: Ids | Mask | slice) -> Chains:
        """Some of the chains."""
        return replace(
            self,
            asker=self.asker[chosen],
            entities=tuple(column[chosen] for column in self.entities),
            triples=tuple(column[chosen] for column in self.triples),
        )

    def onward(self, entities: Ids, triples: Ids) -> Chains:
        """The chains, each one triple longer."""
        return replace(self, entities=(*self.entities, entities), triples=(*self.triples, triples))


def follow(
    history: History, chains: Chains, bodies: Ids, bound: dict[int, int]
) -> Iterator[Chains]:
    """Lengthen chains until they match whole bodies; given in parts that memory holds.

    Args:
        history: the facts that count.
        chains: what there is of them; their entities at first.
        bodies: relations, shape (askers, length).
        bound: positions that hold the entity of an earlier position, and which.
    """
    place = len(chains.triples)
    if place == bodies.shape[1]:
        yield chains
        return
    relations = bodies[chains.asker, place]
    if place + 1 in bound:
        goals = chains.entities[bound[place + 1]]
        triples, held = history.numbers(chains.entities[-1], relations, goals)
        longer = chains.take(held).onward(goals[held], triples[held])
        yield from follow(history, _possible(history, longer), bodies, bound)
        return
    begins, ends = history.leaving(chains.entities[-1], relations)
    for part in _parts(ends - begins):
        rows, triples = expand(begins[part], ends[part])
        longer = chains.take(part).take(rows).onward(history.tails[triples], triples)
        yield from follow(history, _possible(history, longer), bodies, bound)


def timed(history: History, chains: Chains) -> tuple[Chains, tuple[Ids, ...]]:
    """Give each chain the latest times that its facts can have, in order of time.

    From the last fact back each is as late as the next one allows, so the first is as late as in
    any grounding of the chain.

    Returns:
        The chains that can be in order of time, and a column of times for each triple.
    """
    times: tuple[Ids, ...] = (history.last[chains.triples[-1]],)
    for triples in chains.triples[-2::-1]:
        times = (history.latest(triples, times[0]), *times)
        # Those that cannot go on stay until the end, with a bound that nothing is before.
    possible = times[0] >= 0
    return chains.take(possible), tuple(column[possible] for column in times)


def _possible(history: History, chains: Chains) -> Chains:
    """Leave out chains whose last triple has ended before the one before it began."""
    if len(chains.triples) == 1:
        return chains
    before, after = chains.triples[-2:]
    return chains.take(history.last[after] >= history.first[before])


def _parts(counts: Ids) -> Iterator[slice]:
    """Cut rows so that the counts of each part stay within memory, if single ones do."""
    total = np.cumsum(counts)
    begin = 0
    while begin < len(counts):
        limit = MOST_CHAINS + (int(total[begin - 1]) if begin else 0)
        end = max(int(np.searchsorted(total, limit, side="right")), begin + 1)
        yield slice(begin, end)
        begin = end
