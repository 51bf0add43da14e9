"""From which score on a fact is told to hold: chosen on questions whose answers are known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.rules.scores import Scores


def tuned(scores: Scores, held: NDArray[np.bool_]) -> float:
    """The threshold at which most facts are told rightly; of equals the greatest.

    Args:
        scores: of facts, finite; one is told to hold if its score is at least the threshold.
        held: whether each does.

    Returns:
        One of the scores, or infinity if it is best to tell of none that it holds.
    """
    order = np.argsort(-scores, kind="stable")
    ordered, right = scores[order], held[order]
    gained = np.cumsum(np.where(right, 1, -1))
    last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)[: len(ordered)])
    if not len(last) or gained[last].max() <= 0:
        return float("inf")
    return float(ordered[last[np.argmax(gained[last])]])
