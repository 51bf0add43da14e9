"""Pairs of facts of one time that share a party, the basis of 2-hop questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solver.tkg.index import expand
from solver.tkg.quadruples import Ids, Quadruples

_PAIRS = 1 << 21
"""Pairs in memory at once, unless a single fact has more."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Arcs:
    """Facts as seen from either of their ends, which differ; sorted by time and party.

    Attributes:
        party: the end that is shared; other: the one at the far end.
        relation: of the fact if the party is its subject, else its inverse ``r + relations``.
        relations: how many there are, with inverses.
    """

    time: Ids
    party: Ids
    relation: Ids
    other: Ids
    relations: int

    def __len__(self) -> int:
        return len(self.time)

    @classmethod
    def of(cls, facts: Quadruples, relations: int) -> Arcs:
        """Look at facts, each once, from both ends; an entity is no neighbour of itself."""
        apart = facts.take(facts.head != facts.tail).both_ways(relations).by_time()
        return cls(
            time=apart.time,
            party=apart.head,
            relation=apart.relation,
            other=apart.tail,
            relations=2 * relations,
        )

    def pairs(self) -> Iterator[tuple[Ids, Ids]]:
        """Pairs of rows that share time and party, and differ in relation and in the other end.

        Yields:
            First and second rows; all pairs of a first row are in one chunk.
        """
        same = (self.time[1:] == self.time[:-1]) & (self.party[1:] == self.party[:-1])
        starts = np.flatnonzero(np.append(True, ~same)[: len(self)])
        group = np.searchsorted(starts, np.arange(len(self)), side="right") - 1
        begins, ends = starts[group], np.append(starts[1:], len(self))[group]
        reached = np.cumsum(ends - begins)
        row = 0
        while row < len(self):
            before = reached[row - 1] if row else 0
            until = int(np.searchsorted(reached, before + _PAIRS, side="right"))
            until = max(until, row + 1)
            first, second = expand(begins[row:until], ends[row:until])
            first += row
            differ = self.other[first] != self.other[second]
            differ &= self.relation[first] != self.relation[second]
            yield first[differ], second[differ]
            row = until
