"""Folders of scores in parts, joined to the queries of a split."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.metrics.ranking import Numbers
from benchmarks.rules.ranking.files import QUERY, JoinError, query_index
from benchmarks.rules.ranking.queries import SplitQueries
from solver.graph.model import Ids
from solver.rules.score_folders import read_parts


class ScoreFolder:
    """The scores of a folder, in the order of the queries of a split."""

    def __init__(self, path: str, queries: SplitQueries, *, model: str) -> None:
        """Open a folder.

        Raises:
            InputError: a file is missing or has another shape, or a score is not finite.
            JoinError: a query of the split has no scores, or is given twice.
        """
        self.model = model
        folder = Path(path)
        self._shards = read_parts(folder, entities=queries.entities, graph=queries.dataset.name)
        keys = [rows for rows, _ in self._shards]
        every = np.concatenate([np.empty((0, 3), np.int64), *keys]).astype(np.int64)
        index = query_index(every, queries, path)
        again = np.flatnonzero((index.keys[1:] == index.keys[:-1]) & (index.keys[1:] >= 0))
        if len(again):
            s, r, t = every[index.order[again[0]]].tolist()
            message = f"found the query ({s}, {r}, ?, {t}) twice, expected it once"
            raise JoinError(message, where=path)
        begins, _ = index.ranges(queries.keys(queries.asked, QUERY))
        sizes = [len(rows) for rows in keys]
        firsts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)]).astype(np.int64)
        rows = index.order[begins]
        self._shard = np.searchsorted(firsts, rows, side="right") - 1
        self._row = rows - firsts[self._shard]

    def block(self, rows: Ids) -> Numbers:
        """Scores of some queries, shape (rows, entities)."""
        shards = self._shard[rows]
        width = self._shards[0][1].shape[1] if self._shards else 0
        scores = np.empty((len(rows), width))
        for shard in np.unique(shards).tolist():
            places = np.flatnonzero(shards == shard)
            scores[places] = self._shards[shard][1][self._row[rows[places]]]
        return scores
