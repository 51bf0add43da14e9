"""Objective: the distance of two graphs' figures.

Source: synthetic temporal knowledge graphs, Algorithm 13. As printed, it divides differences by
``max(|m|, 1)``, which underweights figures below 1 (Gini coefficients, density); ``relative``
divides by ``max(|m|, eps)``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import partial
from math import isfinite

import numpy as np

from benchmarks.metrics.ranking import CUTS, expected_hits
from benchmarks.tkg.retrieval.context import ContextKey, Heuristic, evaluate
from grammar.errors import HopcheckError
from solver.graph.model import Quadruples, Vocabulary
from solver.graph.statistics import (
    DISTANCES,
    PERIOD,
    GraphProfile,
    distances,
    graph_profile,
    graph_statistics,
)
from solver.verification.settings import option, setting

_QUANTILES = (0.25, 0.5, 0.75, 0.9, 0.99)
_COPIED = (
    *("facts", "entities", "relations", "steps", "average_degree", "events_per_step"),
    *("gini_entities", "gini_relations"),
)

_PROFILED = ("events_spread", "largest_degree", "largest_relation", "self_loops", "repetition")

METRICS = (
    *(*_COPIED, *_PROFILED, "density"),
    *(f"degree_q{round(100 * share)}" for share in _QUANTILES),
)
"""Descriptive figures: those of Table 1 and of ``solver.graph.statistics``, density (facts per
entity pair), degree quantiles."""

WEIGHTED = (*METRICS, *DISTANCES)
"""What the weights of an objective are for."""

BASELINES = tuple(
    f"{heuristic}_{shared}_hits{cut}"
    for heuristic in Heuristic
    for shared in (ContextKey.ENTITY, ContextKey.PAIR)
    for cut in CUTS
)
"""Names of the expected Hits@k of both heuristics over both contexts (Table 7)."""

_TEST_SHARE = 0.1
"""Share of the time steps, at the end, whose facts are queried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Figures of a graph.

    Attributes:
        metrics: non-negative figures by the names of ``METRICS``.
        baselines: Hits@k in [0, 1] by the names of ``BASELINES``.
        distances: distances from the reference by the names of ``solver.graph.statistics``, from 0.
    """

    metrics: Mapping[str, float]
    baselines: Mapping[str, float]
    distances: Mapping[str, float]

    def as_json(self) -> dict[str, dict[str, float]]:
        """Figures by kind and name."""
        return asdict(self)


def measure_graph(facts: Quadruples, reference: GraphProfile | None = None) -> Figures:
    """Measure a graph; times may have any offset and step.

    Args:
        facts: facts of the graph.
        reference: the graph from which distances are measured; by default the graph itself.

    Raises:
        EmptyGraphError: the graph has no facts.
    """
    statistics = graph_statistics(facts)
    values = asdict(statistics)
    profile = graph_profile(facts, PERIOD if reference is None else len(reference.period))
    metrics = {name: float(values[name]) for name in _COPIED}
    metrics |= {name: profile.figures[name] for name in _PROFILED}
    metrics["density"] = statistics.facts / statistics.entities**2
    found = np.quantile(profile.degrees, _QUANTILES)
    metrics |= {
        f"degree_q{round(100 * share)}": float(degree)
        for share, degree in zip(_QUANTILES, found, strict=True)
    }
    since = min(round((1 - _TEST_SHARE) * statistics.steps), statistics.steps - 1)
    baselines = _baselines(facts, int(facts.time.min()) + since * statistics.step)
    return Figures(
        metrics=metrics,
        baselines=baselines,
        distances=distances(profile, profile if reference is None else reference),
    )


def _baselines(facts: Quadruples, since: int) -> dict[str, float]:
    """Hits@k of the heuristics on the facts from a time on (at least one)."""
    words = Vocabulary(
        entities=int(max(facts.head.max(), facts.tail.max())) + 1,
        relations=int(facts.relation.max()) + 1,
        times=int(facts.time.max()) + 1,
    )
    found = evaluate(facts, facts.take(facts.time >= since), words)
    hits = {
        f"{heuristic}_{shared}_hits{cut}": float(expected_hits(ties, cut).mean())
        for (heuristic, shared), ties in found.items()
        for cut in CUTS
    }
    return {name: hits[name] for name in BASELINES}


EPSILON = 1e-4
"""Minimum denominator of relative errors."""

PENALTY = 1e9
"""Score of a failed generation: M of Algorithm 12, line 9."""


class ObjectiveError(HopcheckError):
    """Invalid weights of an objective."""

    code = "objective"


class ObjectiveKind(StrEnum):
    """Minimum denominator of the errors: 1 (``printed``) or ``EPSILON`` (``relative``)."""

    RELATIVE = "relative"
    PRINTED = "printed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Distance of a graph from its reference; 0 means that all figures agree.

    Attributes:
        core: weighted mean of the errors of descriptive figures and of the distances, from 0.
        base: mean absolute difference of the baselines, in [0, 1].
        total: ``core`` plus ``base`` times the baseline weight.
    """

    core: float
    base: float
    total: float


