"""Temporal knowledge graphs in files; the format is detected from the content."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from solver.graph.model import Dataset, Split
from solver.io.sources import InputError, is_uri, open_input, shown

if TYPE_CHECKING:
    from solver.graph.io.tables import Granularity

_ENDINGS = (".txt", ".tsv", ".txt.gz", ".tsv.gz", "", ".csv", ".csv.gz", ".jsonl", ".jsonl.gz")
_HEADERS = ({"head", "relation", "tail"}, {"subject", "relation", "object"}, {"s", "r", "o"})
_NUMBER = re.compile(r"\s*[+-]?[0-9.]+\s*")


def read_dataset(
    path: str | Path, *, ordered: bool = True, granularity: Granularity | None = None
) -> Dataset:
    """Read a folder with one file per split, or a single file; see ``docs/graphs.md``.

    Args:
        path: folder with train, valid and test (``.txt`` or ``.tsv``, plain or gzip), or a file of
            ids, names, ICEWS events or Parquet; or its URI.
        ordered: reject facts out of time order, splits that overlap in time, and facts that are
            repeated within a split.
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
        return _read_folder(place, ordered=ordered, granularity=granularity)
    head = _head(place)
    if head.startswith("PAR1"):
        from solver.extras import require

        require("Parquet", "pyarrow")
        from solver.graph.io.parquet import read_parquet

        return read_parquet(place, ordered=ordered)
    if "Event Date" in head.partition("\n")[0].rstrip("\r").split("\t"):
        from solver.graph.io.named import read_icews

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
        from solver.graph.io.named import read_named_files

        return read_named_files(name, files, ordered=ordered, granularity=granularity)
    from solver.graph.io.folder import read_integer_files

    return read_integer_files(name, files, folder, ordered=ordered)


_ENDS = {
    *("until", "end", "to", "valid_until", "valid_to", "end_time", "end_date", "time_end"),
    *("date_end", "to_date", "to_time"),
}
_TIMES = (
    (re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"), re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*")),
    (re.compile(r"[0-9]+"), re.compile(r"0*[1-9][0-9]*")),
)
"""A time, and an end of the same kind; -1 and 0 fill the fifth column of some data sets."""


def is_end(name: str) -> bool:
    """Whether a column of this name, in lower case, holds ends of intervals."""
    return name in _ENDS


def require_points(where: str, *, columns: Sequence[str] = (), cells: Sequence[str] = ()) -> None:
    """Reject intervals: a fact of a graph has one time, and the end would be lost.

    Args:
        where: of the header or row.
        columns: names of the columns, if known.
        cells: a row without a header; a fifth cell that reads as a time is the end of an interval.

    Raises:
        InputError: a column or a cell holds the end of an interval.
    """
    names = [name for name in columns if is_end(name.strip().lower().replace(" ", "_"))]
    found = f"the column {shown(names[0])}" if names else ""
    if not names and len(cells) > _FIFTH:
        time, end = (cells[place].strip() for place in (_FIFTH - 1, _FIFTH))
        if any(one.fullmatch(time) and other.fullmatch(end) for one, other in _TIMES):
            found = f"{shown(end)} after the time {shown(time)}"
    if found:
        message = f"found {found}, the end of an interval, expected facts with one time each"
        raise InputError(message, where=where, hint="import graph --intervals keeps both ends")


_FIFTH = 4


def is_header(cells: list[str]) -> bool:
    """Whether a line is a header."""
    names = {cell.strip().lower() for cell in cells}
    return any(known <= names for known in _HEADERS)


def _is_integers(head: str) -> bool:
    """Whether the first fact is numeric, even if one of its cells is malformed."""
    lines = [line.split("\t") for line in head.splitlines() if line.strip()]
    facts = [cells for cells in lines[:2] if not is_header(cells)] or lines
    cells = facts[0][:4] if facts else []
    return sum(_NUMBER.fullmatch(cell) is None for cell in cells) < 2


def _head(path: Path) -> str:
    with open_input(path, "the folder of a graph, or a file of facts") as source:
        return source.head().decode("utf-8", "replace")
