"""Score of a candidate by one rule, and its aggregation over several rules."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, fields
from heapq import nsmallest
from itertools import pairwise
from math import inf
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.graph.model import Ids
from solver.rules.graph import Mask

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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Events:
    """One row per query, rule and candidate, grouped by query and rule.

    Attributes:
        query: number of the query.
        rule: row in ``Application.rules``; the rules of a query are in the order of application.
        entity: the candidate.
        time: latest time at which a grounding of the rule for the candidate begins.
        score: score of the candidate by the rule.
    """

    query: Ids
    rule: Ids
    entity: Ids
    time: Ids
    score: Singles

    @classmethod
    def joined(cls, parts: Sequence[Events]) -> Events:
        """Concatenate one or more parts."""
        columns = {
            one.name: np.concatenate([getattr(part, one.name) for part in parts])
            for one in fields(cls)
        }
        return cls(**columns)

    @classmethod
    def none(cls) -> Events:
        """An empty table."""
        nothing = np.empty(0, dtype=np.int64)
        return cls(
            query=nothing,
            rule=nothing,
            entity=nothing,
            time=nothing,
            score=np.empty(0, dtype=np.float32),
        )

    def __len__(self) -> int:
        return len(self.query)

    def take(self, chosen: Mask | Ids) -> Events:
        """Select rows."""
        return Events(
            query=self.query[chosen],
            rule=self.rule[chosen],
            entity=self.entity[chosen],
            time=self.time[chosen],
            score=self.score[chosen],
        )


def apply_until_distinct(
    events: Events, standings: Sequence[CandidateOrder]
) -> tuple[Events, set[int]]:
    """Apply rules in order until the best candidates of each query have different scores.

    Args:
        events: scores by all rules of the current batch.
        standings: candidate order of each query; updated in place.

    Returns:
        The scores by the rules that were applied, and the queries that need no more rules.
    """
    changed = np.flatnonzero((np.diff(events.query) != 0) | (np.diff(events.rule) != 0)) + 1
    bounds = np.concatenate(([0], changed, [len(events)])).tolist() if len(events) else []
    entities, scores = events.entity.tolist(), events.score.tolist()
    done: set[int] = set()
    kept = np.ones(len(events), dtype=np.bool_)
    for begin, end in pairwise(bounds):
        query = int(events.query[begin])
        if query in done:
            kept[begin:end] = False
        elif standings[query].add(entities[begin:end], scores[begin:end]):
            done.add(query)
    return events.take(kept), done
