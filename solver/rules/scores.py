"""Score of a candidate by one rule, and its aggregation over several rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.tkg.quadruples import Ids

Scores: TypeAlias = NDArray[np.float64]
Singles: TypeAlias = NDArray[np.float32]
"""Scores in single precision, as in the published program: the precision decides ties."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreWeights:
    """Weights of confidence and recency in a score; ``score_12`` of TLogic.

    Attributes:
        alpha: weight of the confidence, in [0, 1]; recency has weight 1 - alpha.
        rate: decay per unit of time, at least 0; lambda in the paper.
    """

    alpha: float = 0.5
    rate: float = 0.1

    def score(self, confidence: Scores, lag: Ids) -> Singles:
        """Score of a candidate: ``alpha c + (1 - alpha) exp(-rate lag)``, in [0, 1].

        Args:
            confidence: rule support over body support.
            lag: time from the latest start of a grounding to the query.
        """
        recency = np.exp(-self.rate * lag)
        joined = self.alpha * confidence + (1 - self.alpha) * recency
        single: Singles = joined.astype(np.float32)
        return single


def noisy_or(groups: Ids, scores: Singles) -> tuple[Ids, Scores]:
    """Aggregate the scores of each group by noisy-or: ``1 - (1 - s1)(1 - s2)...``.

    Factors are multiplied in single precision, smallest first, as in the published program: another
    order results in other ties.

    Returns:
        The distinct groups, ascending, and their scores in [0, 1].
    """
    order = np.lexsort((-scores, groups))
    ordered = groups[order]
    begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)])
    if not len(begins):
        return ordered, np.empty(0)
    products = np.multiply.reduceat(1 - scores[order], begins)
    return ordered[begins], 1 - products.astype(np.float64)
