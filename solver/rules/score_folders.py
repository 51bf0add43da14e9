"""Folders of scores in parts, as any model's training loop can write them.

``manifest.json`` states the number of entities and of parts; of each, ``queries-00000.npy`` has the
keys ``s r t`` and ``scores-00000.npy`` the scores of all entities in single precision, row by row.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from solver.graph.model import Dataset, Ids
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


def read_parts(folder: Path, *, entities: int, graph: str) -> list[tuple[Ids, NDArray[np.float32]]]:
    """The keys and scores of each part; scores are read from disk when they are used.

    Args:
        folder: the folder.
        entities: the number of entities of the graph.
        graph: its name, for messages.

    Raises:
        InputError: a file is missing or has another shape, or the graph another size.
    """
    found = read_document(folder / MANIFEST, _Manifest, "manifest of scores")
    if found.content is not Content.SCORES or found.entities != entities:
        message = (
            f"found {found.content} of {found.entities:,} entities, "
            f"expected scores of the {entities:,} of {graph}"
        )
        raise InputError(message, where=str(folder / MANIFEST))
    return [_mapped(folder, number, entities) for number in range(found.shards)]


def read_queries(path: Path, graph: Dataset) -> Ids:
    """Read queries ``s r t``, shape (q, 3), as ``numpy.save`` writes them.

    Raises:
        InputError: it is another array, empty, or has an unknown id.
    """
    try:
        keys = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        reason = getattr(error, "strerror", None) or str(error) or "unreadable"
        message = f"{reason}, expected an array as numpy.save writes it"
        raise InputError(message, where=str(path)) from None
    whole = isinstance(keys, np.ndarray) and np.issubdtype(keys.dtype, np.integer)
    if not whole or keys.ndim != 2 or keys.shape[1] != 3 or not len(keys):
        message = f"found an array of shape {np.shape(keys)}, expected integers of shape (q, 3)"
        raise InputError(message, where=str(path))
    refuse_unknown_ids(keys, graph, str(path))
    return np.ascontiguousarray(keys, dtype=np.int64)


def refuse_unknown_ids(keys: Ids, graph: Dataset, where: str) -> None:
    """Refuse queries ``s r t`` with ids that a graph does not have; times may be later ones.

    Raises:
        InputError: naming the first one.
    """
    words = graph.vocabulary
    most = np.array([words.entities, 2 * words.relations, np.iinfo(np.int64).max])
    wrong = np.flatnonzero(((keys < 0) | (keys >= most)).any(axis=1))
    if len(wrong):
        message = (
            f"found the query {tuple(keys[wrong[0]].tolist())}, expected s below {most[0]:,}, "
            f"r below {most[1]:,} and a time"
        )
        raise InputError(message, where=where)


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
