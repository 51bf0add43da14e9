"""The facts of a temporal knowledge graph as columns of integers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ids: TypeAlias = NDArray[np.int64]
"""Ids, times or row numbers; one-dimensional unless stated otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Quadruples:
    """Facts ``(head, relation, tail, time)`` in the order of their file.

    Four contiguous columns of the same length, ids from 0; treat them as read-only. Papers also
    call head and tail subject and object.
    """

    head: Ids
    relation: Ids
    tail: Ids
    time: Ids

    def __len__(self) -> int:
        return len(self.head)

    @classmethod
    def of(cls, rows: Ids) -> Quadruples:
        """Create from rows, shape (n, 4)."""
        columns = np.ascontiguousarray(rows.reshape(-1, 4).T, dtype=np.int64)
        return cls(head=columns[0], relation=columns[1], tail=columns[2], time=columns[3])

    @classmethod
    def joined(cls, *parts: Quadruples) -> Quadruples:
        """Concatenate sets of facts."""
        return cls.of(np.concatenate([np.empty((0, 4), np.int64), *(p.rows() for p in parts)]))

    def rows(self) -> Ids:
        """A new array of shape (n, 4): head, relation, tail, time."""
        return np.stack((self.head, self.relation, self.tail, self.time), axis=1)

    def take(self, chosen: NDArray[np.int64] | NDArray[np.bool_] | slice) -> Quadruples:
        """Select facts by row numbers, mask or slice."""
        return Quadruples(
            head=self.head[chosen],
            relation=self.relation[chosen],
            tail=self.tail[chosen],
            time=self.time[chosen],
        )

    def by_time(self) -> Quadruples:
        """Sort by time, head, relation and tail."""
        return self.take(np.lexsort((self.tail, self.relation, self.head, self.time)))

    def distinct(self) -> Quadruples:
        """Deduplicate, sorted as by ``by_time``."""
        ordered = self.by_time()
        rows = ordered.rows()
        kept = np.ones(len(rows), dtype=np.bool_)
        kept[1:] = (rows[1:] != rows[:-1]).any(axis=1)
        return ordered.take(kept)

    def once(self) -> Quadruples:
        """Deduplicate, keeping the first occurrences in order."""
        _, first = np.unique(self.rows(), axis=0, return_index=True)
        return self.take(np.sort(first))

    def inverted(self, relations: int) -> Quadruples:
        """Invert the facts: ``(tail, relation + relations, head, time)``.

        The inverse of an inverse is the original fact.

        Args:
            relations: number of relations without inverses.
        """
        inverse = np.where(
            self.relation < relations, self.relation + relations, self.relation - relations
        )
        return Quadruples(head=self.tail, relation=inverse, tail=self.head, time=self.time)

    def both_ways(self, relations: int) -> Quadruples:
        """The facts followed by their inverses."""
        return Quadruples.joined(self, self.inverted(relations))
