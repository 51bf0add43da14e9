"""Folders of scores of all entities: shards of any number of queries, and a manifest.

Shard n is ``queries-n.npy``, integers of shape (q, 3) for s, r, t, and ``scores-n.npy``, single
precision of shape (q, entities); n has five digits. ``manifest.json``, written last, holds
``{"content": "scores", "entities": E, "shards": k}``. Each query of a split occurs once, in any
order; subject queries have the relation ``r + |R|``. Shards are mapped, so memory stays flat.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from benchmarks.metrics.ranking import Numbers
from benchmarks.rules.ranking.files import QUERY, JoinError, query_index
from benchmarks.rules.ranking.queries import SplitQueries
from solver.graph.model import Ids
from solver.io.json_lines import read_document
from solver.io.sources import InputError
from solver.io.writing import make_folder, os_errors_reported, write_json
from solver.rules.provenance import Content, Seen

MANIFEST = "manifest.json"


class _Manifest(msgspec.Struct, frozen=True, kw_only=True):
    content: Content
    entities: int
    shards: int
    seen: Seen | None = None


def write_scores(
    folder: Path,
    shards: Iterable[tuple[Ids, NDArray[np.float32]]],
    *,
    entities: int,
    seen: Seen | None = None,
) -> int:
    """Write shards of keys, shape (q, 3), and scores, shape (q, entities), as they come.

    Args:
        folder: a new folder, or one whose manifest is replaced.
        shards: the keys and scores of some queries each.
        entities: number of entities.
        seen: the facts that the model was learned from.

    Returns:
        The number of queries.

    Raises:
        OutputError: the folder cannot be written.
    """
    make_folder(folder)
    count = number = 0
    with os_errors_reported(folder):
        (folder / MANIFEST).unlink(missing_ok=True)
        for number, (keys, scores) in enumerate(shards, 1):
            np.save(_shard(folder, "queries", number - 1), keys)
            np.save(_shard(folder, "scores", number - 1), scores.astype(np.float32))
            count += len(keys)
    found = _Manifest(content=Content.SCORES, entities=entities, shards=number, seen=seen)
    write_json(folder / MANIFEST, msgspec.to_builtins(found))
    return count


def _shard(folder: Path, name: str, number: int) -> Path:
    return folder / f"{name}-{number:05d}.npy"


def is_score_folder(path: str | Path) -> bool:
    """Whether a path is a folder with a manifest."""
    return (Path(path) / MANIFEST).is_file()


def folder_seen(path: str | Path) -> Seen | None:
    """What the manifest of a folder states that it was learned from; None if nothing is stated."""
    return read_document(Path(path) / MANIFEST, _Manifest, "manifest of scores").seen


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
        found = read_document(folder / MANIFEST, _Manifest, "manifest of scores")
        if found.content is not Content.SCORES or found.entities != queries.entities:
            message = (
                f"found {found.content} of {found.entities:,} entities, "
                f"expected scores of the {queries.entities:,} of {queries.dataset.name}"
            )
            raise InputError(message, where=str(folder / MANIFEST))
        self._shards = [_mapped(folder, number, queries.entities) for number in range(found.shards)]
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


def _mapped(folder: Path, number: int, entities: int) -> tuple[Ids, NDArray[np.float32]]:
    """The keys and scores of a shard, which are read from disk when they are used."""
    names = [_shard(folder, name, number) for name in ("queries", "scores")]
    try:
        keys, scores = (np.load(name, mmap_mode="r", allow_pickle=False) for name in names)
    except (OSError, ValueError, EOFError) as error:
        reason = getattr(error, "strerror", None) or str(error) or "unreadable"
        message = f"{reason}, expected an array as numpy.save writes it"
        raise InputError(message, where=str(names[0])) from None
    if (
        keys.shape != (len(scores), 3)
        or scores.shape != (len(keys), entities)
        or not np.issubdtype(keys.dtype, np.integer)
        or scores.dtype.kind != "f"
    ):
        message = f"found shapes {keys.shape} and {scores.shape}, expected (q, 3) and (q, entities)"
        raise InputError(message, where=str(names[1]))
    return keys, scores
