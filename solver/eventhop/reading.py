"""Reads item files (published TSV, JSON Lines, Parquet) as a stream of records.

An error in one row affects that row only; an error in the file raises ``InputError``. See
``docs/files.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path, PurePath

import msgspec

from solver.eventhop import records as fields
from solver.eventhop import records as named
from solver.eventhop.records import BrokenRecord, Place, ReadRecord, Record
from solver.io.sources import (
    ITEMS,
    FieldError,
    InputError,
    Line,
    RowError,
    Source,
    lines,
    open_input,
    require_text,
)
from solver.io.tables import Row, rows


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
        from solver.eventhop.parquet import read_parquet

        return read_parquet(source.path, source.name)
    require_text(source)
    if format is Format.JSONL:
        return read_jsonl(lines(source), source.name)

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


COLUMNS = (
    "index",
    "declared",
    "forced",
    "relation",
    "events",
    "relations",
    "event_distance",
    "premise",
    "claim",
    "label",
)
_WIDTHS = (9, 10)
_FORCED = COLUMNS.index("forced")
_PREMISE, _CLAIM = COLUMNS.index("premise"), COLUMNS.index("claim")
_HEADS = ("index", "id")
_TAILS = ("label", "gold")
_HINT = (
    "index, declared, forced (may be absent), relation, events, relations, event distance, "
    "premise, hypothesis, label"
)


def read_tsv(lines: Iterable[Line], file: str) -> Iterator[ReadRecord]:
    """Read the records of a file's lines, skipping blank lines and a header."""
    table = rows(lines, file, widths=_WIDTHS)
    for row in table:
        if not _is_header(row):
            yield _record(row, file)
        break
    for row in table:
        yield _record(row, file)


def _is_header(row: Row) -> bool:
    if row.error is not None:
        return False
    return row.cells[0].strip().lower() in _HEADS or row.cells[-1].strip().lower() in _TAILS


def _record(row: Row, file: str) -> ReadRecord:
    if row.error is not None:
        place = Place(file=file, line=row.line)
        return BrokenRecord(id=_id(row), place=place, error=row.error)
    if len(row.cells) not in _WIDTHS:
        return _ragged(row, file)
    cells, columns = list(row.cells), list(row.columns)
    if len(cells) < len(COLUMNS):
        cells.insert(_FORCED, "")
        columns.insert(_FORCED, columns[_FORCED])
    place = Place(file=file, line=row.line, premise=columns[_PREMISE], claim=columns[_CLAIM])
    try:
        return _read_tsv(cells, place)
    except FieldError as error:
        where = place.at(columns[COLUMNS.index(error.field)])
        broken = RowError(str(error), where=where, hint=error.hint)
    return BrokenRecord(id=_id(row), place=place, error=broken)


def _id(row: Row) -> str:
    """The index if it was read, otherwise the line number."""
    return (row.cells[0].strip() if row.cells else "") or str(row.line)


def _read_tsv(cells: list[str], place: Place) -> Record:
    index, declared, forced, sampled, events, relations, distance = map(str.strip, cells[:_PREMISE])
    premise, claim, gold = cells[_PREMISE:]
    gold = gold.strip()
    return Record(
        id=index or str(place.line),
        premise=premise,
        claim=claim,
        gold=gold,
        label=fields.gold_label(gold),
        place=place,
        declared=fields.declared_value(declared) if declared else None,
        forced=fields.forced(forced) if forced else None,
        sampled=sampled or None,
        events=fields.written_number("events", events),
        relations=fields.written_number("relations", relations),
        event_distance=fields.written_number("event_distance", distance),
    )


def _ragged(row: Row, file: str) -> BrokenRecord:
    """A row with too few columns, reported at its end, or too many, at the first excess column."""
    width = len(row.cells)
    few = width < min(_WIDTHS)
    column = row.columns[width - 1] + len(row.cells[-1]) if few else row.columns[max(_WIDTHS)]
    found = "1 column" if width == 1 else f"{width} columns"
    place = Place(file=file, line=row.line)
    error = RowError(
        f"found {found}, expected 9 or 10 separated by tabs", where=place.at(column), hint=_HINT
    )
    return BrokenRecord(id=_id(row), place=place, error=error)


_Fields = msgspec.defstruct(
    "_Fields", [(n, object, None) for n in named.FIELDS + named.OTHER_NAMES]
)
_ALIASES = {"claim": ("claim", "hypothesis"), "label": ("gold", "label")}
_BYTE = re.compile(r" \(byte (\d+)\)$")
_BAD_FIELD = re.compile(r" - at `\$\.(\w+)")
_HINT_JSONL = "write one complete object per line, without commas between them"


def read_jsonl(lines: Iterable[Line], file: str) -> Iterator[ReadRecord]:
    """Read the records of a file's lines, skipping blank lines."""
    decode = msgspec.json.Decoder(_Fields).decode
    for line in lines:
        if line.blank:
            continue
        place = Place(file=file, line=line.number)
        if line.error is not None:
            yield BrokenRecord(id=str(line.number), place=place, error=line.error)
            continue
        try:
            values = msgspec.structs.asdict(decode(line.text))
        except (msgspec.DecodeError, RecursionError) as error:
            broken = malformed(line.text, place, error)
            yield BrokenRecord(id=str(line.number), place=place, error=broken)
            continue
        try:
            yield named.record(values, place)
        except FieldError as error:
            where = place.at(column_of(line.text, error.field))
            broken = RowError(str(error), where=where, hint=error.hint)
            yield BrokenRecord(id=_id_jsonl(values, place), place=place, error=broken)


def _id_jsonl(values: dict[str, object], place: Place) -> str:
    try:
        return named.identifier(values, place)
    except FieldError:
        return str(place.line)


def malformed(text: str, place: Place, error: Exception) -> RowError:
    """Turn msgspec's error for a line that is not an object into an error at its column."""
    reason = str(error)
    if isinstance(error, RecursionError):
        reason, column = "too deeply nested", 1
    elif byte := _BYTE.search(reason):
        # msgspec counts the first character after an object as already read.
        before = text.encode()[: int(byte[1]) - ("trailing characters" in reason)]
        reason, column = reason[: byte.start()], len(before.decode(errors="ignore")) + 1
    elif field := _BAD_FIELD.search(reason):
        reason, column = reason[: field.start()], column_of(text, field[1])
    else:
        column = len(text) + 1 if "truncated" in reason else 1
    reason = reason.removeprefix("JSON is malformed: ").replace("Input data was", "the line is")
    message = f"broken JSON ({reason[:1].lower() + reason[1:]}), expected an object"
    return RowError(message, where=place.at(column), hint=_HINT_JSONL)


def column_of(text: str, field: str) -> int:
    """The column at which a field's value starts; 1 if the field is missing."""
    for name in _ALIASES.get(field, (field,)):
        # Inside a string a quote is written \", so a match is always a whole key.
        if key := re.search(rf'"{name}"\s*:\s*', text):
            return key.end() + 1
    return 1
