"""Significance tests: are striking events harder to predict (RSMF, D.2)?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from benchmarks.ranking.tables import Numbers
from solver.extras import require

LOW, HIGH = 0.2, 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Hits@k of a model on events of low (sk < .2) and of high strikingness (sk > .8).

    Attributes:
        low: Hits@k at low strikingness, in [0, 1].
        high: Hits@k at high strikingness, in [0, 1].
        welch: t of Welch's test of equal means, and its two-sided p.
        mann_whitney: U of the one-sided test that low is greater, and its p.
    """

    model: str
    cut: int
    low: float
    high: float
    queries: tuple[int, int]
    welch: tuple[float, float]
    mann_whitney: tuple[float, float]


def compare(
    ranks: Mapping[str, Numbers], strikingness: Numbers, *, cuts: tuple[int, ...] = (1, 3)
) -> tuple[Comparison, ...]:
    """Test each model; skipped if either sample has fewer than two queries, or both no variance."""
    values = np.tile(strikingness, 2)
    found = []
    for model, one in ranks.items():
        for cut in cuts:
            right = (one <= cut).astype(np.float64)
            low, high = right[values < LOW], right[values > HIGH]
            if min(len(low), len(high)) >= 2 and (low.var() or high.var()):
                found.append(_comparison(model, cut, low, high))
    return tuple(found)


def _comparison(model: str, cut: int, low: Numbers, high: Numbers) -> Comparison:
    require("the test of strikingness", "scipy")
    from scipy.stats import mannwhitneyu, ttest_ind

    welch = ttest_ind(low, high, equal_var=False)
    ranked = mannwhitneyu(low, high, alternative="greater")
    return Comparison(
        model=model,
        cut=cut,
        low=float(low.mean()),
        high=float(high.mean()),
        queries=(len(low), len(high)),
        welch=(float(welch.statistic), float(welch.pvalue)),
        mann_whitney=(float(ranked.statistic), float(ranked.pvalue)),
    )
