"""Significance tests of the difference between two samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.metrics.ranking import Numbers
from solver.extras import require
from solver.seeding import seed_of

RESAMPLES = 9_999
_BATCH = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The difference between the means of two samples.

    Attributes:
        difference: mean of the first minus mean of the second sample.
        p: two-sided p-value, (b + 1) / (m + 1) with m resamples of which b differ as much.
    """

    difference: float
    p: float


def permutation_test(
    one: Numbers, other: Numbers, *, paired: bool, seed: int = 0, resamples: int = RESAMPLES
) -> Difference:
    """Test the difference in mean of two samples, at least one value each.

    The p-value is exact if there are at most ``resamples`` permutations. Source: Fisher 1935;
    computed by scipy.

    Args:
        one: first sample.
        other: second sample.
        paired: permute the signs of differences, otherwise the assignment of values to samples.
        seed: random seed.
        resamples: number of resamples.
    """
    require("the permutation test", "scipy")
    from scipy.stats import permutation_test

    value = float(one.mean() - other.mean())
    size = len(one) if paired else len(one) + len(other)
    if size < 2 + (not paired) or (not paired and min(len(one), len(other)) < 1):
        return Difference(difference=value, p=1.0)
    found = permutation_test(
        (one, other),
        _mean_difference,
        permutation_type="samples" if paired else "independent",
        vectorized=True,
        n_resamples=resamples,
        batch=max(1, _BATCH // size),
        rng=np.random.Generator(np.random.PCG64(seed_of(seed, "quadruples", "permutation"))),
    )
    return Difference(difference=value, p=float(found.pvalue))


def _mean_difference(one: Numbers, other: Numbers, axis: int = -1) -> Numbers:
    difference: Numbers = one.mean(axis=axis) - other.mean(axis=axis)
    return difference


def welch_test(one: Numbers, other: Numbers) -> tuple[float, float]:
    """Welch's test of equal means: t, and the two-sided p. Source: Welch 1947."""
    require("the test of strikingness", "scipy")
    from scipy.stats import ttest_ind

    found = ttest_ind(one, other, equal_var=False)
    return float(found.statistic), float(found.pvalue)


def mann_whitney_test(one: Numbers, other: Numbers) -> tuple[float, float]:
    """One-sided test that the first sample is greater: U, and p. Source: Mann and Whitney 1947."""
    require("the test of strikingness", "scipy")
    from scipy.stats import mannwhitneyu

    found = mannwhitneyu(one, other, alternative="greater")
    return float(found.statistic), float(found.pvalue)
