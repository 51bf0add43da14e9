"""How results depend on strikingness: low against high, agreement of models, the bias b."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from benchmarks.metrics.ranking import Numbers
from benchmarks.metrics.significance import mann_whitney_test, welch_test
from benchmarks.rules.ranking.groups import bins

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
    return Comparison(
        model=model,
        cut=cut,
        low=float(low.mean()),
        high=float(high.mean()),
        queries=(len(low), len(high)),
        welch=welch_test(low, high),
        mann_whitney=mann_whitney_test(low, high),
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
