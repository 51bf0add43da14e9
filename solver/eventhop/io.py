"""Item files (published TSV, JSON Lines, Parquet): a stream of records, and atomic writes.

An error in one row affects that row only; an error in the file raises ``InputError``. The same
values give the same bytes. See ``docs/files.md``.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from itertools import chain
from operator import attrgetter
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from solver.eventhop import records as fields
from solver.eventhop.records import BrokenRecord, ItemPlace, ReadRecord, Record
from solver.io import sources as limits
from solver.io.columns import arrow_schema, columns_of, require_names
from solver.io.json_lines import BrokenRow, JsonDecoder, column_of_field
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
    shown_path,
)
from solver.io.tables import Row, rows
from solver.io.writing import OutputError, line, packed

if TYPE_CHECKING:
    from solver.eventhop.columns import ItemMap
    from solver.eventhop.labels import LabelScheme
    from solver.io.ranges import Shard
    from solver.io.sources import Part


class Format(StrEnum):
    """The formats that are read and written."""

    TSV = "tsv"
    JSONL = "jsonl"
    PARQUET = "parquet"


_PARQUET = b"PAR1"
_BLANKS = b" \t\r\n"
_JSON_NAMES = (".jsonl", ".ndjson", ".json")


def read_records(
    path: str | Path, *, format: Format | None = None, mapping: ItemMap | None = None
) -> Iterator[ReadRecord]:
    """Read a file's records in order and in constant memory; ``-`` is standard input.

    Args:
        path: a file, plain or gzip (detected from its content, not its name).
        format: file format; by default detected from the content, then from the name.
        mapping: names of columns and labels that differ from ours.

    Raises:
        InputError: the file holds no item, or cannot be read to its end; the records before the
            error have then been yielded.
    """
    with open_input(path, ITEMS) as source:
        yield from _some(_read(source, format, mapping), source.name)


Read = TypeVar("Read")


def _some(records: Iterator[Read], name: str) -> Iterator[Read]:
    """The records.

    Raises:
        InputError: there is none.
    """
    first = next(records, None)
    if first is None:
        message = "found no items, expected at least one"
        raise InputError(message, where=f"{name}:1:1", hint="one item a line")
    yield first
    yield from records


def read_by_workers(
    path: str, mapping: ItemMap | None, digest: Callable[[ReadRecord], int], size: int
) -> Iterator[ReadRecord | Shard[int]]:
    """Read a file named by a URI in shards, on a cluster; records where it cannot be cut.

    Args:
        path: the URI.
        mapping: as for ``read_records``.
        digest: what the shards state of each record.
        size: records of a shard.

    Raises:
        InputError: as ``read_records`` does.
    """
    from solver.io.ranges import Scanner

    parts = _parts(path, mapping)
    # A table without rows has columns, which are checked.
    if parts is None or parts == []:
        yield from read_records(path, mapping=mapping)
        return
    scanner = Scanner(
        read=partial(read_part, mapping=mapping),
        line=attrgetter("place.line"),
        digest=digest,
        size=size,
    )
    yield from _some(scanner.shards(iter(parts)), shown_path(path))


def _parts(path: str, mapping: ItemMap | None) -> Iterable[Part] | None:
    """The parts of a file that workers read; None for gzip, and for other tables than our TSV."""
    from solver.io.ranges import group_parts, text_parts

    with open_input(path, ITEMS) as source:
        if source.packed:
            return None
        format = _format(source)
        if format is Format.PARQUET:
            return group_parts(path, format)
        require_text(source)
        if format is Format.JSONL:
            return text_parts(path, format)
        begin, below, named = _head(lines(source), mapping)
        if named is not None:
            return None
        written = [*begin, *below]
        least = written[-1].number if written else 0
        return text_parts(path, format, least=least, follows=_ends_row)


def _ends_row(tabs: int, quoted: bool) -> bool:
    """Whether no row continues after a line: it is a row by itself, and opens no quote.

    A quoted text that reached this line would have been refused: see ``solver.io.tables``.
    """
    return tabs + 1 in _WIDTHS and not quoted


def read_part(source: Source, *, mapping: ItemMap | None) -> Iterator[ReadRecord]:
    """Read the records of a part of a file: see ``solver.io.ranges``."""
    assert source.part is not None
    if source.part.format == Format.PARQUET:
        return _read_parquet(source, mapping)
    if source.part.format == Format.JSONL:
        return _read_jsonl(source, mapping)
    if source.part.start == 0:
        return _read_table(lines(source), source.name, mapping)
    table = rows(lines(source), source.name, widths=_WIDTHS)
    scheme = None if mapping is None else mapping.scheme
    return (_record(row, source.name, scheme) for row in table)


def _read(
    source: Source, requested: Format | None, mapping: ItemMap | None
) -> Iterator[ReadRecord]:
    format = requested or _format(source)
    if format is Format.PARQUET:
        return _read_parquet(source, mapping)
    require_text(source)
    if format is Format.JSONL:
        return _read_jsonl(source, mapping)
    return _read_table(lines(source), source.name, mapping)


def _read_table(lines: Iterator[Line], file: str, mapping: ItemMap | None) -> Iterator[ReadRecord]:
    """The published columns, or those that the first line names."""
    begin, below, named = _head(lines, mapping)
    if named is None:
        scheme = None if mapping is None else mapping.scheme
        return read_tsv(chain(begin, below, lines), file, scheme)
    from solver.eventhop.columns import table_records

    return table_records(chain(below, lines), file, named, mapping, first=begin[-1].number + 1)


def _head(
    lines: Iterator[Line], mapping: ItemMap | None
) -> tuple[list[Line], list[Line], tuple[str, Sequence[str]] | None]:
    """The first lines up to a written one, those up to the next, and the names of other columns.

    The next are read only where needed; the names are None if the columns are the published ones.
    """
    begin = _until_written(lines)
    if not begin or begin[-1].error is not None:
        return begin, [], None
    named = header(begin[-1].text, mapping)
    if named is None:
        return begin, [], None
    below = _until_written(lines)
    # A header of the published columns may name some of them only, and does not change their order.
    widths = {len(named[1]), below[-1].text.count("\t") + 1 if below else 0}
    renamed = mapping is not None and mapping.renames
    published = not renamed and named[0] == "\t" and widths & set(_WIDTHS)
    return begin, below, None if published else named


def header(line: str, mapping: ItemMap | None) -> tuple[str, Sequence[str]] | None:
    """The delimiter and the names of a first line that names columns; None for other lines."""
    wanted = {*fields.ROWS.names, *(mapping.columns.values() if mapping else ())}
    for delimiter in "\t;,":
        try:
            row = next(csv.reader([line.rstrip("\r\n")], delimiter=delimiter), [])
        except csv.Error:
            continue
        names = [cell.strip().lower() for cell in row]
        if len(names) > 1 and len(wanted & set(names)) > 1:
            return delimiter, names
    return None


def _until_written(lines: Iterator[Line]) -> list[Line]:
    """The next lines up to the first that is not blank."""
    found = []
    for read in lines:
        found.append(read)
        if not read.blank:
            break
    return found


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
READ = (
    "the published TSV of 9 or 10 columns; a table (tabs, commas or semicolons) whose first line "
    "names premise and claim; JSON Lines; Parquet"
)
"""The formats that are read, for messages."""

_HINT = f"read are {READ}"


def read_tsv(
    lines: Iterable[Line], file: str, scheme: LabelScheme | None = None
) -> Iterator[ReadRecord]:
    """Read the records of a file's lines, skipping blank lines and a header."""
    table = rows(lines, file, widths=_WIDTHS)
    for row in table:
        if not _is_header(row):
            yield _record(row, file, scheme)
        break
    for row in table:
        yield _record(row, file, scheme)