def named_values(
    expected: str, read: Callable[[str], object], given: Sequence[str]
) -> dict[str, object]:
    """The values of ``NAME=VALUE``, such as ``mode=forced`` or ``density=0.5``."""
    found = {}
    for text in given:
        name, _, value = (part.strip() for part in text.partition("="))
        try:
            found[name] = read(value)
        except ValueError:
            value = ""
        if not (name and value):
            raise ValueError(f"found {text!r}, expected a name and a {expected}.")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Objective:
    """Algorithm 13 with distances of distributions; the paper reports no weights and no lambda.

    Weights are normalised to sum to 1.
    """

    kind: ObjectiveKind = setting(
        ObjectiveKind.RELATIVE,
        "Errors relative to the reference, or with a denominator of at least 1 as in Algorithm 13 "
        "(printed).",
        name="objective",
    )
    baseline_weight: float = setting(
        1.0,
        "Lambda: weight of the heuristic baselines relative to the descriptive figures.",
    )
    weights: Mapping[str, float] = field(
        default_factory=dict,
        metadata=option(
            "Weight of a figure (default 1); repeatable.",
            name="weight",
            repeated=True,
            metavar="NAME=NUMBER",
            convert=partial(named_values, "number such as density=0.5", float),
        ),
    )

    def __post_init__(self) -> None:
        for name in self.weights:
            if name not in WEIGHTED:
                known = ", ".join(WEIGHTED)
                raise ObjectiveError(f"found a weight of {name}, expected one of {known}")
        for value in (*self.weights.values(), self.baseline_weight):
            if not (isfinite(value) and value >= 0):
                raise ObjectiveError(f"found the weight {value}, expected a number from 0")
        if not (sum(self._alphas().values()) or self.baseline_weight):
            raise ObjectiveError("found no weight above 0, expected one")

    def errors(self, found: Figures, reference: Figures) -> dict[str, float]:
        """Relative error of each metric, and the distances."""
        least = dict.fromkeys(METRICS, 1.0 if self.kind is ObjectiveKind.PRINTED else EPSILON)
        # Real graphs have almost none; a share of .01 counts as an error of 1.
        least["self_loops"] = 0.01
        errors = {
            name: abs(found.metrics[name] - wanted) / max(abs(wanted), least[name])
            for name, wanted in reference.metrics.items()
        }
        return errors | dict(found.distances)

    def score(self, found: Figures, reference: Figures) -> Score:
        """Score a graph against the reference."""
        alphas = self._alphas()
        errors = self.errors(found, reference)
        core = sum(alphas[name] * error for name, error in errors.items())
        core /= sum(alphas.values()) or 1
        apart = [abs(found.baselines[name] - hit) for name, hit in reference.baselines.items()]
        base = sum(apart) / len(apart)
        return Score(core=core, base=base, total=core + self.baseline_weight * base)

    def _alphas(self) -> dict[str, float]:
        return {name: self.weights.get(name, 1.0) for name in WEIGHTED}

    def as_json(self) -> dict[str, object]:
        """The options in the format of a manifest."""
        return {
            "kind": self.kind.value,
            "weights": dict(sorted(self.weights.items())),
            "baseline_weight": self.baseline_weight,
        }
