"""FREQUENCY and RECENCY: the tails of a query's context, ranked by how often or when they came.

Source: synthetic temporal knowledge graphs, section 5.3 and Table 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from benchmarks.ranking.filters import Filter
from benchmarks.ranking.metrics import CUTS, hits
from benchmarks.ranking.ties import Tie, Ties
from benchmarks.retrieval.context import MOST, Contexts, History, Shared
from solver.rules.queries import Candidates, Queries
from solver.rules.ranks import filtered_ranks
from solver.tkg.dataset import Vocabulary
from solver.tkg.quadruples import Quadruples


class Heuristic(StrEnum):
    """How often a tail is in the context, or when it was there last."""

    FREQUENCY = "frequency"
    RECENCY = "recency"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """Hits@k: ties broken at random, against the answer and in favour of it; each in [0, 1]."""

    expected: float
    pessimistic: float
    optimistic: float


def candidates(contexts: Contexts, facts: Quadruples, heuristic: Heuristic) -> Candidates:
    """The tails of each context with their scores in (0, 1]; what is not there is no candidate."""
    askers, rows = contexts.expanded()
    tails = facts.tail[rows]
    size = int(tails.max(initial=0)) + 1
    pairs, place = np.unique(askers * size + tails, return_inverse=True)
    query, entity = np.divmod(pairs, size)
    if heuristic is Heuristic.FREQUENCY:
        score = np.bincount(place, minlength=len(pairs)) / (contexts.ends - contexts.begins)[query]
    else:
        times = np.unique(facts.time)
        last = np.empty(len(pairs), dtype=np.int64)
        # Facts ascend in time within a context, and of values for one place the last one stays.
        last[place] = facts.time[rows]
        score = (np.searchsorted(times, last) + 1) / len(times)
    best = np.lexsort((entity, -score, query))
    return Candidates(
        offsets=np.searchsorted(query, np.arange(len(contexts) + 1)),
        entity=entity[best],
        score=score[best],
        ruled=np.ones(len(contexts), dtype=np.bool_),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranked:
    """A heuristic's answers.

    Attributes:
        queries: each once; candidates: of these.
        ties: where the tails of the facts stand that were asked for, in their order.
    """

    queries: Queries
    candidates: Candidates
    ties: Ties


def rank(
    facts: Quadruples,
    asked: Quadruples,
    vocabulary: Vocabulary,
    heuristic: Heuristic,
    shared: Shared,
    *,
    most: int = MOST,
    filter: Filter = Filter.RAW,
) -> Ranked:
    """Rank the tails of some facts; one that is no candidate stands behind every k of Hits@k.

    Args:
        facts: all there are; a query sees those before its time.
        asked: whose tails are the answers; for the time-aware filter all facts of their times.
        vocabulary: how many entities and relations there are.
        heuristic: what a candidate scores.
        shared: what the context shares with the query.
        most: facts of a context.
        filter: raw or time-aware.
    """
    queries, numbers = Queries.of(asked)
    contexts = History(facts, shared, vocabulary).before(queries, most)
    found = candidates(contexts, facts, heuristic)
    if filter is Filter.TIME_AWARE:
        ranks = filtered_ranks(found, numbers, asked, behind(vocabulary))
    else:
        # A query to each answer: none is left out of the ranking of another.
        own = np.arange(len(asked), dtype=np.int64)
        ranks = filtered_ranks(found.take(numbers), own, asked, behind(vocabulary))
    tied = ranks.pessimistic - ranks.optimistic + 1
    ties = Ties(better=ranks.optimistic - 1, tied=tied)
    return Ranked(queries=queries, candidates=found, ties=ties)


def behind(vocabulary: Vocabulary) -> int:
    """The rank of an answer that is no candidate: above that of any entity, and any k."""
    return vocabulary.entities + CUTS[-1]


def hits_of(ties: Ties) -> Mapping[int, Hits]:
    """Hits@k by k, with their bounds."""
    return {
        cut: Hits(
            expected=float(ties.expected_hits(cut).mean()),
            pessimistic=hits(ties.ranks(Tie.PESSIMISTIC), cut),
            optimistic=hits(ties.ranks(Tie.OPTIMISTIC), cut),
        )
        for cut in CUTS
    }


def evaluate(
    facts: Quadruples, asked: Quadruples, vocabulary: Vocabulary, most: int = MOST
) -> Mapping[tuple[Heuristic, Shared], Ties]:
    """Rank the tails of some facts by both heuristics over both contexts, unfiltered."""
    return {
        (heuristic, shared): rank(facts, asked, vocabulary, heuristic, shared, most=most).ties
        for heuristic in Heuristic
        for shared in (Shared.ENTITY, Shared.PAIR)
    }
