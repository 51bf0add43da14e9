"""Bootstrap confidence intervals of weighted means, with common resamples for all models."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.ranking.tables import Numbers
from solver.seeding import seed_of
from solver.tkg.quadruples import Ids

RESAMPLES = 1_000
LEVEL = 0.95
_BLOCK = 100
_CELLS = 8_000_000
"""Maximum number of resamples, and of sampled events, in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """The 2.5% and the 97.5% quantile of the resamples (Efron 1979)."""

    low: float
    high: float


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
    """Cluster bootstrap: resample units, each with all its queries.

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
    source = np.random.Generator(np.random.PCG64(seed_of(seed, "ranking", "bootstrap")))
    means = np.empty((resamples, len(values)))
    block = max(1, min(_BLOCK, _CELLS // events))
    for begin in range(0, resamples, block):
        size = min(block, resamples - begin)
        drawn = source.integers(events, size=(size, events))
        counts = np.stack([np.bincount(one, minlength=events) for one in drawn])
        totals = counts @ columns
        means[begin : begin + size] = totals[:, :-1] / totals[:, -1:]
    edges = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    first = np.bincount(means.argmax(axis=1), minlength=len(values)) / resamples
    return BootstrapResult(
        intervals=tuple(Interval(low=float(low), high=float(high)) for low, high in edges.T),
        leading=tuple(first.tolist()),
    )
