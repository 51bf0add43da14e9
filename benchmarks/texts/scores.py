"""Precision, recall and F1 of an extraction, macro and micro, with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from benchmarks.metrics import significance
from benchmarks.metrics.bootstrap import RESAMPLES, quantiles, resampled_sums
from benchmarks.metrics.extraction import precision_recall_f1
from benchmarks.metrics.ranking import Numbers
from benchmarks.texts.elements import MODES, Mode
from benchmarks.texts.extraction import Extraction
from benchmarks.texts.pairs import Pairs

_CELLS = 4_000_000
"""Number of draws kept in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure in [0, 1], higher is better.

    Attributes:
        low: 2.5% quantile of the bootstrap over items (Efron 1979); None without bootstrap.
        high: 97.5% quantile.
    """

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """Precision, recall and F1."""

    precision: Figure
    recall: Figure
    f1: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The score of an extraction in one mode.

    Attributes:
        macro: mean over pairs of facts, 0 for an unmatched fact, as in the released script.
        micro: computed from the spans of all pairs together.
    """

    macro: Measures
    micro: Measures


def score(
    extraction: Extraction, *, seed: int = 0, resamples: int = RESAMPLES
) -> Mapping[Mode, Score]:
    """Score an extraction of at least one pair.

    Args:
        extraction: aligned and scored pairs.
        seed: random seed of the bootstrap, which resamples items.
        resamples: number of resamples; 0 for no intervals.
    """
    pairs = extraction.pairs
    macro, micro = _figures(pairs)
    columns = _by_item(extraction)
    drawn = _drawn(columns, seed, resamples) if resamples else None
    found = {}
    for place, mode in enumerate(MODES):
        sides = []
        for number, values in enumerate((macro, micro)):
            ends = None if drawn is None else drawn[:, number, place]
            sides.append(_measures(values[place], ends))
        found[mode] = Score(macro=sides[0], micro=sides[1])
    return found


def plain(pairs: Pairs) -> Mapping[Mode, Score]:
    """Scores of one or more pairs, without intervals."""
    macro, micro = _figures(pairs)
    return {
        mode: Score(macro=_measures(macro[place], None), micro=_measures(micro[place], None))
        for place, mode in enumerate(MODES)
    }


def _figures(pairs: Pairs) -> tuple[Numbers, Numbers]:
    macro: Numbers = pairs.figures.mean(axis=0)
    return macro, precision_recall_f1(pairs.counts.sum(axis=0))


def _by_item(extraction: Extraction) -> Numbers:
    """Sums over each item's pairs: (items, 1 + 12 figures + 16 counts)."""
    pairs = extraction.pairs
    number = len(extraction.item)
    rows = np.concatenate(
        [np.ones((number, 1)), pairs.figures.reshape(number, -1), pairs.counts.reshape(number, -1)],
        axis=1,
    )
    starts = np.flatnonzero(np.diff(extraction.item, prepend=-1))
    sums: Numbers = np.add.reduceat(rows, starts, axis=0)
    return sums


def _drawn(columns: Numbers, seed: int, resamples: int) -> Numbers:
    """Quantiles over resamples: (2 quantiles, macro and micro, 4 modes, 3 figures)."""
    summed = resampled_sums(
        columns,
        seed=(seed, "quadruples", "bootstrap"),
        resamples=resamples,
        block=max(1, _CELLS // len(columns)),
    )
    size = len(MODES) * 3
    macro = (summed[:, 1 : 1 + size] / summed[:, :1]).reshape(resamples, len(MODES), 3)
    micro = precision_recall_f1(summed[:, 1 + size :].reshape(resamples, len(MODES), 4))
    return quantiles(np.stack([macro, micro], axis=1))


def _measures(values: Numbers, ends: Numbers | None) -> Measures:
    figures = [
        Figure(value=float(value))
        if ends is None
        else Figure(value=float(value), low=float(ends[0][n]), high=float(ends[1][n]))
        for n, value in enumerate(values)
    ]
    return Measures(precision=figures[0], recall=figures[1], f1=figures[2])


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A comparison of two extractions.

    Attributes:
        paired: whether both have the same items; the test then permutes signs of differences, else
            the assignment of items.
        items: number of items of each; if paired, only those scored in both.
        modes: difference in mean F1 of the items, in [-1, 1].
    """

    paired: bool
    items: tuple[int, int]
    modes: Mapping[Mode, significance.Difference]


def compare(
    one: Extraction,
    other: Extraction,
    *,
    paired: bool,
    seed: int = 0,
    resamples: int = significance.RESAMPLES,
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
        mode: significance.permutation_test(
            ours[:, place], theirs[:, place], paired=paired, seed=seed, resamples=resamples
        )
        for place, mode in enumerate(MODES)
    }
    return Comparison(paired=paired, items=(len(ours), len(theirs)), modes=modes)
