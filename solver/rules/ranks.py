"""Ranks of the true answers in the time-aware filtered setting."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from math import inf
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.graph.model import Ids, Index, Quadruples, expand, stable_order
from solver.graph.queries import Ranks
from solver.rules.history import Mask, changes

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
    ordered, factors = _sorted_within(groups, 1 - scores)
    begins = changes(ordered)
    if not len(begins):
        return ordered, np.empty(0)
    products = np.multiply.reduceat(factors, begins)
    return ordered[begins], 1 - products.astype(np.float64)


def best_first(groups: Ids, scores: Scores) -> Ids:
    """The order of rows by group, best scores first; equal rows stay in their own order."""
    # Scores of ``noisy_or`` are single precision numbers subtracted from 1.
    rest = (1 - scores).astype(np.float32)
    exact = (1 - rest.astype(np.float64) == scores).all()
    if not exact or int(groups.max(initial=0)) >= 2**31:
        return np.lexsort((-scores, groups))
    return stable_order((groups << 32) + (_in_order(rest.view(np.int32)).astype(np.int64) + 2**31))


def _sorted_within(groups: Ids, values: Singles) -> tuple[Ids, Singles]:
    """Sort rows by group, then value: as one column of integers, several times faster than two."""
    if len(groups) and int(groups.max()) >= 2**31:
        distinct, numbers = np.unique(groups, return_inverse=True)
        sorted_numbers, ordered = _sorted_within(numbers, values)
        return distinct[sorted_numbers], ordered
    keys = (groups << 32) + (_in_order(values.view(np.int32)).astype(np.int64) + 2**31)
    keys.sort()
    bits = ((keys & (2**32 - 1)) - 2**31).astype(np.int32)
    return keys >> 32, _in_order(bits).view(np.float32)


def _in_order(bits: NDArray[np.int32]) -> NDArray[np.int32]:
    """Bits of floats as integers in the same order, and back."""
    return bits ^ ((bits >> 31) & np.int32(2**31 - 1))


class CandidateOrder:
    """The candidates of one query, ordered by the rules applied so far.

    The scores of a candidate are stored negated and ascending, followed by infinity, so that list
    comparison is that of the published program and better candidates are smaller.

    Args:
        top_k: number of candidates that have to differ, at least 1.
    """

    __slots__ = ("_ahead", "_mark", "_order", "_scores", "_tied", "_top_k")

    def __init__(self, top_k: int) -> None:
        self._top_k = top_k
        self._scores: dict[int, list[float]] = {}
        self._order: list[int] = []
        """Candidates of the last comparison, best first."""
        self._tied: tuple[int, int] | None = None
        """Two candidates with equal scores, both among the first."""
        self._mark: list[float] = []
        """The scores of these two; nothing is ahead of an empty list."""
        self._ahead: set[int] = set()
        """Candidates ahead of these two, or of their former scores."""

    def add(
        self, candidates: Sequence[int], negated: Sequence[float], rules: Sequence[int]
    ) -> int | None:
        """Add scores in the order of their rules, until the first ``top_k`` differ.

        Args:
            candidates: a candidate for each score, once per rule.
            negated: the scores, negated.
            rules: the rule of a score that is the last by its rule, counted from 1; 0 for others.

        Returns:
            The rule after which they differ, or None.
        """
        known, mark, ahead = self._scores, self._mark, self._ahead
        # Nothing changes until another candidate is ahead of the tie, or one of the tie is.
        watched, least = (ahead, len(ahead)) if self._tied else (known, self._top_k - 1)
        for candidate, score, rule in zip(candidates, negated, rules, strict=True):
            listed = known.get(candidate)
            if listed is None:
                known[candidate] = listed = [score, inf]
            else:
                insort(listed, score)
            if listed < mark:
                ahead.add(candidate)
            if rule and len(watched) > least:
                if not (self._tied and self._still_tied(*self._tied)) and self._differ():
                    return rule
                mark, watched = self._mark, self._ahead
                ahead, least = watched, len(watched)
        return None

    def _still_tied(self, candidate: int, other: int) -> bool:
        """Whether two tied candidates are still tied, and both among the first ``top_k``.

        Scores are only added, so a tie can only move up: at most as many candidates are ahead of it
        as of its former scores.
        """
        if candidate in self._ahead or other in self._ahead:
            if self._scores[candidate] != self._scores[other]:
                return False
            self._ahead -= {candidate, other}
            self._mark = self._scores[candidate].copy()
        return len(self._ahead) <= self._top_k - 2

    def _differ(self) -> bool:
        # Candidates are never removed. Few move between two comparisons, so that the sort is short.
        self._order += list(self._scores)[len(self._order) :]
        self._order.sort(key=self._scores.__getitem__)
        first = [self._scores[candidate] for candidate in self._order[: self._top_k]]
        for place, (scores, other) in enumerate(pairwise(first)):
            if scores == other:
                self._tied = self._order[place], self._order[place + 1]
                self._mark, self._ahead = scores.copy(), set(self._order[:place])
                return False
        self._tied, self._mark, self._ahead = None, [], set()
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
            field.name: np.concatenate([getattr(part, field.name) for part in parts])
            for field in fields(cls)
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
        rows = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen
        return Events(
            query=self.query.take(rows),
            rule=self.rule.take(rows),
            entity=self.entity.take(rows),
            time=self.time.take(rows),
            score=self.score.take(rows),
        )


class StoppingRule:
    """Applies rules until the best candidates of each query have different scores.

    A candidate is among the best only if its highest score is at least that of the last of them,
    which never falls. Scores of other candidates wait until a score lifts their candidate.

    Args:
        queries: number of queries.
        entities: number of entities.
        top_k: number of candidates that have to differ, at least 1.
    """

    def __init__(self, queries: int, entities: int, top_k: int) -> None:
        self._entities = entities
        self._top_k = top_k
        self._orders = [CandidateOrder(top_k) for _ in range(queries)]
        self._least = np.full(queries, -np.inf, dtype=np.float32)
        """For each query, the highest score of its candidate ``top_k``."""
        nothing = np.empty(0, np.int64), np.empty(0, np.float32)
        self._highest = nothing
        """The candidates so far, as packed (query, entity), and their highest scores."""
        self._waiting = nothing
        """Scores not yet compared, by packed (query, entity)."""

    def apply(self, events: Events) -> tuple[Events, Ids]:
        """Apply the next rules of some queries, in order.

        Returns:
            The scores by the rules that were applied, and the queries that need no more rules.
        """
        keys = events.query * self._entities + events.entity
        near, lifted = self._near(keys, events.score)
        rules = np.cumsum(_new_rule(events), dtype=np.int64)
        waiting, scores = self._waiting
        stops = self._compare(
            np.concatenate((waiting.compress(lifted), keys.compress(near))),
            np.concatenate((scores.compress(lifted), events.score.compress(near))),
            np.append(np.zeros(np.count_nonzero(lifted), np.int64), _lasts(rules.compress(near))),
        )
        last = np.full(len(self._orders), len(events) + 1)
        last[list(stops)] = list(stops.values())
        kept = rules <= last.take(events.query)
        done = np.array(sorted(stops), dtype=np.int64)
        left = np.ones(len(self._orders), dtype=np.bool_)
        left[done] = False
        waiting = np.concatenate((waiting.compress(~lifted), keys.compress(~near)))
        scores = np.concatenate((scores.compress(~lifted), events.score.compress(~near)))
        unfinished = left.take(waiting // self._entities)
        self._waiting = waiting.compress(unfinished), scores.compress(unfinished)
        candidates, highest = self._highest
        unfinished = left.take(candidates // self._entities)
        self._highest = candidates.compress(unfinished), highest.compress(unfinished)
        return events.take(kept), done

    def _near(self, keys: Ids, scores: Singles) -> tuple[Mask, Mask]:
        """Which new and which waiting scores are of candidates that can be among the best."""
        known, highest = self._highest
        every = np.concatenate((known, self._waiting[0], keys))
        order = stable_order(every)
        ordered = every.take(order)
        begins = changes(ordered)
        candidates = ordered.take(begins)
        joined = np.concatenate((highest, self._waiting[1], scores)).take(order)
        highest = np.maximum.reduceat(joined, begins) if len(begins) else joined
        query = candidates // self._entities
        counts = np.bincount(query, minlength=len(self._orders))
        enough = counts >= self._top_k
        near = enough.take(query) & (highest >= self._least.take(query))
        each = np.empty(len(every), dtype=np.bool_)
        each[order] = np.repeat(near, np.diff(np.append(begins, len(every))))
        self._highest = candidates, highest
        _, ascending = _sorted_within(query, highest)
        self._least[enough] = ascending[(np.cumsum(counts) - self._top_k)[enough]]
        old = len(known) + len(self._waiting[0])
        return each[old:], each[len(known) : old]

    def _compare(self, keys: Ids, scores: Singles, rules: Ids) -> dict[int, int]:
        """The rule after which the best candidates of a query differ, for queries that have one."""
        query = keys // self._entities
        order = stable_order(query)
        query, keys = query.take(order), keys.take(order)
        columns = (keys - query * self._entities, -scores.take(order), rules.take(order))
        begins = changes(query)
        bounds = pairwise(np.append(begins, len(query)).tolist())
        listed = [column.tolist() for column in columns]
        stops: dict[int, int] = {}
        for number, (begin, end) in zip(query.take(begins).tolist(), bounds, strict=True):
            rule = self._orders[number].add(*(column[begin:end] for column in listed))
            if rule is not None:
                stops[number] = rule
        return stops


def _new_rule(events: Events) -> Mask:
    """Whether the query or the rule of a row differs from that of the row before."""
    new = np.ones(len(events), dtype=np.bool_)
    new[1:] = (np.diff(events.query) != 0) | (np.diff(events.rule) != 0)
    return new


def _lasts(rules: Ids) -> Ids:
    """The rule of each row that is the last one of its rule, 0 for the other rows."""
    return np.where(np.append(rules, 0)[1:] != rules, rules, 0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """Ranked candidates of queries, grouped by query, best first; ties are in order of entity id.

    Attributes:
        offsets: candidates of query ``k`` are rows ``offsets[k]`` to ``offsets[k + 1]``.
        entity: the candidates.
        score: their scores in [0, 1]; comparable only between queries of equal ``ruled``.
        ruled: for each query, whether rules predict its candidates; otherwise they are the most
            frequent objects of its relation.
    """

    offsets: Ids
    entity: Ids
    score: Scores
    ruled: np.ndarray[tuple[int], np.dtype[np.bool_]]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def rows(self, query: int) -> slice:
        """The rows of the candidates of one query."""
        return slice(int(self.offsets[query]), int(self.offsets[query + 1]))

    @classmethod
    def joined(cls, parts: Sequence[Candidates]) -> Candidates:
        """Concatenate the candidates of several batches of queries."""
        counts = [np.diff(part.offsets) for part in parts]
        return cls(
            offsets=np.cumsum(np.concatenate([np.zeros(1, np.int64), *counts])),
            entity=np.concatenate([np.empty(0, np.int64), *(part.entity for part in parts)]),
            score=np.concatenate([np.empty(0), *(part.score for part in parts)]),
            ruled=np.concatenate([np.empty(0, np.bool_), *(part.ruled for part in parts)]),
        )

    def take(self, chosen: Ids) -> Candidates:
        """Select queries by number, in the given order."""
        begins, ends = self.offsets[chosen], self.offsets[chosen + 1]
        _, rows = expand(begins, ends)
        return Candidates(
            offsets=np.append(0, np.cumsum(ends - begins)),
            entity=self.entity[rows],
            score=self.score[rows],
            ruled=self.ruled[chosen],
        )


def filtered_ranks(candidates: Candidates, numbers: Ids, facts: Quadruples, entities: int) -> Ranks:
    """Rank the tails of facts among the candidates of their queries.

    Time-aware filtered setting: other true tails of a query are removed from its ranking.

    Args:
        candidates: candidates of the queries.
        numbers: for each fact, the number of its query, as returned by ``Queries.of``.
        facts: the facts whose tails are ranked; all facts of the queried times.
        entities: number of entities; the rank of an answer that is not a candidate.
    """
    known = Index.of(numbers * entities + facts.tail)
    query = np.repeat(np.arange(len(candidates)), np.diff(candidates.offsets))
    right = known.contains(query * entities + candidates.entity)
    fact, rows = expand(candidates.offsets[numbers], candidates.offsets[numbers + 1])
    answers = candidates.entity[rows] == facts.tail[fact]
    scores = np.full(len(numbers), np.nan)
    scores[fact[answers]] = candidates.score[rows[answers]]
    # Answers that are not candidates have score NaN, for which all comparisons are false.
    others = ~right[rows]
    above = others & (candidates.score[rows] > scores[fact])
    level = others & (candidates.score[rows] == scores[fact])
    found = ~np.isnan(scores)
    better = np.bincount(fact[above], minlength=len(numbers))
    tied = np.bincount(fact[level], minlength=len(numbers)) + 1
    return Ranks(better=np.where(found, better, entities - 1), tied=np.where(found, tied, 1))
