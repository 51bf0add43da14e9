"""Queries for the missing tail of a fact, and the candidates that answer them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from solver.rules.scores import Scores
from solver.tkg.index import Index, expand
from solver.tkg.quadruples import Ids, Quadruples


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Queries:
    """Queries ``(head, relation, ?, time)``, a row each; a missing head is a tail of the inverse.

    Attributes:
        head: entity; relation: it or an inverse, ``r + relations``; time: asked about.
    """

    head: Ids
    relation: Ids
    time: Ids

    def __len__(self) -> int:
        return len(self.head)

    @classmethod
    def of(cls, facts: Quadruples) -> tuple[Queries, Ids]:
        """The queries that some facts answer, each once, sorted by time, head and relation.

        Returns:
            The queries, and the number of its query for each fact.
        """
        rows = np.stack((facts.time, facts.head, facts.relation), axis=1)
        each, numbers = np.unique(rows, axis=0, return_inverse=True)
        queries = cls(head=each[:, 1], relation=each[:, 2], time=each[:, 0])
        return queries, numbers.reshape(-1)

    @classmethod
    def single(cls, head: int, relation: int, time: int) -> Queries:
        """One query."""
        return cls(head=np.array([head]), relation=np.array([relation]), time=np.array([time]))

    def take(self, chosen: Ids) -> Queries:
        """Some of the queries, by their numbers."""
        return Queries(
            head=self.head[chosen], relation=self.relation[chosen], time=self.time[chosen]
        )

    def by_time(self) -> Iterator[tuple[int, Ids]]:
        """Each time asked about, ascending, with the numbers of its queries."""
        index = Index.of(self.time)
        for time in np.unique(self.time).tolist():
            yield time, index.rows(time)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """Entities that may answer queries; those of one query stand together, the best first.

    Ties stand in the order of their ids.

    Attributes:
        offsets: candidates of query ``k`` are rows ``offsets[k]`` to ``offsets[k + 1]``.
        entity: the candidates; score: theirs, in [0, 1], not comparable where ``ruled`` differs.
        ruled: for each query whether rules gave its candidates; otherwise they are the objects
            that the relation has most often.
    """

    offsets: Ids
    entity: Ids
    score: Scores
    ruled: np.ndarray[tuple[int], np.dtype[np.bool_]]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def rows(self, query: int) -> slice:
        """The rows of one query."""
        return slice(int(self.offsets[query]), int(self.offsets[query + 1]))

    @classmethod
    def joined(cls, parts: Sequence[Candidates]) -> Candidates:
        """The queries of several, one after the other."""
        counts = [np.diff(part.offsets) for part in parts]
        return cls(
            offsets=np.cumsum(np.concatenate([np.zeros(1, np.int64), *counts])),
            entity=np.concatenate([np.empty(0, np.int64), *(part.entity for part in parts)]),
            score=np.concatenate([np.empty(0), *(part.score for part in parts)]),
            ruled=np.concatenate([np.empty(0, np.bool_), *(part.ruled for part in parts)]),
        )

    def take(self, chosen: Ids) -> Candidates:
        """Some of the queries, by their numbers, in this order."""
        begins, ends = self.offsets[chosen], self.offsets[chosen + 1]
        _, rows = expand(begins, ends)
        return Candidates(
            offsets=np.append(0, np.cumsum(ends - begins)),
            entity=self.entity[rows],
            score=self.score[rows],
            ruled=self.ruled[chosen],
        )
