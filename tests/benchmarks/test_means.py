"""Means over seeds: the interval against the integral of Student's density."""

from __future__ import annotations

from math import exp, lgamma, pi

import numpy as np
import pytest

from benchmarks.metrics.bootstrap import Mean


def coverage(quantile: float, degrees: int) -> float:
    """Probability of Student's t in [-quantile, quantile], by the trapezoidal rule."""
    scale = exp(lgamma((degrees + 1) / 2) - lgamma(degrees / 2)) / (degrees * pi) ** 0.5
    places = np.linspace(-quantile, quantile, 200_001)
    density = scale * (1 + places**2 / degrees) ** (-(degrees + 1) / 2)
    return float(np.trapezoid(density, places))


@pytest.mark.parametrize("seeds", [*range(2, 33), 101, 1_001])
def test_the_interval_covers_95_percent_of_students_t(seeds: int) -> None:
    """For two to ten seeds by a table of three decimals, beyond by an expansion."""
    values = np.random.default_rng(seeds).normal(0.5, 0.02, seeds).tolist()
    found = Mean.of(values)
    middle = sum(values) / seeds
    variance = sum((value - middle) ** 2 for value in values) / (seeds - 1)
    assert found.value == pytest.approx(middle, abs=1e-12)
    quantile = found.half / (variance / seeds) ** 0.5
    assert coverage(quantile, seeds - 1) == pytest.approx(0.95, abs=3e-5)
