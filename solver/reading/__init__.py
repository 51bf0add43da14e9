"""Reads item files (published TSV, JSON Lines, Parquet) as a stream of records.

An error in one row affects that row only; an error in the file raises ``InputError``. See
``docs/files.md``.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path, PurePath

from solver.reading.binary import require_text
from solver.reading.failures import InputError, RowError
from solver.reading.lines import LINE_LIMIT, lines
from solver.reading.source import ITEMS, Source, open_input
from solver.records import ReadRecord

__all__ = ["LINE_LIMIT", "Format", "InputError", "RowError", "read_records"]


class Format(StrEnum):
    """The formats that are read and written."""

    TSV = "tsv"
    JSONL = "jsonl"
    PARQUET = "parquet"


_PARQUET = b"PAR1"
_BLANKS = b" \t\r\n"
_JSON_NAMES = (".jsonl", ".ndjson", ".json")


def read_records(path: str | Path, *, format: Format | None = None) -> Iterator[ReadRecord]:
    """Read a file's records in order and in constant memory; ``-`` is standard input.

    Args:
        path: a file, plain or gzip (detected from its content, not its name).
        format: file format; by default detected from the content, then from the name.

    Raises:
        InputError: the file holds no item, or cannot be read to its end; the records before the
            error have then been yielded.
    """
    with open_input(path, ITEMS) as source:
        records = _read(source, format)
        first = next(records, None)
        if first is None:
            message = "found no items, expected at least one"
            raise InputError(message, where=f"{source.name}:1:1", hint="one item a line")
        yield first
        yield from records


def _read(source: Source, requested: Format | None) -> Iterator[ReadRecord]:
    format = requested or _format(source)
    if format is Format.PARQUET:
        if source.path is None or source.packed or not source.path.is_file():
            message = "found Parquet in a stream, expected a plain file"
            raise InputError(message, where=source.name, hint="save it, unpacked, and name it")
        from solver.extras import require

        require("Parquet", "pyarrow")
        from solver.reading.parquet import read_parquet

        return read_parquet(source.path, source.name)
    require_text(source)
    if format is Format.JSONL:
        from solver.reading.jsonl import read_jsonl

        return read_jsonl(lines(source), source.name)
    from solver.reading.tsv import read_tsv

    return read_tsv(lines(source), source.name)


def _format(source: Source) -> Format:
    head = source.head()
    suffixes = PurePath(source.name).suffixes
    if head.startswith(_PARQUET) or (head and ".parquet" in suffixes[-1:]):
        return Format.PARQUET
    text = head.lstrip(_BLANKS)
    if text.startswith(b"[{"):
        message = "found a JSON array, expected JSON Lines"
        raise InputError(message, where=f"{source.name}:1:1", hint="write one object a line")
    if text.startswith(b"{") or any(suffix in _JSON_NAMES for suffix in suffixes[-2:]):
        return Format.JSONL
    return Format.TSV
