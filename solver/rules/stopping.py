"""When have enough rules been applied? As soon as they tell the best candidates apart.

The published program applies the rules of a query one after the other, the most confident first,
and compares candidates by the scores that single rules gave them, the highest first. It stops when
the first ``top_k`` candidates all differ, which later rules could undo.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from heapq import nsmallest
from math import inf


class Standing:
    """The candidates of one query, as the rules applied so far rank them.

    A candidate's scores are kept negative and ascending with an infinity at the end. Then lists
    compare as the published program compares them, the better one being the smaller one.

    Args:
        top_k: how many candidates have to differ, at least 1.
    """

    __slots__ = ("_ahead", "_scores", "_tied", "_top_k")

    def __init__(self, top_k: int) -> None:
        self._top_k = top_k
        self._scores: dict[int, list[float]] = {}
        self._tied: tuple[int, int] | None = None
        self._ahead = 0

    def add(self, candidates: Sequence[int], scores: Sequence[float]) -> bool:
        """Note what one rule gives its candidates; tells whether the first ones differ now."""
        tied = self._tied
        mark = None if tied is None else self._scores[tied[0]].copy()
        touched = False
        for candidate, score in zip(candidates, scores, strict=True):
            held = self._scores.get(candidate)
            if held is None:
                self._scores[candidate] = held = [-score, inf]
                if mark is not None and held < mark:
                    self._ahead += 1
                continue
            if tied is not None and candidate in tied:
                touched = True
                insort(held, -score)
                continue
            behind = mark is not None and held >= mark
            insort(held, -score)
            if mark is not None and behind and held < mark:
                self._ahead += 1
        if len(self._scores) < self._top_k:
            return False
        if tied is not None and self._still_tied(tied, touched=touched):
            return False
        return self._differ()

    def _still_tied(self, tied: tuple[int, int], *, touched: bool) -> bool:
        """Whether two candidates that did not differ still do not, and are among the first.

        Scores are only added, so a tie moves up if at all: no more are ahead of it than of what
        it was. The count may include the two themselves, which only makes it look again.
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
