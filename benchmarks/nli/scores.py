"""Scores of answers with bootstrap intervals: overall, by label, by group."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.nli.dimension import Dimension
from benchmarks.nli.groups import Group
from benchmarks.nli.metrics import (
    LABELS,
    NO_LABEL,
    Counts,
    LabelScore,
    accuracy,
    by_label,
    confusion,
    macro_f1,
    macro_f1_of_each,
    numbered,
)
from solver.model import Label

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
