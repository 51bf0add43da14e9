"""Ensembles of two models: a weighted mean of their scores, tuned on validation (RSMF, eq. 12)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.ranking.filters import FilteredAnswers
from benchmarks.ranking.metrics import mrr
from benchmarks.ranking.placing import Scorer, place
from benchmarks.ranking.queries import Queries
from benchmarks.ranking.tables import Numbers
from benchmarks.ranking.ties import Tie
from solver.tkg.quadruples import Ids

SHARES = tuple(n / 10 for n in range(11))
"""The grid of RSMF, appendix B.2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ensemble:
    """Scores ``share * first + (1 - share) * second``.

    Attributes:
        share: weight of the first model, in [0, 1]; eta of eq. 12.
    """

    first: Scorer
    second: Scorer
    share: float

    @property
    def model(self) -> str:
        """Name of the ensemble, with the weights."""
        return f"{self.share:g} {self.first.model} + {1 - self.share:g} {self.second.model}"

    def block(self, rows: Ids) -> Numbers:
        """Scores of some queries, shape (rows, entities)."""
        first, second = self.first.block(rows), self.second.block(rows)
        mixed: Numbers = self.share * first + (1 - self.share) * second
        return mixed


def search(
    first: Scorer, second: Scorer, queries: Queries, filtered: FilteredAnswers
) -> tuple[tuple[float, float], ...]:
    """The MRR of each share in ``SHARES`` on the validation queries."""
    found = []
    for share in SHARES:
        mixed = Ensemble(first=first, second=second, share=share)
        ranks = place(mixed, queries, filtered).ranks(Tie.REALISTIC)
        found.append((share, mrr(ranks)))
    return tuple(found)


def best(tried: tuple[tuple[float, float], ...]) -> float:
    """The share with the highest MRR; the smallest in case of ties."""
    return tried[int(np.argmax([figure for _, figure in tried]))][0]
