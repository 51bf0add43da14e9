"""Ensembles of two models: their scores mixed, by a share found on other queries (RSMF, eq. 12)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.ranking.filters import Filtered
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
        share: the eta of eq. 12, in [0, 1].
    """

    first: Scorer
    second: Scorer
    share: float

    @property
    def model(self) -> str:
        """Its name, with the share."""
        return f"{self.share:g} {self.first.model} + {1 - self.share:g} {self.second.model}"

    def block(self, rows: Ids) -> Numbers:
        """Scores of some queries, shape (rows, entities)."""
        first, second = self.first.block(rows), self.second.block(rows)
        mixed: Numbers = self.share * first + (1 - self.share) * second
        return mixed


def search(
    first: Scorer, second: Scorer, queries: Queries, filtered: Filtered
) -> tuple[tuple[float, float], ...]:
    """The MRR of each share on some queries, those of the validation split."""
    found = []
    for share in SHARES:
        mixed = Ensemble(first=first, second=second, share=share)
        ranks = place(mixed, queries, filtered).ranks(Tie.REALISTIC)
        found.append((share, mrr(ranks)))
    return tuple(found)


def best(tried: tuple[tuple[float, float], ...]) -> float:
    """The share with the greatest MRR; of equals the least."""
    return tried[int(np.argmax([figure for _, figure in tried]))][0]
