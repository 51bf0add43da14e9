"""Where the right answer stands among the candidates, other right answers left out."""

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
    """Ranks of the answers to queries, from 1; equal to the number of entities if not found.

    Attributes:
        optimistic: with ties behind the answer; pessimistic: before it; realistic: their mean.
    """

    optimistic: Ids
    realistic: NDArray[np.float64]
    pessimistic: Ids

    @classmethod
    def joined(cls, parts: Sequence[Ranks], rows: Sequence[Ids]) -> Ranks:
        """The ranks of several parts of facts, each put into its rows; together all rows."""
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
        """MRR and Hits@1, 3 and 10 by how ties are broken; each in [0, 1], higher is better."""
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

    The filter is time-aware: other tails of a query leave the ranking.

    Args:
        candidates: of the queries.
        numbers: for each fact that of its query, as ``Queries.of`` gives it.
        facts: whose tails are the answers; all facts of the times asked about.
        entities: how many there are.
    """
    known = Index.of(numbers * entities + facts.tail)
    query = np.repeat(np.arange(len(candidates)), np.diff(candidates.offsets))
    right = known.contains(query * entities + candidates.entity)
    asked, rows = expand(candidates.offsets[numbers], candidates.offsets[numbers + 1])
    answers = candidates.entity[rows] == facts.tail[asked]
    scores = np.full(len(numbers), np.nan)
    scores[asked[answers]] = candidates.score[rows[answers]]
    # No comparison with the missing score of an answer that is no candidate holds.
    others = ~right[rows]
    above = others & (candidates.score[rows] > scores[asked])
    level = others & (candidates.score[rows] == scores[asked])
    found = ~np.isnan(scores)
    best = np.bincount(asked[above], minlength=len(numbers)) + 1
    worst = best + np.bincount(asked[level], minlength=len(numbers))
    best, worst = np.where(found, best, entities), np.where(found, worst, entities)
    return Ranks(optimistic=best, realistic=(best + worst) / 2, pessimistic=worst)
