"""Precision, recall and F1 of an extraction, macro and micro, with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from benchmarks.quadruples.extraction import Extraction
from benchmarks.quadruples.pairs import Numbers, Pairs, precision_recall_f1
from benchmarks.quadruples.profile import MODES, Mode
from solver.seeding import seed_of

RESAMPLES = 1_000
LEVEL = 0.95
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
    items = len(columns)
    source = np.random.Generator(np.random.PCG64(seed_of(seed, "quadruples", "bootstrap")))
    block = max(1, _CELLS // items)
    totals = []
    for begin in range(0, resamples, block):
        draws = source.integers(items, size=(min(block, resamples - begin), items))
        times = np.stack([np.bincount(draw, minlength=items) for draw in draws])
        totals.append(times @ columns)
    summed = np.concatenate(totals)
    size = len(MODES) * 3
    macro = (summed[:, 1 : 1 + size] / summed[:, :1]).reshape(resamples, len(MODES), 3)
    micro = precision_recall_f1(summed[:, 1 + size :].reshape(resamples, len(MODES), 4))
    values = np.stack([macro, micro], axis=1)
    ends: Numbers = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return ends


def _measures(values: Numbers, ends: Numbers | None) -> Measures:
    figures = [
        Figure(value=float(value))
        if ends is None
        else Figure(value=float(value), low=float(ends[0][n]), high=float(ends[1][n]))
        for n, value in enumerate(values)
    ]
    return Measures(precision=figures[0], recall=figures[1], f1=figures[2])