def _is_header(row: Row) -> bool:
    if row.error is not None:
        return False
    return row.cells[0].strip().lower() in _HEADS or row.cells[-1].strip().lower() in _TAILS


def _record(row: Row, file: str, scheme: LabelScheme | None) -> ReadRecord:
    if row.error is not None:
        place = ItemPlace(file=file, line=row.line)
        return BrokenRecord(id=_id(row), place=place, error=row.error)
    if len(row.cells) not in _WIDTHS:
        return _ragged(row, file)
    cells, columns = list(row.cells), list(row.columns)
    if len(cells) < len(COLUMNS):
        cells.insert(_FORCED, "")
        columns.insert(_FORCED, columns[_FORCED])
    place = ItemPlace(file=file, line=row.line, premise=columns[_PREMISE], claim=columns[_CLAIM])
    try:
        return _read_tsv(cells, place, scheme)
    except FieldError as error:
        return fields.broken(_id(row), place, columns[COLUMNS.index(error.field)], error)


def _id(row: Row) -> str:
    """The index if it was read, otherwise the line number."""
    return (row.cells[0].strip() if row.cells else "") or str(row.line)


def _read_tsv(cells: list[str], place: ItemPlace, scheme: LabelScheme | None) -> Record:
    stripped = map(str.strip, cells[:_PREMISE])
    values = dict(zip(COLUMNS, (*stripped, *cells[_PREMISE:]), strict=True))
    row = fields.ROWS.read_cells(values | {"id": values["index"]})
    row.label = values["label"].strip()
    return fields.placed(row, place, scheme=scheme)


