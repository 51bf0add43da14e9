"""Significance tests: of the difference between two samples, and exact ones of counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import lgamma, log

import numpy as np
from numpy.typing import NDArray

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
    numbers: Numbers, other: Numbers, *, paired: bool, seed: int = 0, resamples: int = RESAMPLES
) -> Difference:
    """Test the difference in mean of two samples, at least one value each.

    The p-value is exact if there are at most ``resamples`` permutations. Source: Fisher 1935;
    computed by scipy.

    Args:
        numbers: first sample.
        other: second sample.
        paired: permute the signs of differences, otherwise the assignment of values to samples.
        seed: random seed.
        resamples: number of resamples.
    """
    require("the permutation test", "scipy")
    from scipy.stats import permutation_test

    value = float(numbers.mean() - other.mean())
    size = len(numbers) if paired else len(numbers) + len(other)
    if size < 2 + (not paired) or (not paired and min(len(numbers), len(other)) < 1):
        return Difference(difference=value, p=1.0)
    found = permutation_test(
        (numbers, other),
        _mean_difference,
        permutation_type="samples" if paired else "independent",
        vectorized=True,
        n_resamples=resamples,
        batch=max(1, _BATCH // size),
        rng=np.random.Generator(np.random.PCG64(seed_of(seed, "quadruples", "permutation"))),
    )
    return Difference(difference=value, p=float(found.pvalue))


def _mean_difference(numbers: Numbers, other: Numbers, axis: int = -1) -> Numbers:
    difference: Numbers = numbers.mean(axis=axis) - other.mean(axis=axis)
    return difference


def welch_test(numbers: Numbers, other: Numbers) -> tuple[float, float]:
    """Welch's test of equal means: t, and the two-sided p. Source: Welch 1947."""
    require("the test of strikingness", "scipy")
    from scipy.stats import ttest_ind

    found = ttest_ind(numbers, other, equal_var=False)
    return float(found.statistic), float(found.pvalue)


def mann_whitney_test(numbers: Numbers, other: Numbers) -> tuple[float, float]:
    """One-sided test that the first sample is greater: U, and p. Source: Mann and Whitney 1947."""
    require("the test of strikingness", "scipy")
    from scipy.stats import mannwhitneyu

    found = mannwhitneyu(numbers, other, alternative="greater")
    return float(found.statistic), float(found.pvalue)


_STEPS = 40


def binomial_tail(hits: int, total: int, share: float = 0.5) -> float:
    """The probability of at least that many hits among independent trials.

    Args:
        hits: from 0 to ``total``.
        total: number of trials.
        share: probability of a hit, in [0, 1].
    """
    if hits <= 0 or share >= 1:
        return 1.0
    if share <= 0:
        return 0.0
    counts = np.arange(hits, total + 1)
    logs = _log_choose(total)[hits:] + counts * log(share) + (total - counts) * log(1 - share)
    return min(float(np.exp(logs).sum()), 1.0)


def share_interval(hits: int, total: int, level: float) -> tuple[float, float]:
    """An interval for the probability of a hit (Clopper and Pearson 1934).

    Each bound is violated with a probability of at most ``level / 2``; without trials it is
    [0, 1].
    """
    low, high = 0.0, 1.0
    if hits > 0:
        low = _root(lambda share: binomial_tail(hits, total, share) - level / 2)
    if hits < total:
        high = _root(lambda share: level / 2 - 1 + binomial_tail(hits + 1, total, share))
    return low, high


def _root(rising: Callable[[float], float]) -> float:
    """Where a rising function on [0, 1] crosses 0, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2


def hypergeometric_test(hits: int, drawn: int, marked: int, total: int) -> float:
    """Two-sided p-value of the number of marked units among those drawn without replacement.

    Twice the smaller tail, at most 1 (Fisher's exact test of a two-by-two table).
    """
    least, most = max(0, drawn + marked - total), min(drawn, marked)
    counts = np.arange(least, most + 1)
    logs = _log_choose(marked)[counts] + _log_choose(total - marked)[drawn - counts]
    weights = np.exp(logs - _log_choose(total)[drawn])
    place = hits - least
    return min(1.0, 2 * float(min(weights[: place + 1].sum(), weights[place:].sum())))


def holm(values: Sequence[float]) -> list[float]:
    """p-values that control the family-wise error rate; in [0, 1]. Source: Holm 1979."""
    corrected = [0.0] * len(values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        largest = max(largest, min(1.0, (len(values) - rank) * values[place]))
        corrected[place] = largest
    return corrected


@lru_cache(maxsize=4096)
def _log_choose(total: int) -> NDArray[np.float64]:
    """Logarithms of the binomial coefficients of ``total`` and 0, 1, ..., ``total``."""
    factorials = np.array([lgamma(k + 1) for k in range(total + 1)])
    coefficients: NDArray[np.float64] = factorials[-1] - factorials - factorials[::-1]
    return coefficients
