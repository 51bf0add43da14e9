"""Ranks of the true answers in the time-aware filtered setting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from solver.graph.index import Index, expand
from solver.graph.model import Ids, Quadruples
from solver.rules.scores import Scores


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """Ranked candidates of queries, grouped by query, best first; ties are in order of entity id.

    Attributes:
        offsets: candidates of query ``k`` are rows ``offsets[k]`` to ``offsets[k + 1]``.
        entity: the candidates.
        score: their scores in [0, 1]; comparable only between queries of equal ``ruled``.
        ruled: for each query, whether rules predict its candidates; otherwise they are the most
            frequent objects of its relation.
    """

    offsets: Ids
    entity: Ids
    score: Scores
    ruled: np.ndarray[tuple[int], np.dtype[np.bool_]]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def rows(self, query: int) -> slice:
        """The rows of the candidates of one query."""
        return slice(int(self.offsets[query]), int(self.offsets[query + 1]))

    @classmethod
    def joined(cls, parts: Sequence[Candidates]) -> Candidates:
        """Concatenate the candidates of several batches of queries."""
        counts = [np.diff(part.offsets) for part in parts]
        return cls(
            offsets=np.cumsum(np.concatenate([np.zeros(1, np.int64), *counts])),
            entity=np.concatenate([np.empty(0, np.int64), *(part.entity for part in parts)]),
            score=np.concatenate([np.empty(0), *(part.score for part in parts)]),
            ruled=np.concatenate([np.empty(0, np.bool_), *(part.ruled for part in parts)]),
        )

    def take(self, chosen: Ids) -> Candidates:
        """Select queries by number, in the given order."""
        begins, ends = self.offsets[chosen], self.offsets[chosen + 1]
        _, rows = expand(begins, ends)
        return Candidates(
            offsets=np.append(0, np.cumsum(ends - begins)),
            entity=self.entity[rows],
            score=self.score[rows],
            ruled=self.ruled[chosen],
        )


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

    def values(self, tie: Tie) -> Scores:
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


def filtered_ranks(candidates: Candidates, numbers: Ids, facts: Quadruples, entities: int) -> Ranks:
    """Rank the tails of facts among the candidates of their queries.

    Time-aware filtered setting: other true tails of a query are removed from its ranking.

    Args:
        candidates: candidates of the queries.
        numbers: for each fact, the number of its query, as returned by ``Queries.of``.
        facts: the facts whose tails are ranked; all facts of the queried times.
        entities: number of entities; the rank of an answer that is not a candidate.
    """
    known = Index.of(numbers * entities + facts.tail)
    query = np.repeat(np.arange(len(candidates)), np.diff(candidates.offsets))
    right = known.contains(query * entities + candidates.entity)
    fact, rows = expand(candidates.offsets[numbers], candidates.offsets[numbers + 1])
    answers = candidates.entity[rows] == facts.tail[fact]
    scores = np.full(len(numbers), np.nan)
    scores[fact[answers]] = candidates.score[rows[answers]]
    # Answers that are not candidates have score NaN, for which all comparisons are false.
    others = ~right[rows]
    above = others & (candidates.score[rows] > scores[fact])
    level = others & (candidates.score[rows] == scores[fact])
    found = ~np.isnan(scores)
    better = np.bincount(fact[above], minlength=len(numbers))
    tied = np.bincount(fact[level], minlength=len(numbers)) + 1
    return Ranks(better=np.where(found, better, entities - 1), tied=np.where(found, tied, 1))
