"""WMRR as a function of the bias b: near 0 only striking events count, large b approach MRR."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from benchmarks.ranking.tables import Numbers

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
