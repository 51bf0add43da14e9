"""Orders rules by a lower confidence bound, which penalises low support."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.rules.table import RuleTable
from solver.tkg.quadruples import Ids

_DEVIATIONS = 1.96


def confidence_bound(rules: RuleTable) -> NDArray[np.float64]:
    """Lower bound of the 95% Wilson score interval of the confidence, in [0, 1].

    Source: Wilson 1927.
    """
    share, samples = rules.ratio, np.maximum(rules.body_support, 1)
    square = _DEVIATIONS**2 / samples
    spread = _DEVIATIONS * np.sqrt(share * (1 - share) / samples + square / samples / 4)
    bound: NDArray[np.float64] = (share + square / 2 - spread) / (1 + square)
    return np.maximum(bound, 0.0)


def best(rules: RuleTable, count: int) -> Ids:
    """Rows of the ``count`` rules with the highest lower confidence bound, best first."""
    return np.argsort(-confidence_bound(rules), kind="stable")[:count]
