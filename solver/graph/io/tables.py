"""Reads facts from tables whose columns are named: CSV (commas, semicolons), JSON Lines, TGB's CSV.

Times are whole numbers, dates, time stamps such as ``2031-05-10T12:00:00Z``, or Unix seconds. Time
stamps and seconds become days where nothing is lost, else by a granularity that has to be given.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np

from solver.graph.io import require_points
from solver.graph.io.folder import TIME, require_ids, require_order
from solver.graph.io.named import NamedFacts, assign_ids
from solver.graph.model import FACT, Dataset, Quadruples, Split, Vocabulary, require_distinct
from solver.io.json_lines import JsonDecoder
from solver.io.sources import InputError, open_input, shown

ALIASES = {
    "head": ("head", "subject", "source", "src", "s", "head_id"),
    "relation": ("relation", "relation_type", "predicate", "edge_type", "rel", "r", "relation_id"),
    "tail": ("tail", "object", "target", "destination", "dst", "o", "tail_id"),
    "time": ("time", "timestamp", "date", "day", "ts", "t"),
}
"""Element of a fact -> names of its column."""

_INTEGER = re.compile(r"[0-9]{1,18}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_STAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}.*")
_FIRST_SECONDS = 100_000_000
"""From here on (March 1973) whole numbers of a column ``timestamp`` count as Unix seconds."""

_DECODER = JsonDecoder[dict[str, Any]](dict[str, Any])


class Granularity(StrEnum):
    """The unit to which times are rounded down."""

    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    YEAR = "year"


_SECONDS = {Granularity.SECOND: 1, Granularity.MINUTE: 60, Granularity.HOUR: 3_600}
_DAY = 86_400


def is_table(head: str) -> bool:
    """Whether a file has named columns that are separated by commas or semicolons, or JSON."""
    first = head.lstrip("\ufeff").lstrip()
    if first.startswith("{"):
        return True
    cells = _cells(first.partition("\n")[0])
    return len(cells) > 1 and all(_column(cells, name) is not None for name in FACT)


def _delimiter(line: str) -> str:
    return ";" if line.count(";") > line.count(",") else ","


def _cells(line: str) -> list[str]:
    try:
        row = next(csv.reader([line.rstrip("\r")], delimiter=_delimiter(line)), [])
    except csv.Error:
        return []
    return [cell.strip().lower() for cell in row]


def _column(names: Sequence[str], element: str) -> int | None:
    return next((names.index(one) for one in ALIASES[element] if one in names), None)


def read_tables(
    name: str, files: Mapping[Split, Path], *, ordered: bool, granularity: Granularity | None
) -> Dataset:
    """Read files of one format.

    Raises:
        InputError: a file cannot be read, a column or an element of a fact is missing, facts are
            intervals, or a granularity is needed.
    """
    splits: dict[Split, NamedFacts] = {}
    lines: dict[Split, list[str]] = {}
    for split, path in files.items():
        splits[split], lines[split] = NamedFacts(), []
        for where, cells in _rows(path):
            splits[split].add(*cells)
            lines[split].append(where)
    return assembled(name, splits, lines, ordered=ordered, granularity=granularity)


def assembled(
    name: str,
    splits: Mapping[Split, NamedFacts],
    lines: Mapping[Split, Sequence[str]],
    *,
    ordered: bool,
    granularity: Granularity | None,
) -> Dataset:
    """A graph from facts as written: whole numbers are ids, other texts are names.

    Args:
        name: name of the graph.
        splits: facts by split.
        lines: location of each fact.
        ordered: as of ``read_dataset``.
        granularity: as of ``read_dataset``; facts that become equal count once.

    Raises:
        InputError: as of ``read_tables``.
    """

    def places(split: Split, row: int, _column: int) -> str:
        return lines[split][row]

    written = [
        (time, places(s, n, TIME)) for s, f in splits.items() for n, time in enumerate(f.times)
    ]
    units = converted(written, granularity)
    left_out: dict[str, int] = {}
    changed: dict[Split, NamedFacts] = {}
    places_of: dict[Split, list[str]] = {}
    times = iter(units)
    for split, facts in splits.items():
        rows = list(zip(facts.heads, facts.relations, facts.tails, times, strict=False))
        kept = rows
        where = list(lines[split])
        if granularity is not None:
            first: dict[tuple[str, str, str, str], int] = {}
            for number, row in enumerate(rows):
                first.setdefault(row, number)
            kept, where = list(first), [where[number] for number in first.values()]
            if len(kept) < len(rows):
                again = f"repeated within a {granularity.value}"
                left_out[again] = left_out.get(again, 0) + len(rows) - len(kept)
        changed[split], places_of[split] = NamedFacts(), where
        for row in kept:
            changed[split].add(*row)

    def kept_place(split: Split, row: int, _column: int) -> str:
        return places_of[split][row]

    everything = [text for f in changed.values() for text in (*f.heads, *f.relations, *f.tails)]
    if not everything or not all(map(_INTEGER.fullmatch, everything)):
        return assign_ids(name, changed, kept_place, ordered=ordered, left_out=left_out)
    return _of_ids(name, changed, kept_place, ordered=ordered, left_out=left_out)


def _of_ids(
    name: str,
    splits: Mapping[Split, NamedFacts],
    places: Any,  # noqa: ANN401 - a locator of cells
    *,
    ordered: bool,
    left_out: Mapping[str, int],
) -> Dataset:
    """Keep the ids; only times are converted, as of names."""
    timed = {
        split: NamedFacts(heads=f.times, relations=f.times, tails=f.times, times=f.times)
        for split, f in splits.items()
    }
    dated = assign_ids(name, timed, places, ordered=False)
    made = {}
    for split, facts in splits.items():
        columns = (facts.heads, facts.relations, facts.tails)
        ids = [np.fromiter(map(int, column), np.int64, len(column)) for column in columns]
        time = dated.splits[split].time
        made[split] = Quadruples(head=ids[0], relation=ids[1], tail=ids[2], time=time)
    require_ids(made, places, {})
    if ordered:
        require_order(made, places)
        require_distinct(made, lambda split, row: places(split, row, 0))
    every = Quadruples.joined(*made.values())
    vocabulary = Vocabulary(
        entities=int(max(every.head.max(), every.tail.max())) + 1,
        relations=int(every.relation.max()) + 1,
        times=dated.vocabulary.times,
        time_names=dated.vocabulary.time_names,
    )
    return Dataset(name=name, vocabulary=vocabulary, splits=made, left_out=left_out)


def _rows(path: Path) -> Iterator[tuple[str, list[str]]]:
    with open_input(path, "a file of facts") as source:
        data, name = source.whole(), source.name
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("found invalid UTF-8, expected text", where=f"{name}:{line}") from None
    if text.lstrip().startswith("{"):
        yield from _json_rows(path)
        return
    first = text.lstrip("\r\n").partition("\n")[0]
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(first), strict=True)
    names: list[str] = []
    try:
        for row in rows:
            where = f"{name}:{rows.line_num}"
            if not any(cell.strip() for cell in row):
                continue
            if not names:
                names = [cell.strip().lower() for cell in row]
                require_points(where, columns=names)
                columns = [_required(names, element, where) for element in FACT]
                continue
            if len(row) != len(names):
                message = f"found {len(row)} columns, expected {len(names)} as the header has"
                raise InputError(message, where=where)
            yield where, _complete([row[column].strip() for column in columns], where)
    except csv.Error as error:
        raise InputError(f"{error}", where=f"{name}:{rows.line_num}") from None


def _required(names: Sequence[str], element: str, where: str) -> int:
    column = _column(names, element)
    if column is None:
        known = ", ".join(ALIASES[element][:4])
        message = f"found no column of the {element} among {shown(' '.join(names))}"
        raise InputError(f"{message}, expected {known}", where=where)
    return column


def _json_rows(path: Path) -> Iterator[tuple[str, list[str]]]:
    with open_input(path, "a file of facts") as source:
        for row in _DECODER.sound_rows(source):
            where = row.place.at()
            values = {name.strip().lower(): value for name, value in row.value.items()}
            require_points(where, columns=tuple(values))
            names = list(values)
            cells = []
            for element in FACT:
                value = values[names[_required(names, element, where)]]
                if isinstance(value, bool) or not isinstance(value, str | int):
                    message = f"found {shown(str(value))} as {element}, expected a text or a number"
                    raise InputError(message, where=where)
                cells.append(str(value).strip())
            yield where, _complete(cells, where)


def _complete(cells: list[str], where: str) -> list[str]:
    for element, cell in zip(FACT, cells, strict=True):
        if not cell or "\t" in cell or "\n" in cell:
            raise InputError(f"found {shown(cell)} as {element}, expected a name", where=where)
    return cells


def converted(written: Sequence[tuple[str, str]], granularity: Granularity | None) -> list[str]:
    """Times as whole numbers or as dates.

    Args:
        written: the times as written, each with its location.
        granularity: the unit to which they are rounded down; by default dates and whole numbers
            stay as they are, and time stamps become days if all are midnight.

    Raises:
        InputError: a time is invalid, or cannot be converted without loss.
    """
    texts = [text for text, _ in written]
    stamped = any(map(_STAMP.fullmatch, texts))
    seconds_known = not stamped and all(map(_INTEGER.fullmatch, texts))
    as_seconds = seconds_known and texts and min(map(int, texts)) >= _FIRST_SECONDS
    if not stamped and not as_seconds:
        if granularity in (None, Granularity.DAY) or seconds_known:
            return texts
        return [_rounded(_seconds(text, where), granularity) for text, where in written]
    found = [_seconds(text, where) for text, where in written]
    if granularity is None:
        odd = next((place for place, one in enumerate(found) if one % _DAY), None)
        if odd is not None:
            text, where = written[odd]
            message = f"found time {shown(text)}, which is no whole day"
            hint = "import graph --granularity day (or hour, ...) converts the times"
            raise InputError(f"{message}, expected dates, or a granularity", where=where, hint=hint)
    return [_rounded(one, granularity or Granularity.DAY) for one in found]


def _seconds(text: str, where: str) -> int:
    """Seconds since 1970; a time stamp without a zone is in UTC."""
    if _INTEGER.fullmatch(text):
        return int(text)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        expected = "a date, a time stamp such as 2031-05-10T12:00:00Z, or Unix seconds"
        raise InputError(f"found time {shown(text)}, expected {expected}", where=where) from None
    if moment.microsecond:
        message = f"found time {shown(text)}, expected whole seconds"
        raise InputError(message, where=where)
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return int(zoned.timestamp())


def _rounded(seconds: int, granularity: Granularity | None) -> str:
    if granularity in _SECONDS:
        return str(seconds // _SECONDS[granularity])
    day = datetime.fromtimestamp(seconds, UTC).date()
    return str(day.year) if granularity is Granularity.YEAR else day.isoformat()
