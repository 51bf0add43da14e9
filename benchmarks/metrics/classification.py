"""Metrics of predicted labels (confusion, accuracy, F1), and of spans that match partially."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelScore:
    """Scores of one label; precision, recall and F1 are in [0, 1], higher is better.

    Attributes:
        precision: correct answers of the label / answers of the label; 0 if there are none.
        recall: correct answers of the label / items of the label; 0 if there are none.
        f1: harmonic mean of the two (van Rijsbergen 1979); 0 if both are 0.
        support: number of items with this gold label.
        predicted: row of the confusion matrix: answer -> number of items with this gold label.
    """

    precision: float
    recall: float
    f1: float
    support: int
    predicted: Mapping[str, int]


def confusion(gold: NDArray[np.intp], answers: NDArray[np.intp], labels: int) -> Counts:
    """The confusion matrix: gold labels (rows) by answers (columns).

    Args:
        gold: numbers of the gold labels, from 0.
        answers: numbers of the answered labels; ``labels`` for an answer without a label.
        labels: number of labels.
    """
    width = labels + 1
    cells = np.bincount(gold * width + answers, minlength=labels * width)
    return cells.reshape(labels, width).astype(np.int64)


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
    """``macro_f1`` of each of a stack of confusion matrices: (n, labels, answers) -> (n,)."""
    right = np.diagonal(counts, axis1=1, axis2=2)
    items = counts.sum(axis=2)
    answers = counts.sum(axis=1)[:, : counts.shape[1]]
    f1 = 2 * right / np.maximum(items + answers, 1)
    present = items > 0
    means: NDArray[np.float64] = (f1 * present).sum(axis=1) / np.maximum(present.sum(axis=1), 1)
    return means


def label_scores(
    counts: Counts, labels: Sequence[str], answers: Sequence[str]
) -> dict[str, LabelScore]:
    """Scores of each label of a confusion matrix.

    Args:
        counts: shape (labels, answers).
        labels: names of the rows.
        answers: names of the columns, which include all labels.
    """
    found = {}
    for row, label in enumerate(labels):
        column = answers.index(label)
        right, items = int(counts[row, column]), int(counts[row].sum())
        named = int(counts[:, column].sum())
        found[label] = LabelScore(
            precision=right / named if named else 0.0,
            recall=right / items if items else 0.0,
            f1=2 * right / (items + named) if items + named else 0.0,
            support=items,
            predicted=dict(zip(answers, counts[row].tolist(), strict=True)),
        )
    return found


def scores_by_label(gold: Sequence[str], predicted: Sequence[str]) -> dict[str, LabelScore]:
    """Scores of each gold label, sorted; predicted labels need not be gold labels.

    Args:
        gold: gold labels.
        predicted: predicted labels; same length.
    """
    labels = sorted(set(gold))
    answers = sorted({*labels, *predicted})
    counts = np.zeros((len(labels), len(answers)), dtype=np.int64)
    for right, answer in zip(gold, predicted, strict=True):
        counts[labels.index(right), answers.index(answer)] += 1
    return label_scores(counts, labels, answers)


def precision_recall_f1(counts: NDArray[np.int32] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Precision, recall and F1 of span counts: (..., 4) -> (..., 3); in [0, 1], higher is better.

    The counts are of correct, partial, spurious and missed spans. Precision is
    ``(correct + partial / 2)`` / spans of the candidate, recall the same over spans of the
    reference, F1 their harmonic mean; 0 if the denominator is 0. Source: MUC-5 (Chinchor and
    Sundheim 1993), as adapted by Amalvy and Huang (2025).
    """
    correct, partial, spurious, missed = np.moveaxis(counts, -1, 0)
    right = correct + 0.5 * partial
    sides = (correct + partial + spurious, correct + partial + missed)
    precision, recall = (right / np.maximum(side, 1) for side in sides)
    # The same operations as in the released script, so that ties are the same.
    total = precision + recall
    f1 = 2 * (precision * recall) / np.where(total > 0, total, 1)
    return np.stack([precision, recall, f1], axis=-1)
