"""Scores of answers with bootstrap intervals: overall, by label, by group."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.eventhop.cases import Dimension, Group
from grammar.eventhop.model import Label

LABELS = tuple(Label)
NO_LABEL = len(LABELS)
"""The number of an answer without a label."""

Numbers = NDArray[np.intp]
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelScore:
    """Precision, recall and F1 of one label; each is in [0, 1], higher is better.

    Attributes:
        precision: correct answers of the label / answers of the label; 0 if there are none.
        recall: correct answers of the label / items of the label; 0 if there are none.
        f1: harmonic mean of the two (van Rijsbergen 1979); 0 if both are 0.
        support: number of items with this gold label.
    """

    precision: float
    recall: float
    f1: float
    support: int


def numbered(labels: Sequence[Label | None]) -> Numbers:
    """Encode labels as their positions in ``LABELS``, None as ``NO_LABEL``."""
    places: dict[Label | None, int] = {label: place for place, label in enumerate(LABELS)}
    return np.array([places.get(label, NO_LABEL) for label in labels], dtype=np.intp)


def confusion(gold: Numbers, answers: Numbers) -> Counts:
    """The confusion matrix: gold labels (3 rows) by answers (4 columns)."""
    width = NO_LABEL + 1
    cells = np.bincount(gold * width + answers, minlength=NO_LABEL * width)
    return cells.reshape(NO_LABEL, width).astype(np.int64)


def accuracy(counts: Counts) -> float:
    """Share of items answered with their gold label, in [0, 1]; higher is better."""
    total = int(counts.sum())
    return float(np.trace(counts)) / total if total else 0.0


def macro_f1(counts: Counts) -> float:
    """Unweighted mean of F1 over the labels that occur as gold labels.

    In [0, 1]; higher is better. F1 of a label is ``2 * right / (items + answers)``. Source:
    EventHopNLI, section 5. Labels that a group of items lacks are left out of the mean.
    """
    return float(macro_f1_of_each(counts[np.newaxis])[0])


def macro_f1_of_each(counts: Counts) -> NDArray[np.float64]:
    """``macro_f1`` of each of a stack of confusion matrices: (n, 3, 4) -> (n,)."""
    right = np.diagonal(counts, axis1=1, axis2=2)
    items = counts.sum(axis=2)
    answers = counts.sum(axis=1)[:, :NO_LABEL]
    f1 = 2 * right / np.maximum(items + answers, 1)
    present = items > 0
    means: NDArray[np.float64] = (f1 * present).sum(axis=1) / np.maximum(present.sum(axis=1), 1)
    return means


def by_label(counts: Counts) -> dict[Label, LabelScore]:
    """Precision, recall and F1 of each label."""
    return {label: _score_metrics(counts, place) for place, label in enumerate(LABELS)}


def _score_metrics(counts: Counts, place: int) -> LabelScore:
    right = int(counts[place, place])
    items = int(counts[place].sum())
    answers = int(counts[:, place].sum())
    return LabelScore(
        precision=right / answers if answers else 0.0,
        recall=right / items if items else 0.0,
        f1=2 * right / (items + answers) if items + answers else 0.0,
        support=items,
    )


RESAMPLES = 1_000
LEVEL = 0.95
NO_ANSWER = "no label"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A value in [0, 1] with its 95% bootstrap interval (percentiles; Efron 1979)."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Scores of some items; higher is better."""

    macro_f1: Interval
    accuracy: Interval
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Scores of all items.

    Attributes:
        confusion: gold label -> answer, or ``NO_ANSWER`` -> number of items.
        by_group: dimension -> name of the group -> score.
    """

    overall: Score
    labels: Mapping[Label, LabelScore]
    confusion: Mapping[str, Mapping[str, int]]
    by_group: Mapping[Dimension, Mapping[str, Score]]

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON values."""
        return {
            "overall": _json(self.overall),
            "labels": {
                label.value: {
                    "precision": round(score.precision, 4),
                    "recall": round(score.recall, 4),
                    "f1": round(score.f1, 4),
                    "support": score.support,
                }
                for label, score in self.labels.items()
            },
            "confusion": {gold: dict(row) for gold, row in self.confusion.items()},
            "by": {
                dimension.value: {name: _json(score) for name, score in scores.items()}
                for dimension, scores in self.by_group.items()
            },
        }


def score(
    gold: Sequence[Label],
    answers: Sequence[Label | None],
    grouped: Sequence[Group],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Scores:
    """Score answers, one per item.

    Args:
        gold: the gold labels.
        answers: the answered labels; None counts as wrong.
        grouped: the groups by which scores are broken down.
        seed: random seed of the bootstrap.
        resamples: number of bootstrap resamples.
    """
    right, given = numbered(gold), numbered(answers)
    counts = confusion(right, given)
    by_group: dict[Dimension, dict[str, Score]] = {}
    for group in grouped:
        members = list(group.members)
        some = confusion(right[members], given[members])
        name = f"{group.dimension} {group.name}"
        by_group.setdefault(group.dimension, {})[group.name] = _score(some, seed, name, resamples)
    columns = [*(label.value for label in LABELS), NO_ANSWER]
    return Scores(
        overall=_score(counts, seed, "", resamples),
        labels=by_label(counts),
        confusion={
            label.value: dict(zip(columns, map(int, row), strict=True))
            for label, row in zip(LABELS, counts, strict=True)
        },
        by_group=by_group,
    )


def _score(counts: Counts, seed: int, name: str, resamples: int) -> Score:
    # Resampling items is resampling cells of the confusion matrix by their shares.
    # Each group has its own random stream, so that groups do not affect each other's scores.
    source = np.random.default_rng([seed, zlib.crc32(name.encode())])
    total = int(counts.sum())
    drawn = source.multinomial(total, counts.ravel() / total, size=resamples)
    stack = drawn.reshape(resamples, NO_LABEL, NO_LABEL + 1)
    right = np.trace(stack, axis1=1, axis2=2) / total
    return Score(
        macro_f1=_interval(macro_f1(counts), macro_f1_of_each(stack)),
        accuracy=_interval(accuracy(counts), right),
        items=total,
    )


def _interval(value: float, drawn: Any) -> Interval:  # noqa: ANN401 - numpy's own arrays
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(value=round(value, 4), low=round(float(low), 4), high=round(float(high), 4))


def _json(one: Score) -> dict[str, Any]:
    return {
        "macro_f1": {
            "value": one.macro_f1.value,
            "low": one.macro_f1.low,
            "high": one.macro_f1.high,
        },
        "accuracy": {
            "value": one.accuracy.value,
            "low": one.accuracy.low,
            "high": one.accuracy.high,
        },
        "items": one.items,
    }
