"""Scores of answers with bootstrap intervals: overall, by label, by group."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.eventhop.cases import Dimension, Group
from benchmarks.metrics.bootstrap import RESAMPLES, Estimate, estimate, resampled_counts
from benchmarks.metrics.classification import (
    Counts,
    LabelScore,
    accuracy,
    confusion,
    label_scores,
    macro_f1,
    macro_f1_of_each,
)
from grammar.eventhop.model import Label
from solver.report.numbers import decimal_interval

LABELS = tuple(Label)
NO_LABEL = len(LABELS)
"""The number of an answer without a label, of three labels."""

NO_ANSWER = "no label"

Numbers = NDArray[np.intp]


def numbered(labels: Sequence[str | None], known: Sequence[str] = LABELS) -> Numbers:
    """Encode labels as their positions among the known ones, None as the number of these."""
    places: dict[str | None, int] = {label: place for place, label in enumerate(known)}
    return np.array([places.get(label, len(known)) for label in labels], dtype=np.intp)


def label_confusion(gold: Numbers, answers: Numbers, labels: int = NO_LABEL) -> Counts:
    """The confusion matrix of numbered labels: (labels, labels and no label)."""
    return confusion(gold, answers, labels)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Scores of some items; higher is better."""

    macro_f1: Estimate
    accuracy: Estimate
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupScore:
    """Score of groups of one true, one false and one undefined item, each counted as a whole.

    Attributes:
        share: groups whose three items are all answered rightly.
        groups: number of complete groups; ``incomplete`` ones lack an item and are not scored.
        chance: of three independent guesses.
        chance_of_labels: of a guesser who knows that each label occurs once.
    """

    share: Estimate
    groups: int
    incomplete: int
    chance: float = round(1 / 27, 4)
    chance_of_labels: float = round(1 / 6, 4)

    def __str__(self) -> str:
        """One line."""
        left_out = f"; {self.incomplete:,} incomplete" if self.incomplete else ""
        return (
            f"whole groups {decimal_interval(self.share)} of {self.groups:,}{left_out}; chance "
            f"{self.chance:.3f} for independent guesses, {self.chance_of_labels:.3f} for one who "
            "knows that each label occurs once"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Scores of all items.

    Attributes:
        minimal: the score of minimal groups; None if there are none.
        labels: gold label -> score; answers without a label are counted as ``NO_ANSWER``.
        by_group: dimension -> name of the group -> score.
    """

    overall: Score
    labels: Mapping[str, LabelScore]
    by_group: Mapping[Dimension, Mapping[str, Score]]
    minimal: GroupScore | None = None

    @property
    def confusion(self) -> dict[str, Mapping[str, int]]:
        """Gold label -> answer, or ``NO_ANSWER`` -> number of items."""
        return {label: score.predicted for label, score in self.labels.items()}

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON values."""
        return {
            "overall": asdict(self.overall),
            "groups": None if self.minimal is None else asdict(self.minimal),
            "labels": {
                label: {
                    "precision": round(score.precision, 4),
                    "recall": round(score.recall, 4),
                    "f1": round(score.f1, 4),
                    "support": score.support,
                }
                for label, score in self.labels.items()
            },
            "confusion": {gold: dict(row) for gold, row in self.confusion.items()},
            "by": {
                dimension.value: {name: asdict(score) for name, score in scores.items()}
                for dimension, scores in self.by_group.items()
            },
        }


def score(
    gold: Sequence[str],
    answers: Sequence[str | None],
    grouped: Sequence[Group],
    minimal: Sequence[Sequence[int]] = (),
    *,
    labels: Sequence[str] = LABELS,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Scores:
    """Score answers, one per item.

    Args:
        gold: the gold labels.
        answers: the answered labels; None counts as wrong.
        grouped: the groups by which scores are broken down.
        minimal: the positions of the items of each minimal group, of the three labels.
        labels: all labels.
        seed: random seed of the bootstrap.
        resamples: number of bootstrap resamples.
    """
    right, given = numbered(gold, labels), numbered(answers, labels)
    counts = label_confusion(right, given, len(labels))
    by_group: dict[Dimension, dict[str, Score]] = {}
    for group in grouped:
        members = list(group.members)
        some = label_confusion(right[members], given[members], len(labels))
        name = f"{group.dimension} {group.name}"
        by_group.setdefault(group.dimension, {})[group.name] = _score(some, seed, name, resamples)
    names = list(map(str, labels))
    return Scores(
        overall=_score(counts, seed, "", resamples),
        labels=label_scores(counts, names, [*names, NO_ANSWER]),
        by_group=by_group,
        minimal=_whole(right, given, minimal, seed, resamples) if minimal else None,
    )


def _whole(
    gold: Numbers, given: Numbers, groups: Sequence[Sequence[int]], seed: int, resamples: int
) -> GroupScore | None:
    """The score of groups of one item of each label; None if there are none."""
    complete = [
        list(numbers)
        for numbers in groups
        if sorted(gold[list(numbers)]) == list(range(len(LABELS)))
    ]
    if not complete:
        return None
    right = sum(bool((given[numbers] == gold[numbers]).all()) for numbers in complete)
    source = np.random.default_rng([seed, zlib.crc32(b"minimal groups")])
    counts = np.array([right, len(complete) - right])
    drawn = resampled_counts(counts, source=source, resamples=resamples)[:, 0]
    return GroupScore(
        share=estimate(right / len(complete), drawn / len(complete)).rounded(4),
        groups=len(complete),
        incomplete=len(groups) - len(complete),
    )


def _score(counts: Counts, seed: int, name: str, resamples: int) -> Score:
    # Each group has its own random stream, so that groups do not affect each other's scores.
    source = np.random.default_rng([seed, zlib.crc32(name.encode())])
    drawn = resampled_counts(counts, source=source, resamples=resamples)
    total = int(counts.sum())
    right = np.trace(drawn, axis1=1, axis2=2) / total
    return Score(
        macro_f1=estimate(macro_f1(counts), macro_f1_of_each(drawn)).rounded(4),
        accuracy=estimate(accuracy(counts), right).rounded(4),
        items=total,
    )
