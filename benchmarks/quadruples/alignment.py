"""Alignment of the candidates and references of an item by maximal total F1."""

from __future__ import annotations

from itertools import accumulate
from math import fsum

import numpy as np
from numpy.typing import NDArray

from benchmarks.quadruples.pairs import Numbers
from solver.extras import require

RELEASED_LIMIT = 7
"""Maximal number of facts of an item that the released script scores."""

_SLACK = 1e-9
"""Larger than rounding errors of the sums, smaller than differences between distinct sums."""


def optimal(f1: Numbers) -> NDArray[np.intp]:
    """Align facts so that the sum of the mean F1 of the four modes is maximal.

    Args:
        f1: shape (n candidates, n references, 4 modes).

    Returns:
        The reference of each candidate (Kuhn 1955, by scipy).
    """
    require("the optimal pairing of facts", "scipy")
    from scipy.optimize import linear_sum_assignment

    _, references = linear_sum_assignment(f1.mean(axis=2), maximize=True)
    return np.asarray(references, dtype=np.intp)


def first_optimal(f1: Numbers) -> NDArray[np.intp]:
    """Align facts as the released script does: the first permutation with the greatest sum.

    The script tries all n! permutations in lexical order and keeps one only if its sum, a float
    added up in candidate order, exceeds all before. This does the same by branch and bound,
    pruning permutations that cannot come near the best sum so far.

    Args:
        f1: shape (n candidates, n references, 4 modes), n at most 7.
    """
    # Like the script, compute the mean exactly and round once.
    means = [[fsum(cell) / 4 for cell in row] for row in f1.tolist()]
    if len(means) == 1:
        return np.zeros(1, dtype=np.intp)
    return np.array(_Descent(means).best, dtype=np.intp)


class _Descent:
    """Branch and bound over permutations in lexical order."""

    def __init__(self, means: list[list[float]]) -> None:
        self._means = means
        tops = [max(row) for row in means]
        # Upper bound on the sum of the candidates from each position on.
        self._rests = [*accumulate(reversed(tops), initial=0.0)][::-1]
        self._left = [True] * len(means)
        self._chosen: list[int] = []
        self._greatest = -1.0
        self.best: list[int] = []
        self._descend(0, 0.0)

    def _descend(self, place: int, total: float) -> None:
        if place == len(self._means):
            if total > self._greatest:
                self.best, self._greatest = self._chosen.copy(), total
            return
        for reference, mean in enumerate(self._means[place]):
            reached = total + mean
            hopeless = reached + self._rests[place + 1] < self._greatest - _SLACK
            if hopeless or not self._left[reference]:
                continue
            self._left[reference] = False
            self._chosen.append(reference)
            self._descend(place + 1, reached)
            self._chosen.pop()
            self._left[reference] = True
