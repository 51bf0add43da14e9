"""Writes a heuristic's candidates as a score file for ``score ranks``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks.retrieval.heuristics import HeuristicRanking
from solver.writing.atomic import atomic


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
