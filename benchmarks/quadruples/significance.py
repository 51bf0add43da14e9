"""Permutation tests between two extractions, with items as units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from benchmarks.quadruples.extraction import Extraction
from benchmarks.quadruples.pairs import Numbers
from benchmarks.quadruples.profile import MODES, Mode
from solver.extras import require
from solver.seeding import seed_of

RESAMPLES = 9_999
_BATCH = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The difference between two extractions in one mode.

    Attributes:
        difference: mean F1 of the items of the first minus that of the second, in [-1, 1].
        p: two-sided p-value, (b + 1) / (m + 1) with m resamples of which b differ as much.
    """

    difference: float
    p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A comparison of two extractions.

    Attributes:
        paired: whether both have the same items; the test then permutes signs of differences, else
            the assignment of items.
        items: number of items of each; if paired, only those scored in both.
    """

    paired: bool
    items: tuple[int, int]
    modes: Mapping[Mode, Difference]


def compare(
    one: Extraction,
    other: Extraction,
    *,
    paired: bool,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Comparison | None:
    """Test the difference in mean F1 of the items; None if an extraction has none."""
    mine, ours = one.item_f1()
    yours, theirs = other.item_f1()
    if paired:
        _, left, right = np.intersect1d(mine, yours, return_indices=True)
        ours, theirs = ours[left], theirs[right]
    if not (len(ours) and len(theirs)):
        return None
    modes = {
        mode: differ(
            ours[:, place], theirs[:, place], paired=paired, seed=seed, resamples=resamples
        )
        for place, mode in enumerate(MODES)
    }
    return Comparison(paired=paired, items=(len(ours), len(theirs)), modes=modes)


def differ(
    one: Numbers, other: Numbers, *, paired: bool, seed: int = 0, resamples: int = RESAMPLES
) -> Difference:
    """Test two samples of F1, at least one item each, by scipy's permutation test.

    The p-value is exact if there are at most ``resamples`` permutations.
    """
    require("the permutation test", "scipy")
    from scipy.stats import permutation_test

    value = float(one.mean() - other.mean())
    size = len(one) if paired else len(one) + len(other)
    if size < 2 + (not paired) or (not paired and min(len(one), len(other)) < 1):
        return Difference(difference=value, p=1.0)
    found = permutation_test(
        (one, other),
        mean_difference,
        permutation_type="samples" if paired else "independent",
        vectorized=True,
        n_resamples=resamples,
        batch=max(1, _BATCH // size),
        rng=np.random.Generator(np.random.PCG64(seed_of(seed, "quadruples", "permutation"))),
    )
    return Difference(difference=value, p=float(found.pvalue))


def mean_difference(one: Numbers, other: Numbers, axis: int = -1) -> Numbers:
    """The test statistic."""
    difference: Numbers = one.mean(axis=axis) - other.mean(axis=axis)
    return difference
