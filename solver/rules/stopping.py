"""The stopping criterion of TLogic: stop applying rules once the best candidates differ.

The published program applies the rules of a query by descending confidence and compares candidates
lexicographically by their descending lists of rule scores. It stops when the first ``top_k``
candidates have pairwise different lists, although later rules could change their order.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from heapq import nsmallest
from math import inf


class CandidateOrder:
    """The candidates of one query, ordered by the rules applied so far.

    The scores of a candidate are stored negated and ascending, followed by infinity, so that list
    comparison is that of the published program and better candidates are smaller.

    Args:
        top_k: number of candidates that have to differ, at least 1.
    """

    __slots__ = ("_ahead", "_scores", "_tied", "_top_k")

    def __init__(self, top_k: int) -> None:
        self._top_k = top_k
        self._scores: dict[int, list[float]] = {}
        self._tied: tuple[int, int] | None = None
        self._ahead = 0

    def add(self, candidates: Sequence[int], scores: Sequence[float]) -> bool:
        """Add the scores by one rule; returns whether the first ``top_k`` candidates differ."""
        tied = self._tied
        mark = None if tied is None else self._scores[tied[0]].copy()
        touched = False
        for candidate, score in zip(candidates, scores, strict=True):
            listed = self._scores.get(candidate)
            if listed is None:
                self._scores[candidate] = listed = [-score, inf]
                if mark is not None and listed < mark:
                    self._ahead += 1
                continue
            if tied is not None and candidate in tied:
                touched = True
                insort(listed, -score)
                continue
            behind = mark is not None and listed >= mark
            insort(listed, -score)
            if mark is not None and behind and listed < mark:
                self._ahead += 1
        if len(self._scores) < self._top_k:
            return False
        if tied is not None and self._still_tied(tied, touched=touched):
            return False
        return self._differ()

    def _still_tied(self, tied: tuple[int, int], *, touched: bool) -> bool:
        """Whether two tied candidates are still tied, and both among the first ``top_k``.

        Scores are only added, so a tie can only move up: at most as many candidates are ahead of it
        as of its former scores. The count may include the two themselves; then they are compared
        again.
        """
        if touched and self._scores[tied[0]] != self._scores[tied[1]]:
            return False
        return self._ahead <= self._top_k - 2

    def _differ(self) -> bool:
        first = nsmallest(self._top_k, self._scores.items(), key=lambda item: item[1])
        for place in range(len(first) - 1):
            if first[place][1] == first[place + 1][1]:
                self._tied = first[place][0], first[place + 1][0]
                self._ahead = place
                return False
        self._tied = None
        return True
