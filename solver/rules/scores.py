"""What a rule gives a candidate, and what several rules give it together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.tkg.quadruples import Ids

Scores: TypeAlias = NDArray[np.float64]
Singles: TypeAlias = NDArray[np.float32]
"""Scores in single precision: the published program compares them so, and so decides ties."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighing:
    """How confidence and recency are weighed; ``score_12`` of TLogic.

    Attributes:
        alpha: the share of confidence, in [0, 1]; the rest is recency's.
        rate: of forgetting a unit of time, 0 or more; lambda in the paper.
    """

    alpha: float = 0.5
    rate: float = 0.1

    def score(self, confidence: Scores, lag: Ids) -> Singles:
        """What a rule gives a candidate: ``alpha c + (1 - alpha) exp(-rate lag)``, in [0, 1].

        Args:
            confidence: of the rule, support over body support.
            lag: time from the latest start of a grounding to the query.
        """
        recency = np.exp(-self.rate * lag)
        joined = self.alpha * confidence + (1 - self.alpha) * recency
        single: Singles = joined.astype(np.float32)
        return single


def noisy_or(groups: Ids, scores: Singles) -> tuple[Ids, Scores]:
    """One minus the product of one minus each score, a group each.

    Factors are multiplied in single precision, the smallest first, as the published program does:
    another order gives other ties.

    Returns:
        The groups, ascending, each once; their scores, in [0, 1].
    """
    order = np.lexsort((-scores, groups))
    ordered = groups[order]
    begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)])
    if not len(begins):
        return ordered, np.empty(0)
    products = np.multiply.reduceat(1 - scores[order], begins)
    return ordered[begins], 1 - products.astype(np.float64)
