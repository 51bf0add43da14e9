"""Which rules are best: confident, and supported enough for that to mean something."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.rules.table import RuleTable
from solver.tkg.quadruples import Ids

_DEVIATIONS = 1.96


def assured(rules: RuleTable) -> NDArray[np.float64]:
    """The least confidence that supports speak for, in [0, 1]: the lower end of a 95% interval.

    Source: Wilson 1927, the score interval of a share.
    """
    share, samples = rules.ratio, np.maximum(rules.body_support, 1)
    square = _DEVIATIONS**2 / samples
    spread = _DEVIATIONS * np.sqrt(share * (1 - share) / samples + square / samples / 4)
    bound: NDArray[np.float64] = (share + square / 2 - spread) / (1 + square)
    return np.maximum(bound, 0.0)


def best(rules: RuleTable, count: int) -> Ids:
    """Rows of the rules with the greatest assured confidence, from the best on."""
    return np.argsort(-assured(rules), kind="stable")[:count]
