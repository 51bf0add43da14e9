"""Writes item files and reports atomically; the same values give the same bytes."""

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
        path: output file.
        records: labelled items; fields without a column in this format (``hops``) are omitted.
        forced: include the column ``forced``; without it, the older format of 9 columns.

    Raises:
        OutputError: an item has no label, or writing fails.
    """
    with packed(path) as file:
        file.writelines(tsv_lines(records, forced=forced))


def write_jsonl(path: str | Path, records: Iterable[Record]) -> None:
    """Write JSON Lines without fields that are None; gzip if the path ends in ``.gz``."""
    with packed(path) as file:
        for record in records:
            known = {name: value for name, value in fields(record).items() if value is not None}
            file.write(line(known))


def write_parquet(path: str | Path, records: Iterable[Record]) -> None:
    """Write Parquet."""
    from solver.extras import require

    require("Parquet", "pyarrow")
    from solver.writing.parquet import write_table

    with atomic(path) as file:
        write_table(file, records)
