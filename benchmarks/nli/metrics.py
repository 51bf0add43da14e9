"""Classification metrics: macro-F1, accuracy, scores by label, confusion matrix.

All are functions of a confusion matrix: rows are gold labels in the order of ``Label``, columns
answers in the same order, and last those without a label (unreadable or missing), which count as
wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.model import Label

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
    return {label: _score(counts, place) for place, label in enumerate(LABELS)}


def _score(counts: Counts, place: int) -> LabelScore:
    right = int(counts[place, place])
    items = int(counts[place].sum())
    answers = int(counts[:, place].sum())
    return LabelScore(
        precision=right / answers if answers else 0.0,
        recall=right / items if items else 0.0,
        f1=2 * right / (items + answers) if items + answers else 0.0,
        support=items,
    )
