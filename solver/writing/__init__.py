"""Writes item files and reports: whole or not at all, and the same bytes for the same values."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from solver.records import Record
from solver.writing.atomic import OutputError, atomic
from solver.writing.items import fields
from solver.writing.jsonl import JsonLines, json_lines, line, write_json
from solver.writing.packing import packed
from solver.writing.tsv import tsv_lines

__all__ = [
    "JsonLines",
    "OutputError",
    "atomic",
    "json_lines",
    "packed",
    "write_json",
    "write_jsonl",
    "write_parquet",
    "write_tsv",
]


def write_tsv(path: str | Path, records: Iterable[Record], *, forced: bool = True) -> None:
    """Write the published format; gzip if the path ends in ``.gz``.

    Args:
        path: where to.
        records: items with a label; what has no column there (``hops``) is left out.
        forced: with the column of that name; without it the older form of 9 columns.

    Raises:
        OutputError: an item has no label, or the system refuses to write.
    """
    with packed(path) as file:
        file.writelines(tsv_lines(records, forced=forced))


def write_jsonl(path: str | Path, records: Iterable[Record]) -> None:
    """Write JSON Lines, without what is None; gzip if the path ends in ``.gz``."""
    with packed(path) as file:
        for record in records:
            said = {name: value for name, value in fields(record).items() if value is not None}
            file.write(line(said))


def write_parquet(path: str | Path, records: Iterable[Record]) -> None:
    """Write Parquet."""
    from solver.extras import require

    require("Parquet", "pyarrow")
    from solver.writing.parquet import write_table

    with atomic(path) as file:
        write_table(file, records)
