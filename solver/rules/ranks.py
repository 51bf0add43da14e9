"""Ranks of the true answers in the time-aware filtered setting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.rules.queries import Candidates
from solver.tkg.index import Index, expand
from solver.tkg.quadruples import Ids, Quadruples


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
