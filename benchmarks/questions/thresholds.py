"""Tunes the confidence threshold of the answer yes on labelled questions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.rules.scores import Scores


def tune_threshold(scores: Scores, gold: NDArray[np.bool_]) -> float:
    """The threshold with the best accuracy; of ties the greatest.

    Args:
        scores: finite scores of facts; the answer is yes from the threshold on.
        gold: whether each fact holds.

    Returns:
        One of the scores, or infinity if it is best never to answer yes.
    """
    order = np.argsort(-scores, kind="stable")
    ordered, right = scores[order], gold[order]
    gained = np.cumsum(np.where(right, 1, -1))
    last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)[: len(ordered)])
    if not len(last) or gained[last].max() <= 0:
        return float("inf")
    return float(ordered[last[np.argmax(gained[last])]])
