"""The published format: tab-separated, csv quoting, 10 columns, or 9 without ``forced``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from solver.reading import fields
from solver.reading.cells import Row, rows
from solver.reading.failures import FieldError, RowError
from solver.reading.lines import Line
from solver.records import BrokenRecord, Place, ReadRecord, Record

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
        return _read(cells, place)
    except FieldError as error:
        where = place.at(columns[COLUMNS.index(error.field)])
        broken = RowError(str(error), where=where, hint=error.hint)
    return BrokenRecord(id=_id(row), place=place, error=broken)


def _id(row: Row) -> str:
    """The index if it was read, otherwise the line number."""
    return (row.cells[0].strip() if row.cells else "") or str(row.line)


def _read(cells: list[str], place: Place) -> Record:
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
        declared=fields.declared(declared) if declared else None,
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
