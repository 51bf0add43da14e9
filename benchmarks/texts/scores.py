"""Precision, recall and F1 of an extraction, with intervals; by relation and by date style."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from benchmarks.metrics import significance
from benchmarks.metrics.bootstrap import RESAMPLES, quantiles, resampled_sums
from benchmarks.metrics.classification import precision_recall_f1
from benchmarks.metrics.ranking import Numbers
from benchmarks.texts.elements import MODES, Mode
from benchmarks.texts.extraction import NONE, Extraction
from benchmarks.texts.pairs import Pairs
from grammar.dates import find_dates
from solver.io.sources import InputError, lines, open_input

_CELLS = 4_000_000
"""Number of draws kept in memory."""


class Figure(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
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
    drawn = _drawn(_by_item(extraction), seed, resamples) if resamples else None
    return _scores(extraction.pairs, drawn)


def _scores(pairs: Pairs, drawn: Numbers | None = None) -> Mapping[Mode, Score]:
    """Scores of one or more pairs, with the quantiles of ``_drawn`` as intervals."""
    sides = pairs.figures.mean(axis=0), precision_recall_f1(pairs.counts.sum(axis=0))
    found = {}
    for place, mode in enumerate(MODES):
        macro, micro = (
            _measures(values[place], None if drawn is None else drawn[:, number, place])
            for number, values in enumerate(sides)
        )
        found[mode] = Score(macro=macro, micro=micro)
    return found


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
    extraction: Extraction,
    other: Extraction,
    *,
    paired: bool,
    seed: int = 0,
    resamples: int = significance.RESAMPLES,
) -> Comparison | None:
    """Test the difference in mean F1 of the items; None if an extraction has none."""
    mine, ours = extraction.item_f1()
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


UNREAD = "(unreadable)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A stratum of pairs: of one relation, or of texts of one style."""

    name: str
    pairs: int
    scores: Mapping[Mode, Score]


def by_relation(extraction: Extraction) -> tuple[Group, ...]:
    """Groups by the reference's relation, the largest first.

    An unmatched candidate counts for its own relation.
    """
    names = []
    for item, candidate, reference in zip(
        extraction.item.tolist(),
        extraction.candidate.tolist(),
        extraction.reference.tolist(),
        strict=True,
    ):
        facts = extraction.items[item]
        fact = facts.references[reference] if reference != NONE else facts.candidates[candidate]
        names.append(UNREAD if fact is None else fact[1])
    return _grouped(extraction, names)


def by_style(extraction: Extraction, styles: Sequence[str]) -> tuple[Group, ...]:
    """Groups by the style of the item's text, the largest first."""
    return _grouped(extraction, [styles[item] for item in extraction.item.tolist()])


def _grouped(extraction: Extraction, names: Sequence[str]) -> tuple[Group, ...]:
    members: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        members.setdefault(name, []).append(place)
    groups = [
        Group(name=name, pairs=len(some), scores=_scores(extraction.pairs[np.array(some)]))
        for name, some in members.items()
    ]
    return tuple(sorted(groups, key=lambda group: (-group.pairs, group.name)))


NO_DATE = "no full date"


def style(text: str) -> str:
    """The style of the first full date of a text, as in ``Month D, YYYY, long weekday``."""
    found = next(find_dates(text), None)
    if found is None:
        return NO_DATE
    words = found.text.split()
    weekday = "no"
    if found.weekday is not None:
        weekday = "long" if words.pop(0).lower().rstrip(".,").endswith("day") else "short"
    first = next(word for word in words if word.lower() != "the")
    if "-" in first:
        return f"ISO, {weekday} weekday"
    form = "D Month YYYY" if first[0].isdigit() else "Month D, YYYY"
    return f"{form}, {weekday} weekday"


def read_styles(path: str, count: int) -> tuple[str, ...]:
    """Read the styles of texts, one text per line, plain or gzip.

    Raises:
        InputError: the file cannot be read, or does not have ``count`` lines.
    """
    with open_input(path, "a file of texts") as source:
        read = tuple(lines(source))
    broken = next((line.error for line in read if line.error), None)
    if broken is not None:
        raise InputError(broken.message, where=broken.where, hint=broken.hint)
    if len(read) != count:
        raise InputError(
            f"found {len(read):,} texts, expected one for each of the {count:,} lines of the "
            "references",
            where=str(path),
        )
    return tuple(style(line.text) for line in read)
