"""Metrics of extracted spans that may match partially."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


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
