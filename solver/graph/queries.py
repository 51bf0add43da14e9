"""Queries about a graph, and ranks of their true answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from solver.graph.model import Ids, Index, Quadruples


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Queries:
    """Queries ``(head, relation, ?, time)``; head queries use the inverse relation.

    Attributes:
        head: the known entity.
        relation: a relation ``r``, or its inverse ``r + relations``.
        time: the time of the query.
    """

    head: Ids
    relation: Ids
    time: Ids

    def __len__(self) -> int:
        return len(self.head)

    @classmethod
    def of(cls, facts: Quadruples) -> tuple[Queries, Ids]:
        """The distinct tail queries of some facts, sorted by time, head and relation.

        Returns:
            The queries, and for each fact the number of its query.
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
        """Select queries by number."""
        return Queries(
            head=self.head[chosen], relation=self.relation[chosen], time=self.time[chosen]
        )

    def by_time(self) -> Iterator[tuple[int, Ids]]:
        """Yield each query time, ascending, with the numbers of its queries."""
        index = Index.of(self.time)
        for time in np.unique(self.time).tolist():
            yield time, index.rows(time)


class Tie(StrEnum):
    """Tie-breaking: the rank of an answer among candidates of the same score."""

    OPTIMISTIC = "optimistic"
    REALISTIC = "realistic"
    PESSIMISTIC = "pessimistic"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranks:
    """Ranks of true answers among scored candidates.

    Attributes:
        better: candidates that score higher than the answer.
        tied: candidates that score the same, including the answer; at least 1.
    """

    better: Ids
    tied: Ids

    def __len__(self) -> int:
        return len(self.better)

    @classmethod
    def joined(cls, parts: Sequence[Ranks], rows: Sequence[Ids]) -> Ranks:
        """Merge the ranks of several parts of facts; ``rows`` are the rows of each part."""
        nothing = np.empty(0, np.int64)
        order = np.argsort(np.concatenate([nothing, *rows]))
        return cls(
            better=np.concatenate([nothing, *(part.better for part in parts)])[order],
            tied=np.concatenate([nothing, *(part.tied for part in parts)])[order],
        )

    def values(self, tie: Tie) -> NDArray[np.float64]:
        """Ranks from 1: the best, mean or worst of the tied ranks."""
        match tie:
            case Tie.OPTIMISTIC:
                return (self.better + 1).astype(np.float64)
            case Tie.REALISTIC:
                return (2 * self.better + self.tied + 1) / np.float64(2)
            case Tie.PESSIMISTIC:
                return (self.better + self.tied).astype(np.float64)

    def figures(self) -> dict[str, dict[str, float]]:
        """MRR and Hits@1, 3 and 10 for each tie-breaking; in [0, 1], higher is better."""
        return {
            tie.value: {"mrr": float((1 / ranks).mean())}
            | {f"hits@{cut}": float((ranks <= cut).mean()) for cut in (1, 3, 10)}
            for tie, ranks in ((tie, self.values(tie)) for tie in Tie)
        }
