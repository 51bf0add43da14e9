"""Ranks of the true answers in the time-aware filtered setting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranks:
    """Ranks of true answers, from 1; the number of entities if the answer is not a candidate.

    Attributes:
        optimistic: the answer is ranked before tied candidates.
        realistic: mean of the optimistic and the pessimistic rank.
        pessimistic: the answer is ranked after tied candidates.
    """

    optimistic: Ids
    realistic: NDArray[np.float64]
    pessimistic: Ids

    @classmethod
    def joined(cls, parts: Sequence[Ranks], rows: Sequence[Ids]) -> Ranks:
        """Merge the ranks of several parts of facts; ``rows`` are the rows of each part."""
        order = np.argsort(np.concatenate([np.empty(0, np.int64), *rows]))
        best, worst = (
            np.concatenate([np.empty(0, np.int64), *columns])[order]
            for columns in (
                [part.optimistic for part in parts],
                [part.pessimistic for part in parts],
            )
        )
        return cls(optimistic=best, realistic=(best + worst) / 2, pessimistic=worst)

    def figures(self) -> dict[str, dict[str, float]]:
        """MRR and Hits@1, 3 and 10 for each tie-breaking; in [0, 1], higher is better."""
        columns = {
            "optimistic": self.optimistic,
            "realistic": self.realistic,
            "pessimistic": self.pessimistic,
        }
        return {
            name: {"mrr": float((1 / ranks).mean())}
            | {f"hits@{cut}": float((ranks <= cut).mean()) for cut in (1, 3, 10)}
            for name, ranks in columns.items()
        }


def filtered_ranks(candidates: Candidates, numbers: Ids, facts: Quadruples, entities: int) -> Ranks:
    """Rank the tails of facts among the candidates of their queries.

    Time-aware filtered setting: other true tails of a query are removed from its ranking.

    Args:
        candidates: candidates of the queries.
        numbers: for each fact, the number of its query, as returned by ``Queries.of``.
        facts: the facts whose tails are ranked; all facts of the queried times.
        entities: number of entities.
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
    best = np.bincount(fact[above], minlength=len(numbers)) + 1
    worst = best + np.bincount(fact[level], minlength=len(numbers))
    best, worst = np.where(found, best, entities), np.where(found, worst, entities)
    return Ranks(optimistic=best, realistic=(best + worst) / 2, pessimistic=worst)
