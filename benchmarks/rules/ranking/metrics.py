"""Ranking metrics, plain and weighted.

Ranks are at least 1 and may be halves (mean ranks of ties); weights are positive. The weighted form
of a metric uses ``sum w x / sum w`` for each mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from benchmarks.rules.ranking.groups import bins
from benchmarks.rules.ranking.tables import Numbers
from solver.extras import require
from solver.graph.model import Ids
from solver.seeding import seed_of

CUTS = (1, 3, 10)
"""The k of Hits@k."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """All metrics of some queries; see the functions of these names.

    ``mrr``, ``amr`` and ``amri`` are None for a model that does not rank all candidates.
    """

    mrr: float | None
    hits1: float
    hits3: float
    hits10: float
    amr: float | None
    amri: float | None


def mrr(ranks: Numbers, weights: Numbers | None = None) -> float:
    """Mean reciprocal rank: ``mean(1 / rank)``; WMRR with weights (RSMF, eq. 10).

    In (0, 1], higher is better. Source: Voorhees 1999; RSMF, appendix B.3.
    """
    return _mean(1 / ranks, weights)


def hits(ranks: Numbers, cut: int, weights: Numbers | None = None) -> float:
    """Hits@k: share of queries with ``rank <= k``; WHits@k with weights (RSMF, eq. 11).

    In [0, 1], higher is better. Source: Bordes et al. 2013; RSMF, appendix B.3.
    """
    return _mean((ranks <= cut).astype(np.float64), weights)


def amr(ranks: Numbers, candidates: Numbers, weights: Numbers | None = None) -> float:
    """Adjusted mean rank: ``mean(rank) / mean((n + 1) / 2)`` with n candidates of each query.

    In (0, 2), lower is better; 1 for random ranking. Source: Berrendorf et al. 2020.
    """
    return _mean(ranks, weights) / _mean((candidates + 1) / 2, weights)


def amri(ranks: Numbers, candidates: Numbers, weights: Numbers | None = None) -> float:
    """Adjusted mean rank index: ``1 - mean(rank - 1) / mean((n - 1) / 2)``.

    In [-1, 1], higher is better; 0 for random and 1 for perfect ranking. It is 0 if no query has a
    second candidate. Source: Berrendorf et al. 2020.
    """
    chance = _mean((candidates - 1) / 2, weights)
    return 1 - _mean(ranks - 1, weights) / chance if chance else 0.0


def measure(
    ranks: Numbers, candidates: Numbers, weights: Numbers | None = None, *, whole: bool = True
) -> Measures:
    """All metrics of some queries.

    Args:
        ranks: ranks of the true answers.
        candidates: number of ranked candidates of each query.
        weights: positive weights of the queries; None for equal weights.
        whole: whether all candidates are ranked; otherwise only Hits@k is defined.
    """
    first, third, tenth = (hits(ranks, cut, weights) for cut in CUTS)
    return Measures(
        mrr=mrr(ranks, weights) if whole else None,
        hits1=first,
        hits3=third,
        hits10=tenth,
        amr=amr(ranks, candidates, weights) if whole else None,
        amri=amri(ranks, candidates, weights) if whole else None,
    )


def _mean(values: Numbers, weights: Numbers | None) -> float:
    if weights is None:
        return float(values.mean())
    return float(values @ weights) / float(weights.sum())


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


CUT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Agreement of N models on a group of queries.

    Attributes:
        group: a closed bin of strikingness, or ``all``.
        events: number of events.
        shares: for n = 1 to N, the share of queries that at least n models answer correctly.
    """

    group: str
    events: int
    shares: tuple[float, ...]


def agreement(ranks: Sequence[Numbers], *, cut: int = CUT) -> tuple[float, ...]:
    """The share of queries with rank at most ``cut`` by at least n models, for n = 1 to N.

    In [0, 1], decreasing in n. Source: RSMF, eq. 16.
    """
    right = np.sum([one <= cut for one in ranks], axis=0)
    return tuple(float((right >= n).mean()) for n in range(1, len(ranks) + 1))


def agreements(ranks: Sequence[Numbers], strikingness: Numbers | None) -> tuple[Agreement, ...]:
    """Agreement on all queries and, with strikingness, on those of each closed bin."""
    events = len(ranks[0]) // 2
    groups = [("all", np.ones(events, dtype=np.bool_))]
    if strikingness is not None:
        groups += bins(strikingness, closed=True)
    return tuple(
        Agreement(
            group=name,
            events=int(members.sum()),
            shares=agreement([one[np.tile(members, 2)] for one in ranks]),
        )
        for name, members in groups
        if members.any()
    )


BIASES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """The bias at which two models swap ranks: ``below`` leads below it, ``above`` above it."""

    below: str
    above: str
    bias: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """WMRR over b; in (0, 1], higher is better (RSMF, Figure 3).

    Attributes:
        curves: model -> WMRR at each of ``biases``.
        crossings: sorted by bias.
    """

    biases: tuple[float, ...]
    curves: Mapping[str, tuple[float, ...]]
    crossings: tuple[Crossing, ...]


def sweep(ranks: Mapping[str, Numbers], strikingness: Numbers) -> Sweep:
    """Compute WMRR for each of ``BIASES`` and the biases at which models swap ranks."""
    values = np.tile(strikingness, 2)
    curves = {}
    for model, one in ranks.items():
        reciprocal = 1 / one
        striking, plain, total = values @ reciprocal, reciprocal.sum(), values.sum()
        curves[model] = tuple(
            float((striking + b * plain) / (total + b * len(values))) for b in BIASES
        )
    return Sweep(biases=BIASES, curves=curves, crossings=_crossings(ranks, values))


def _crossings(ranks: Mapping[str, Numbers], values: Numbers) -> tuple[Crossing, ...]:
    """The difference of two WMRRs is (A + b B) / (C + b N), whose only zero is b = -A / B."""
    found = []
    for first, second in combinations(ranks, 2):
        ahead = 1 / ranks[first] - 1 / ranks[second]
        striking, plain = float(values @ ahead), float(ahead.sum())
        if striking * plain < 0:
            below, above = (first, second) if striking > 0 else (second, first)
            found.append(Crossing(below=below, above=above, bias=-striking / plain))
    return tuple(sorted(found, key=lambda one: (one.bias, one.below, one.above)))
