"""Temporal knowledge graphs in files; the format is detected from the content."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from solver.graph.io.named import is_header
from solver.graph.model import Dataset, Split
from solver.io.parquet import exported
from solver.io.sources import MANIFEST, InputError, is_uri, open_input

if TYPE_CHECKING:
    from solver.graph.io.named import Granularity

_ENDINGS = (".txt", ".tsv", ".txt.gz", ".tsv.gz", "", ".csv", ".csv.gz", ".jsonl", ".jsonl.gz")
_NUMBER = re.compile(r"\s*[+-]?[0-9.]+\s*")


def read_dataset(
    path: str | Path, *, ordered: bool = True, granularity: Granularity | None = None
) -> Dataset:
    """Read a folder with one file per split, or a single file; see ``docs/graphs.md``.

    Args:
        path: folder with train, valid and test (``.txt`` or ``.tsv``, plain or gzip), an export
            for the hub, or a file of ids, names, ICEWS events or Parquet; or its URI.
        ordered: reject facts out of time order, and splits that overlap in time. Facts that are
            repeated within a split count once; in a folder with a manifest they are rejected.
        granularity: unit to which the times of facts with names are rounded down; facts that
            become equal count once. By default times are kept, and time stamps have to be whole
            days.

    Raises:
        InputError: the files cannot be read or are inconsistent.
    """
    if is_uri(path):
        from solver.io.remote import downloaded

        with downloaded(str(path)) as copy:
            return read_dataset(copy, ordered=ordered, granularity=granularity)
    place = Path(path)
    if place.is_dir():
        dataset = _read_folder(place, ordered=ordered, granularity=granularity)
    else:
        dataset = _read_file(place, ordered=ordered, granularity=granularity)
    if ordered and (place / MANIFEST).is_file():
        dataset.require_distinct()
    return dataset.counted_once() if ordered else dataset


def _read_file(place: Path, *, ordered: bool, granularity: Granularity | None) -> Dataset:
    head = _head(place)
    if head.startswith("PAR1"):
        from solver.extras import require

        require("Parquet", "pyarrow")
        from solver.graph.io.parquet import read_parquet

        return read_parquet(place, ordered=ordered)
    if "Event Date" in head.partition("\n")[0].rstrip("\r").split("\t"):
        from solver.graph.io.tables import read_icews

        return read_icews(place)
    return _read_files(
        place.name, {Split.TRAIN: place}, head, None, ordered=ordered, granularity=granularity
    )


def _read_folder(folder: Path, *, ordered: bool, granularity: Granularity | None) -> Dataset:
    files = {}
    for split in Split:
        found = [folder / f"{split}{ending}" for ending in _ENDINGS]
        here = [path for path in found if path.is_file()]
        if here:
            files[split] = here[0]
    tables = {} if files else exported(folder, "facts")
    if tables:
        from solver.extras import require

        require("Parquet", "pyarrow")
        from solver.graph.io.parquet import read_exported

        by_split = {Split(split): path for split, path in tables.items()}
        return read_exported(folder, by_split, ordered=ordered)
    if not files:
        raise InputError("found no train.txt, valid.txt or test.txt", where=str(folder))
    name = folder.resolve().name
    heads = [_head(path) for path in files.values()]
    written = next((head for head in heads if head.strip()), "")
    return _read_files(name, files, written, folder, ordered=ordered, granularity=granularity)


def _read_files(
    name: str,
    files: Mapping[Split, Path],
    head: str,
    folder: Path | None,
    *,
    ordered: bool,
    granularity: Granularity | None,
) -> Dataset:
    """Read files of named columns, of names or of ids, as the head of one of them shows."""
    if "\t" not in head.partition("\n")[0]:
        from solver.graph.io.tables import is_table, read_tables

        if is_table(head):
            return read_tables(name, files, ordered=ordered, granularity=granularity)
    if "\t" in head and not _is_integers(head):
        from solver.graph.io.tables import read_named_files

        return read_named_files(name, files, ordered=ordered, granularity=granularity)
    from solver.graph.io.folder import read_integer_files

    return read_integer_files(name, files, folder, ordered=ordered)


def _is_integers(head: str) -> bool:
    """Whether the first fact is numeric, even if one of its cells is malformed."""
    lines = [line.split("\t") for line in head.splitlines() if line.strip()]
    facts = [cells for cells in lines[:2] if not is_header(cells)] or lines
    cells = facts[0][:4] if facts else []
    return sum(_NUMBER.fullmatch(cell) is None for cell in cells) < 2


def _head(path: Path) -> str:
    with open_input(path, "the folder of a graph, or a file of facts") as source:
        return source.head().decode("utf-8", "replace")
