"""Answers the queries for the tails of facts, one timestamp at a time, and ranks the tails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solver.rules.application import Application
from solver.rules.queries import Candidates, Queries
from solver.rules.ranks import Ranks, filtered_ranks
from solver.tkg.index import Index
from solver.tkg.quadruples import Ids, Quadruples


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QueryAnswers:
    """The answers to the queries of one timestamp.

    Attributes:
        rows: rows of the queried facts.
        ranks: ranks of their tails, in the order of ``rows``.
        queries: the distinct queries.
        candidates: the candidates of each query.
    """

    rows: Ids
    ranks: Ranks
    queries: Queries
    candidates: Candidates


def rows_by_time(facts: Quadruples) -> list[Ids]:
    """Group the rows of facts by timestamp, in ascending order."""
    index = Index.of(facts.time)
    return [index.rows(time) for time in np.unique(facts.time).tolist()]


def rank_answers(application: Application, facts: Quadruples, rows: Ids) -> QueryAnswers:
    """Rank the tails of one timestamp's facts in the time-aware filtered setting."""
    queried = facts.take(rows)
    queries, numbers = Queries.of(queried)
    candidates = application.candidates(queries)
    ranks = filtered_ranks(candidates, numbers, queried, application.vocabulary.entities)
    return QueryAnswers(rows=rows, ranks=ranks, queries=queries, candidates=candidates)


def candidate_rows(answer: QueryAnswers) -> Iterator[tuple[int, int, int, int, float]]:
    """Yield rows ``s r t candidate score``; a query without candidates yields entity 0, score 0."""
    queries, candidates = answer.queries, answer.candidates
    keys = np.stack((queries.head, queries.relation, queries.time), axis=1).tolist()
    for number, (s, r, t) in enumerate(keys):
        rows = candidates.rows(number)
        entities, scores = candidates.entity[rows].tolist(), candidates.score[rows].tolist()
        pairs = zip(entities, scores, strict=True) if entities else [(0, 0.0)]
        yield from ((s, r, t, entity, score) for entity, score in pairs)
