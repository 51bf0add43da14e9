"""Ranks the true answers by candidate scores: counts better and tied candidates."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from benchmarks.ranking.filters import FilteredAnswers
from benchmarks.ranking.joining import named
from benchmarks.ranking.queries import Queries
from benchmarks.ranking.tables import Numbers
from benchmarks.ranking.ties import Ties
from solver.errors import HopcheckError
from solver.tkg.quadruples import Ids

_CELLS = 4_000_000
"""Maximum number of scores in memory: 32 MB."""


class ScoreError(HopcheckError):
    """A score that is not finite and cannot be ranked."""

    code = "score"


class Scorer(Protocol):
    """A model that scores every entity as the answer of a query; higher is better."""

    @property
    def model(self) -> str:
        """Name of the model."""

    def block(self, rows: Ids) -> Numbers:
        """A new array with the scores of some queries, shape (rows, entities)."""


def place(scorer: Scorer, queries: Queries, filtered: FilteredAnswers) -> Ties:
    """Count the candidates that score better than, or the same as, the true answer of each query.

    Raises:
        ScoreError: a score is not finite.
    """
    better = np.empty(len(queries), dtype=np.int64)
    tied = np.empty(len(queries), dtype=np.int64)
    # Queries of one time and relation are adjacent: scorers share work among them.
    order = np.lexsort((queries.asked.relation, queries.asked.time))
    size = max(1, _CELLS // queries.entities)
    for begin in range(0, len(order), size):
        rows = order[begin : begin + size]
        scores = scorer.block(rows)
        _check(scorer, scores, rows, queries)
        answers = scores[np.arange(len(rows)), queries.asked.tail[rows]][:, None].copy()
        scores[filtered.left_out(rows)] = -np.inf
        better[rows] = (scores > answers).sum(axis=1)
        tied[rows] = (scores == answers).sum(axis=1)
    return Ties(better=better, tied=tied)


def _check(scorer: Scorer, scores: Numbers, rows: Ids, queries: Queries) -> None:
    if np.isfinite(scores).all():
        return
    place, entity = (int(one[0]) for one in np.nonzero(~np.isfinite(scores)))
    query = named(queries.asked.take(rows[place : place + 1]), 1)
    raise ScoreError(
        f"entity {entity} scores {scores[place, entity]} for the query of {query}, "
        "expected a finite number",
        where=scorer.model,
    )
