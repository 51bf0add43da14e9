"""How unlike two graphs are, in one number.

Source: synthetic temporal knowledge graphs, Algorithm 13. As printed it divides differences by
``max(|m|, 1)``, so that a figure below 1 (a Gini coefficient, a density) hardly counts where the
others count in full; ``relative`` divides by ``max(|m|, eps)``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite

from benchmarks.calibration.figures import METRICS, Figures
from solver.errors import HopcheckError

EPSILON = 1e-4
"""What differences of figures near 0 are divided by."""

PENALTY = 1e9
"""The score of a graph that could not be made: M of Algorithm 12, line 9."""


class ObjectiveError(HopcheckError):
    """Weights of which no objective can be made."""

    code = "objective"


class ObjectiveKind(StrEnum):
    """What differences of descriptive figures are divided by at least: 1, or next to nothing."""

    PRINTED = "printed"
    RELATIVE = "relative"


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How unlike a graph is to its reference; 0 means alike in all that was measured.

    Attributes:
        core: weighted mean of the errors of descriptive figures, from 0.
        base: mean absolute difference of the baselines, in [0, 1].
        total: ``core`` and a multiple of ``base``.
    """

    core: float
    base: float
    total: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Objective:
    """Algorithm 13. The paper names neither its weights nor its lambda.

    Attributes:
        kind: what differences are divided by.
        weights: by metric, 1 for those that are left out; they are scaled to sum to 1.
        baseline_weight: the lambda.
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
        """The error of each metric: its difference from the reference, over the reference."""
        least = 1.0 if self.kind is ObjectiveKind.PRINTED else EPSILON
        return {
            name: abs(found.metrics[name] - wanted) / max(abs(wanted), least)
            for name, wanted in reference.metrics.items()
        }

    def score(self, found: Figures, reference: Figures) -> Score:
        """How unlike they are."""
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
        """The options as a manifest holds them."""
        return {
            "kind": self.kind.value,
            "weights": dict(sorted(self.weights.items())),
            "baseline_weight": self.baseline_weight,
        }
