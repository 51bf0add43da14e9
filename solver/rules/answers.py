"""Answers the queries of facts, a time at once, and ranks the facts' tails among them."""

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
class Answered:
    """The facts of one time, whose tails were asked for.

    Attributes:
        rows: of the facts; ranks: of their tails, in the order of ``rows``.
        queries: each once, with its candidates.
    """

    rows: Ids
    ranks: Ranks
    queries: Queries
    candidates: Candidates


def times(facts: Quadruples) -> list[Ids]:
    """The rows of each time's facts, in order of time."""
    index = Index.of(facts.time)
    return [index.rows(time) for time in np.unique(facts.time).tolist()]


def answered(application: Application, facts: Quadruples, rows: Ids) -> Answered:
    """Ask for the tails of one time's facts, all of which are left out of each other's ranking."""
    asked = facts.take(rows)
    queries, numbers = Queries.of(asked)
    candidates = application.candidates(queries)
    ranks = filtered_ranks(candidates, numbers, asked, application.vocabulary.entities)
    return Answered(rows=rows, ranks=ranks, queries=queries, candidates=candidates)


def scored(answer: Answered) -> Iterator[tuple[int, int, int, int, float]]:
    """Rows ``s r t candidate score``; a query without a candidate gives entity 0 the score 0."""
    queries, candidates = answer.queries, answer.candidates
    asked = np.stack((queries.head, queries.relation, queries.time), axis=1).tolist()
    for number, (s, r, t) in enumerate(asked):
        rows = candidates.rows(number)
        entities, scores = candidates.entity[rows].tolist(), candidates.score[rows].tolist()
        pairs = zip(entities, scores, strict=True) if entities else [(0, 0.0)]
        yield from ((s, r, t, entity, score) for entity, score in pairs)
