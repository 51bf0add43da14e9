"""Intervals: by the bootstrap, and of Student's t over seeds.

Items are resampled with replacement (Efron 1979). Each kind of score keeps its own stream of random
numbers, so that published intervals stay the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.metrics.ranking import Numbers
from solver.graph.model import Ids
from solver.report.charts import Series
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
        value, low, high = (round(figure, digits) for figure in (self.value, self.low, self.high))
        return Estimate(value=value, low=low, high=high)


def estimate_series(name: str, estimates: Sequence[Estimate]) -> Series:
    """The series of a chart, with intervals."""
    ends = {end: [getattr(figure, end) for figure in estimates] for end in ("low", "high")}
    return Series(name=name, values=[figure.value for figure in estimates], **ends)


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
        [np.bincount(units, column, events) for column in (*(values * weights), weights)], axis=1
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


# 97.5% quantiles of Student's t by degrees of freedom from 1, and that of the normal distribution.
_STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
_NORMAL = 1.959964


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """A mean over seeds with half the width of its 95% interval; 0 for a single seed."""

    value: float
    half: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        """The mean of at least one value."""
        size = len(values)
        if size == 1:
            return cls(value=float(values[0]), half=0.0)
        deviation = float(np.std(values, ddof=1))
        return cls(value=float(np.mean(values)), half=_quantile(size - 1) * deviation / size**0.5)

    def __str__(self) -> str:
        """Format as ``.123 ± .004``."""
        return f"{self.value:.3f} ± {self.half:.3f}"

    def as_json(self) -> dict[str, float]:
        """Rounded numbers."""
        return {"mean": round(self.value, 5), "half": round(self.half, 5)}


def _quantile(degrees: int) -> float:
    """The 97.5% quantile of Student's t, to three decimals.

    Beyond the table it is the expansion of Fisher and Cornish (1960) around that of the normal
    distribution.
    """
    if degrees <= len(_STUDENT):
        return _STUDENT[degrees - 1]
    z = _NORMAL
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / degrees + second / degrees**2 + third / degrees**3
