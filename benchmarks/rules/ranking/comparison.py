"""Comparison of models: metrics, intervals, groups, bias sweep, agreement, tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import combinations
from typing import Any

import numpy as np

from benchmarks.metrics.bootstrap import RESAMPLES, BootstrapResult, bootstrap
from benchmarks.metrics.ranking import (
    CUTS,
    Measures,
    Numbers,
    expected_hits,
    expected_reciprocal,
    measure,
)
from benchmarks.metrics.significance import mann_whitney_test, welch_test
from benchmarks.rules.ranking.groups import BIAS, Group, bins, grouped, weights_of
from benchmarks.rules.ranking.models import RankedModel
from benchmarks.rules.ranking.queries import SplitQueries
from solver.graph.queries import Ranks, Tie

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
    for model, rank in ranks.items():
        for cut in cuts:
            right = (rank <= cut).astype(np.float64)
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
    right = np.sum([rank <= cut for rank in ranks], axis=0)
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
            shares=agreement([rank[np.tile(members, 2)] for rank in ranks]),
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
    for model, rank in ranks.items():
        reciprocal = 1 / rank
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
    return tuple(
        sorted(found, key=lambda crossing: (crossing.bias, crossing.below, crossing.above))
    )


METRICS = tuple(field.name for field in fields(Measures))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Metrics under pessimistic and optimistic tie-breaking, and expected under random one."""

    pessimistic: Measures
    expected: Measures
    optimistic: Measures


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelResult:
    """The results of a model.

    Attributes:
        plain: unweighted metrics.
        weighted: weighted metrics; None without weights.
        bounds: bounds of the plain and of the weighted metrics; None if ties are not known.
    """

    entrant: RankedModel
    plain: Measures
    weighted: Measures | None
    bounds: tuple[Bounds, Bounds | None] | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupResult:
    """The unweighted metrics of all models on a group."""

    group: Group
    measures: tuple[Measures, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelComparison:
    """Results of several models on the same queries.

    Attributes:
        strikingness: strikingness of each event; None without weights.
        drawn: bootstrap of MRR, or WMRR with weights, of the models that rank all candidates.
        groups: metrics by group; like ``agreement`` and ``tests``, empty unless requested.
        sweep: WMRR over the bias; None without weights.
    """

    queries: SplitQueries
    strikingness: Numbers | None
    bias: float
    models: tuple[ModelResult, ...]
    drawn: BootstrapResult | None
    groups: tuple[GroupResult, ...]
    sweep: Sweep | None
    agreement: tuple[Agreement, ...]
    tests: tuple[Comparison, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the models."""
        return tuple(model.entrant.model for model in self.models)

    @property
    def whole(self) -> tuple[ModelResult, ...]:
        """The models that rank all candidates."""
        return tuple(model for model in self.models if model.entrant.whole)


def compare_models(
    entrants: Sequence[RankedModel],
    queries: SplitQueries,
    candidates: Numbers,
    *,
    strikingness: Numbers | None = None,
    bias: float = BIAS,
    details: bool = False,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> ModelComparison:
    """Compare one or more models.

    Args:
        entrants: models with their ranks.
        queries: the queries.
        candidates: number of candidates of each query.
        strikingness: strikingness of each event, in [0, 1].
        bias: the b of eqs. 10 and 11.
        details: whether to compute groups, agreement and tests.
        seed: random seed of the bootstrap.
        resamples: number of bootstrap resamples.
    """
    weights = None if strikingness is None else weights_of(strikingness, bias=bias)
    every = {entrant.model: entrant.ranks for entrant in entrants}
    whole = {entrant.model: entrant.ranks for entrant in entrants if entrant.whole}
    groups = grouped(queries, strikingness) if details else ()
    return ModelComparison(
        queries=queries,
        strikingness=strikingness,
        bias=bias,
        models=tuple(_standing(entrant, candidates, weights) for entrant in entrants),
        drawn=_drawn(whole.values(), weights, seed, resamples) if whole else None,
        groups=tuple(_grouped(group, entrants, candidates) for group in groups),
        sweep=None if strikingness is None or not whole else sweep(whole, strikingness),
        agreement=agreements(list(every.values()), strikingness) if details else (),
        tests=() if strikingness is None or not details else compare(every, strikingness),
    )


def _drawn(
    ranks: Iterable[Numbers], weights: Numbers | None, seed: int, resamples: int
) -> BootstrapResult:
    reciprocal = np.stack([1 / rank for rank in ranks])
    weighed = np.ones(reciprocal.shape[1]) if weights is None else weights
    return bootstrap(reciprocal, weighed, seed=seed, resamples=resamples)


def _standing(entrant: RankedModel, candidates: Numbers, weights: Numbers | None) -> ModelResult:
    ranks, whole = entrant.ranks, entrant.whole
    bounds = None
    if entrant.ties is not None:
        weighted = None if weights is None else _bounds(entrant.ties, candidates, weights)
        bounds = (_bounds(entrant.ties, candidates, None), weighted)
    return ModelResult(
        entrant=entrant,
        plain=measure(ranks, candidates, whole=whole),
        weighted=None if weights is None else measure(ranks, candidates, weights, whole=whole),
        bounds=bounds,
    )


def _bounds(ties: Ranks, candidates: Numbers, weights: Numbers | None) -> Bounds:
    realistic = measure(ties.values(Tie.REALISTIC), candidates, weights)
    share = None if weights is None else weights / weights.sum()
    first, third, tenth = (_mean(expected_hits(ties, cut), share) for cut in CUTS)
    return Bounds(
        pessimistic=measure(ties.values(Tie.PESSIMISTIC), candidates, weights),
        expected=Measures(
            mrr=_mean(expected_reciprocal(ties), share),
            hits1=first,
            hits3=third,
            hits10=tenth,
            # The expected rank is the realistic rank.
            amr=realistic.amr,
            amri=realistic.amri,
        ),
        optimistic=measure(ties.values(Tie.OPTIMISTIC), candidates, weights),
    )


def _mean(values: Numbers, share: Numbers | None) -> float:
    return float(values.mean() if share is None else values @ share)


def _grouped(group: Group, entrants: Sequence[RankedModel], candidates: Numbers) -> GroupResult:
    mask = group.queries
    return GroupResult(
        group=group,
        measures=tuple(
            measure(entrant.ranks[mask], candidates[mask], whole=entrant.whole)
            for entrant in entrants
        ),
    )


def best(figures: Sequence[float | None], metric: str) -> frozenset[int]:
    """The indexes of the best figures: the highest, or the lowest for AMR."""
    known = [figure for figure in figures if figure is not None]
    if not known:
        return frozenset()
    top = min(known) if metric == "amr" else max(known)
    return frozenset(place for place, figure in enumerate(figures) if figure == top)


def as_json(run: ModelComparison) -> dict[str, Any]:
    """All figures as JSON values; metrics are in [0, 1], except AMR and AMRI."""
    drawn = run.drawn
    intervals = zip(run.whole, drawn.intervals, strict=True) if drawn else ()
    leading = zip(run.whole, drawn.leading, strict=True) if drawn else ()
    return {
        "models": [_model(model) for model in run.models],
        "best": {
            form: {name: [run.names[n] for n in sorted(_best(run, form, name))] for name in METRICS}
            for form in (("plain",) if run.strikingness is None else ("plain", "weighted"))
        },
        "intervals": {result.entrant.model: asdict(two) for result, two in intervals},
        "leading": {result.entrant.model: share for result, share in leading},
        "groups": [_group(result, run.names) for result in run.groups],
        "sweep": None if run.sweep is None else asdict(run.sweep),
        "agreement": [asdict(agreement) for agreement in run.agreement],
        "tests": [asdict(test) for test in run.tests],
    }


def _best(run: ModelComparison, form: str, metric: str) -> frozenset[int]:
    return best([getattr(getattr(model, form), metric) for model in run.models], metric)


def _model(result: ModelResult) -> dict[str, Any]:
    names = ("plain", "weighted")
    return {
        "model": result.entrant.model,
        "file": result.entrant.file,
        "not_returned": result.entrant.not_returned,
        "plain": asdict(result.plain),
        "weighted": None if result.weighted is None else asdict(result.weighted),
        "bounds": None
        if result.bounds is None
        else {
            name: asdict(two)
            for name, two in zip(names, result.bounds, strict=True)
            if two is not None
        },
    }


def _group(result: GroupResult, names: Sequence[str]) -> dict[str, Any]:
    return {
        "by": result.group.grouping.value,
        "group": result.group.name,
        "events": result.group.events,
        "models": {name: asdict(two) for name, two in zip(names, result.measures, strict=True)},
    }
