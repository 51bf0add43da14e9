"""Filtered settings of link prediction: removes other true answers from a ranking."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from benchmarks.ranking.queries import Queries
from benchmarks.ranking.tables import Numbers
from solver.tkg.index import Index, expand
from solver.tkg.quadruples import Ids, Quadruples


class Filter(StrEnum):
    """Which true answers o of a query ``(s, r, ?, t)`` are removed.

    ``raw``: none. ``static``: (s, r, o) holds at any time (Bordes et al. 2013). ``time-aware``:
    (s, r, o) holds at t (Han et al. 2021).
    """

    RAW = "raw"
    STATIC = "static"
    TIME_AWARE = "time-aware"


_COLUMNS = {Filter.STATIC: ("head", "relation"), Filter.TIME_AWARE: ("head", "relation", "time")}


class FilteredAnswers:
    """The other true answers of each query, which are removed from its ranking.

    Args:
        queries: the queries.
        filter: the filtered setting, applied to the facts of all splits.
    """

    def __init__(self, queries: Queries, filter: Filter) -> None:
        self.filter = filter
        self._answers = queries.asked.tail
        if filter is Filter.RAW:
            self._begins = self._ends = np.zeros(len(queries), dtype=np.int64)
            self._tails = np.empty(0, dtype=np.int64)
            return
        known = queries.known
        if filter is Filter.STATIC:
            known = _timeless(known)
        columns = _COLUMNS[filter]
        index = Index.of(queries.keys(known, columns))
        self._tails = known.tail[index.order]
        self._begins, self._ends = index.ranges(queries.keys(queries.asked, columns))

    def left_out(self, rows: Ids) -> tuple[Ids, Ids]:
        """The removed candidates of some queries: index into ``rows``, and entity."""
        places, found = expand(self._begins[rows], self._ends[rows])
        tails = self._tails[found]
        others = tails != self._answers[rows][places]
        return places[others], tails[others]

    def candidates(self, entities: int) -> Numbers:
        """Number of candidates of each query, including the answer."""
        if self.filter is Filter.RAW:
            return np.full(len(self._answers), float(entities))
        # Known answers are distinct and include the queried one.
        return entities - (self._ends - self._begins - 1).astype(np.float64)


def _timeless(facts: Quadruples) -> Quadruples:
    """The distinct (s, r, o), at time 0."""
    zeros = np.zeros_like(facts.time)
    return Quadruples(
        head=facts.head, relation=facts.relation, tail=facts.tail, time=zeros
    ).distinct()
