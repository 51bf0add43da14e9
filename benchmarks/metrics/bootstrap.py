"""Bootstrap intervals: items are resampled with replacement (Efron 1979).

Each kind of score keeps its own stream of random numbers, so that published intervals stay the
same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.metrics.ranking import Numbers
from solver.graph.model import Ids
from solver.seeding import seed_of

RESAMPLES = 1_000
LEVEL = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """The 2.5% and the 97.5% quantile of the resamples."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A value with its 95% bootstrap interval."""

    value: float
    low: float
    high: float

    def rounded(self, digits: int) -> Estimate:
        """Round all numbers."""
        value, low, high = (round(one, digits) for one in (self.value, self.low, self.high))
        return Estimate(value=value, low=low, high=high)


def quantiles(values: Numbers) -> Numbers:
    """The 2.5% and the 97.5% quantile over the first axis: (resamples, ...) -> (2, ...)."""
    ends: Numbers = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return ends


def estimate(value: float, drawn: Numbers) -> Estimate:
    """A value with the interval of its resamples, shape (resamples,)."""
    low, high = quantiles(drawn).tolist()
    return Estimate(value=value, low=low, high=high)


def resampled_counts(
    counts: NDArray[np.int64], *, source: np.random.Generator, resamples: int
) -> NDArray[np.int64]:
    """Resample the items of a table of counts: shape -> (resamples, *shape).

    Resampling items is resampling cells by their shares.
    """
    total = int(counts.sum())
    drawn = source.multinomial(total, counts.ravel() / total, size=resamples)
    return drawn.reshape(resamples, *counts.shape)


def resampled_sums(
    columns: Numbers, *, seed: tuple[int | str, ...], resamples: int, block: int
) -> Numbers:
    """Resample rows and sum the columns: (rows, columns) -> (resamples, columns).

    Args:
        columns: one row per resampled unit.
        seed: parts of the random seed.
        resamples: number of resamples.
        block: number of resamples in memory.
    """
    rows = len(columns)
    source = np.random.Generator(np.random.PCG64(seed_of(*seed)))
    sums = np.empty((resamples, columns.shape[1]))
    for begin in range(0, resamples, block):
        size = min(block, resamples - begin)
        draws = source.integers(rows, size=(size, rows))
        counts = np.stack([np.bincount(draw, minlength=rows) for draw in draws])
        sums[begin : begin + size] = counts @ columns
    return sums


_BLOCK = 100
_CELLS = 8_000_000
"""Maximum number of resamples, and of sampled events, in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BootstrapResult:
    """Bootstrap results of each model.

    Attributes:
        intervals: confidence intervals of the means.
        leading: share of resamples in which the model has the highest mean, in [0, 1].
    """

    intervals: tuple[Interval, ...]
    leading: tuple[float, ...]


def bootstrap(
    values: Numbers,
    weights: Numbers,
    *,
    units: Ids | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> BootstrapResult:
    """Cluster bootstrap of weighted means: resample units, each with all its queries.

    Args:
        values: the values to average, shape (models, queries).
        weights: positive weights of the queries.
        units: unit of each query, numbered contiguously from 0; by default the event, with the
            queries of the second direction after all of the first.
        seed: random seed; resamples are paired across models.
        resamples: number of resamples.
    """
    if units is None:
        units = np.arange(values.shape[1]) % (values.shape[1] // 2)
    events = int(units.max()) + 1
    columns = np.stack(
        [np.bincount(units, one, events) for one in (*(values * weights), weights)], axis=1
    )
    totals = resampled_sums(
        columns.astype(np.float64),
        seed=(seed, "ranking", "bootstrap"),
        resamples=resamples,
        block=max(1, min(_BLOCK, _CELLS // events)),
    )
    means = totals[:, :-1] / totals[:, -1:]
    first = np.bincount(means.argmax(axis=1), minlength=len(values)) / resamples
    return BootstrapResult(
        intervals=tuple(Interval(low=low, high=high) for low, high in quantiles(means).T.tolist()),
        leading=tuple(first.tolist()),
    )
