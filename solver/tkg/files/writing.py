"""Writes the standard folder layout: one text file per split, id maps, ``stat.txt``."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from solver.cli.printing import make_folder
from solver.tkg.dataset import Dataset
from solver.writing.atomic import OutputError, atomic


def write_folder(folder: str | Path, dataset: Dataset) -> tuple[Path, ...]:
    """Write a data set, each file atomically, and return the paths.

    ``stat.txt`` holds the numbers of entities, relations and times. Without names, the id maps map
    each id to itself.

    Raises:
        OutputError: a name contains a tab or a line break, or a file cannot be written.
    """
    target = make_folder(Path(folder))
    words = dataset.vocabulary
    texts = {
        "entity2id.txt": _map(words.entity_names, words.entities),
        "relation2id.txt": _map(words.relation_names, words.relations),
        "stat.txt": f"{words.entities}\t{words.relations}\t{words.times}\n",
    }
    if words.time_names:
        texts["ts2id.txt"] = _map(words.time_names, step=words.time_step)
    for split, facts in dataset.splits.items():
        lines = io.StringIO()
        np.savetxt(lines, facts.rows(), fmt="%d", delimiter="\t")
        texts[f"{split}.txt"] = lines.getvalue()
    for name, text in texts.items():
        with atomic(target / name) as file:
            file.write(text.encode())
    return tuple(target / name for name in texts)


def _map(names: tuple[str, ...], count: int = 0, *, step: int = 1) -> str:
    for name in names:
        if not name or name != name.strip() or any(sign in name for sign in "\t\n\r\0"):
            message = f"found the name {name!r}, which an id map cannot represent"
            raise OutputError(message, hint="write Parquet")
    called = names or tuple(map(str, range(count)))
    return "".join(f"{name}\t{number * step}\n" for number, name in enumerate(called))
