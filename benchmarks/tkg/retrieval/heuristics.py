"""FREQUENCY and RECENCY: rank the tails of a query's context by count or by last occurrence.

Source: synthetic temporal knowledge graphs, section 5.3 and Table 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np

from benchmarks.metrics.ranking import CUTS, expected_hits, hits
from benchmarks.rules.ranking.queries import Filter
from benchmarks.tkg.retrieval.context import MOST, ContextFinder, ContextKey, Contexts
from solver.graph.model import Quadruples, Vocabulary
from solver.graph.queries import Queries, Ranks, Tie
from solver.io.writing import atomic
from solver.rules.ranks import Candidates, filtered_ranks


class Heuristic(StrEnum):
    """Score of a tail: its count in the context, or its last occurrence."""

    FREQUENCY = "frequency"
    RECENCY = "recency"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """Hits@k in [0, 1] with random, pessimistic and optimistic tie-breaking."""

    expected: float
    pessimistic: float
    optimistic: float


def candidates(contexts: Contexts, facts: Quadruples, heuristic: Heuristic) -> Candidates:
    """The tails of each context as candidates with scores in (0, 1]."""
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
        # Facts are sorted by time within a context, and the last assignment wins.
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
class HeuristicRanking:
    """Rankings by a heuristic.

    Attributes:
        queries: distinct queries.
        candidates: candidates of the queries.
        ties: positions of the answers, in the order of the queried facts.
    """

    queries: Queries
    candidates: Candidates
    ties: Ranks


def rank(
    facts: Quadruples,
    asked: Quadruples,
    vocabulary: Vocabulary,
    heuristic: Heuristic,
    shared: ContextKey,
    *,
    most: int = MOST,
    filter: Filter = Filter.RAW,
) -> HeuristicRanking:
    """Rank the tails of queried facts; answers that are not candidates miss every k of Hits@k.

    Args:
        facts: all facts; a query uses those before its time.
        asked: queried facts; for the time-aware filter, all facts of their times.
        vocabulary: sizes of the vocabulary.
        heuristic: scoring heuristic.
        shared: key of the contexts.
        most: maximum number of facts in a context.
        filter: raw or time-aware setting.
    """
    queries, numbers = Queries.of(asked)
    contexts = ContextFinder(facts, shared, vocabulary).before(queries, most)
    found = candidates(contexts, facts, heuristic)
    if filter is Filter.TIME_AWARE:
        ranks = filtered_ranks(found, numbers, asked, miss_rank(vocabulary))
    else:
        # One query per answer, so that no other answer is filtered.
        own = np.arange(len(asked), dtype=np.int64)
        ranks = filtered_ranks(found.take(numbers), own, asked, miss_rank(vocabulary))
    return HeuristicRanking(queries=queries, candidates=found, ties=ranks)


def miss_rank(vocabulary: Vocabulary) -> int:
    """Rank of an answer that is not a candidate: beyond the last entity and every k."""
    return vocabulary.entities + CUTS[-1]


def hits_of(ties: Ranks) -> Mapping[int, Hits]:
    """Hits@k with bounds, by k."""
    return {
        cut: Hits(
            expected=float(expected_hits(ties, cut).mean()),
            pessimistic=hits(ties.values(Tie.PESSIMISTIC), cut),
            optimistic=hits(ties.values(Tie.OPTIMISTIC), cut),
        )
        for cut in CUTS
    }


def evaluate(
    facts: Quadruples, asked: Quadruples, vocabulary: Vocabulary, most: int = MOST
) -> Mapping[tuple[Heuristic, ContextKey], Ranks]:
    """Rank the tails of queried facts by both heuristics over both contexts, in the raw setting."""
    return {
        (heuristic, shared): rank(facts, asked, vocabulary, heuristic, shared, most=most).ties
        for heuristic in Heuristic
        for shared in (ContextKey.ENTITY, ContextKey.PAIR)
    }


def write_scores(path: Path, parts: Iterable[HeuristicRanking]) -> None:
    """Write ``s r t candidate score``; a query without candidates lists entity 0 with 0."""
    with atomic(path) as file:
        for part in parts:
            queries, found = part.queries, part.candidates
            counts = np.diff(found.offsets)
            number = np.repeat(np.arange(len(queries)), counts)
            empty = np.flatnonzero(counts == 0)
            number = np.concatenate([number, empty])
            columns = (
                queries.head[number],
                queries.relation[number],
                queries.time[number],
                np.concatenate([found.entity, np.zeros_like(empty)]),
                np.concatenate([found.score, np.zeros(len(empty))]),
            )
            rows = zip(*(column.tolist() for column in columns), strict=True)
            file.write("".join(f"{s}\t{r}\t{t}\t{o}\t{v:.6g}\n" for s, r, t, o, v in rows).encode())
