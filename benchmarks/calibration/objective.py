"""Objective: the distance of two graphs' figures.

Source: synthetic temporal knowledge graphs, Algorithm 13. As printed, it divides differences by
``max(|m|, 1)``, which underweights figures below 1 (Gini coefficients, density); ``relative``
divides by ``max(|m|, eps)``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite

from benchmarks.calibration.figures import METRICS, Figures
from solver.errors import HopcheckError

EPSILON = 1e-4
"""Minimum denominator of relative errors."""

PENALTY = 1e9
"""Score of a failed generation: M of Algorithm 12, line 9."""


class ObjectiveError(HopcheckError):
    """Invalid weights of an objective."""

    code = "objective"


class ObjectiveKind(StrEnum):
    """Minimum denominator of the errors: 1 (``printed``) or ``EPSILON`` (``relative``)."""

    PRINTED = "printed"
    RELATIVE = "relative"


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Distance of a graph from its reference; 0 means that all figures agree.

    Attributes:
        core: weighted mean of the errors of descriptive figures, from 0.
        base: mean absolute difference of the baselines, in [0, 1].
        total: ``core`` plus ``base`` times the baseline weight.
    """

    core: float
    base: float
    total: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Objective:
    """Algorithm 13; the paper reports neither the weights nor lambda.

    Attributes:
        kind: minimum denominator of the errors.
        weights: weights by metric, 1 by default; they are normalised to sum to 1.
        baseline_weight: lambda.
    """

    kind: ObjectiveKind = ObjectiveKind.RELATIVE
    weights: Mapping[str, float] = field(default_factory=dict)
    baseline_weight: float = 1.0

    def __post_init__(self) -> None:
        for name in self.weights:
            if name not in METRICS:
                known = ", ".join(METRICS)
                raise ObjectiveError(f"found a weight of {name}, expected one of {known}")
        for value in (*self.weights.values(), self.baseline_weight):
            if not (isfinite(value) and value >= 0):
                raise ObjectiveError(f"found the weight {value}, expected a number from 0")
        if not (sum(self._alphas().values()) or self.baseline_weight):
            raise ObjectiveError("found no weight above 0, expected one")

    def errors(self, found: Figures, reference: Figures) -> dict[str, float]:
        """Relative error of each metric."""
        least = 1.0 if self.kind is ObjectiveKind.PRINTED else EPSILON
        return {
            name: abs(found.metrics[name] - wanted) / max(abs(wanted), least)
            for name, wanted in reference.metrics.items()
        }

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
        return {name: self.weights.get(name, 1.0) for name in METRICS}

    def as_json(self) -> dict[str, object]:
        """The options in the format of a manifest."""
        return {
            "kind": self.kind.value,
            "weights": dict(sorted(self.weights.items())),
            "baseline_weight": self.baseline_weight,
        }
