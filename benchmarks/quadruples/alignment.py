"""Which candidate is scored against which reference of an item: the pairing with the most F1."""

from __future__ import annotations

from itertools import accumulate
from math import fsum

import numpy as np
from numpy.typing import NDArray

from benchmarks.quadruples.pairs import Numbers
from solver.extras import require

RELEASED_LIMIT = 7
"""Facts of an item, on its longer side, beyond which the released script skips it."""

_SLACK = 1e-9
"""More than sums of a few floats can be off, less than two sums of these scores differ."""


def optimal(f1: Numbers) -> NDArray[np.intp]:
    """Pair facts so that the mean F1 of the four modes, summed, is the greatest.

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
    """Pair facts as the released script does: the first permutation with the greatest sum.

    It tries all n! in their lexical order and keeps one only if its sum, a float added up in the
    candidates' order, is greater than all before. So does this, but it leaves out permutations that
    cannot come near the best sum so far.

    Args:
        f1: shape (n candidates, n references, 4 modes), n at most 7.
    """
    # The script's mean is that of exact fractions, rounded once; so is this.
    means = [[fsum(cell) / 4 for cell in row] for row in f1.tolist()]
    if len(means) == 1:
        return np.zeros(1, dtype=np.intp)
    return np.array(_Descent(means).best, dtype=np.intp)


class _Descent:
    """Permutations in lexical order, but for those that cannot come near the best sum so far."""

    def __init__(self, means: list[list[float]]) -> None:
        self._means = means
        tops = [max(row) for row in means]
        # What the candidates from each place on can add at most.
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