def _ragged(row: Row, file: str) -> BrokenRecord:
    """A row with too few columns, reported at its end, or too many, at the first excess column."""
    width = len(row.cells)
    few = width < min(_WIDTHS)
    column = row.columns[width - 1] + len(row.cells[-1]) if few else row.columns[max(_WIDTHS)]
    found = "1 column" if width == 1 else f"{width} columns"
    place = ItemPlace(file=file, line=row.line)
    error = RowError(
        f"found {found}, expected 9 or 10 separated by tabs", where=place.at(column), hint=_HINT
    )
    return BrokenRecord(id=_id(row), place=place, error=error)


_Fields = msgspec.defstruct("_Fields", [(name, object, None) for name in fields.NAMES])
_DECODER = JsonDecoder(_Fields, known=fields.KNOWN)
_OBJECTS = JsonDecoder[dict[str, object]](dict[str, object])


def _read_jsonl(source: Source, mapping: ItemMap | None) -> Iterator[ReadRecord]:
    renamed = mapping is not None and mapping.renames
    scheme = None if mapping is None else mapping.scheme
    decoder: JsonDecoder[Any] = _OBJECTS if renamed else _DECODER
    present = set[str]()
    for row in decoder.rows(source):
        place = ItemPlace(file=row.place.file, line=row.place.line)
        if isinstance(row, BrokenRow):
            yield BrokenRecord(id=str(place.line), place=place, error=row.error)
            continue
        values = row.value if renamed else msgspec.structs.asdict(row.value)
        if mapping is not None:
            present |= {name.strip().lower() for name in values}
            values = mapping.ours(values)
        try:
            yield fields.record(values, place, scheme)
        except FieldError as error:
            names = columns_of(fields.ItemRow)[error.field].names
            column = 1 if renamed else column_of_field(row.text, *names)
            yield fields.broken(fields.identifier(values, place), place, column, error)
    if mapping is not None and source.part is None:
        mapping.require_present(present, source.name)


def _read_parquet(source: Source, mapping: ItemMap | None) -> Iterator[ReadRecord]:
    from solver.io.parquet import read_rows

    def columns(names: Sequence[str]) -> Sequence[str]:
        for name in ("premise", "claim"):
            known = set(columns_of(fields.ItemRow)[name].names)
            renamed = mapping is not None and known & set(mapping.columns)
            if known.isdisjoint(names) and not renamed:
                message = f"found no column {name}, expected premise, claim and, if known, label"
                where = f"{source.name}:1:1"
                raise InputError(message, where=where, hint=fields.MAP_COLUMNS)
        if mapping is not None:
            mapping.require_present([name.strip().lower() for name in names], source.name)
            return names
        try:
            require_names(names, fields.KNOWN)
        except FieldError as error:
            raise InputError(str(error), where=f"{source.name}:1:1", hint=error.hint) from None
        return [name for name in fields.NAMES if name in names]

    for read, values in read_rows(source, columns):
        place = ItemPlace(file=read.file, line=read.line)
        id = str(values.get("id", place.line))
        size = sum(len(value) for value in values.values() if isinstance(value, str))
        if size > limits.LINE_LIMIT:
            message = f"found a row of {size:,} characters, expected at most {limits.LINE_LIMIT:,}"
            error = RowError(message, where=place.at(1), hint="split it")
            yield BrokenRecord(id=id, place=place, error=error)
            continue
        try:
            given = values if mapping is None else mapping.ours(values)
            yield fields.record(given, place, None if mapping is None else mapping.scheme)
        except FieldError as error:
            # The position of the column among those that are read.
            column = list(values).index(error.field) + 1 if error.field in values else 1
            yield fields.broken(id, place, column, error)


_FIXED = {True: "true", False: "false", None: ""}


def tsv_lines(records: Iterable[Record], *, forced: bool = True) -> Iterator[bytes]:
    """Encode one row per item; without ``forced``, in the older format of 9 columns.

    Raises:
        OutputError: an item has no label, which this format requires.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter="\t")
    for record in records:
        if record.gold is None:
            raise OutputError(
                f"item {record.id} has no label, expected one on each row of a TSV",
                where=record.place.at(),
                hint="write JSON Lines or Parquet, where a label may be absent",
            )
        values = fields.fields(record) | {"index": record.id, "forced": _FIXED[record.forced]}
        cells = [values[name] for name in COLUMNS if forced or name != "forced"]
        plain = "\t".join("" if cell is None else str(cell) for cell in cells)
        quoted = '"' in plain or "\r" in plain or "\n" in plain
        if not quoted and plain.count("\t") == len(cells) - 1:
            # What csv would write, which takes ten times as long for long texts.
            yield f"{plain}\r\n".encode()
            continue
        writer.writerow(cells)
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()


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
            known = {
                name: value for name, value in fields.fields(record).items() if value is not None
            }
            file.write(line(known))


def write_parquet(path: str | Path, records: Iterable[Record]) -> None:
    """Write Parquet."""
    from solver.io.parquet import write_rows

    write_rows(path, partial(arrow_schema, fields.ItemRow, "id"), map(fields.fields, records))
