"""Exact tests of counts, and Holm's correction for the number of tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import lgamma, log

import numpy as np
from numpy.typing import NDArray

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


def holm(values: Sequence[float], level: float) -> list[bool]:
    """Which hypotheses are rejected (Holm 1979).

    The probability of any wrong rejection is at most ``level``, whatever the dependence.
    """
    rejected = [False] * len(values)
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        if values[place] > level / (len(values) - rank):
            break
        rejected[place] = True
    return rejected


@lru_cache(maxsize=4096)
def _log_choose(total: int) -> NDArray[np.float64]:
    """Logarithms of the binomial coefficients of ``total`` and 0, 1, ..., ``total``."""
    factorials = np.array([lgamma(k + 1) for k in range(total + 1)])
    coefficients: NDArray[np.float64] = factorials[-1] - factorials - factorials[::-1]
    return coefficients
