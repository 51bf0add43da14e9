"""Reads facts with names: CSV (commas, semicolons), JSON Lines, TGB's CSV, tabs, and ICEWS."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from solver.graph.io.named import (
    COLUMNS,
    Granularity,
    NamedFacts,
    assembled,
    assign_ids,
    is_header,
    require_points,
)
from solver.graph.model import FACT, REPEATED, Dataset, Split
from solver.io.json_lines import JsonDecoder
from solver.io.sources import InputError, Line, open_input, shown, sound_lines

ALIASES = {
    "head": ("head", "subject", "source", "src", "s", "head_id"),
    "relation": ("relation", "relation_type", "predicate", "edge_type", "rel", "r", "relation_id"),
    "tail": ("tail", "object", "target", "destination", "dst", "o", "tail_id"),
    "time": ("time", "timestamp", "date", "day", "ts", "t"),
}
"""Element of a fact -> names of its column."""

_INTEGER = re.compile(r"[0-9]{1,18}")
_STAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}.*")
_DECODER = JsonDecoder[dict[str, Any]](dict[str, Any])


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
    return next((names.index(alias) for alias in ALIASES[element] if alias in names), None)


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


def read_named_files(
    name: str,
    files: Mapping[Split, Path],
    *,
    ordered: bool,
    granularity: Granularity | None = None,
) -> Dataset:
    """Read files of names; a header line is optional and further columns are ignored.

    Raises:
        InputError: a file cannot be read, a line has fewer than four columns, a name is empty, or
            facts are intervals.
    """
    splits: dict[Split, NamedFacts] = {}
    numbers: dict[Split, list[int]] = {}
    for split, path in files.items():
        splits[split], numbers[split] = NamedFacts(), []
        for line in _lines(path):
            cells = [cell.strip() for cell in line.text.split("\t")]
            where = f"{path}:{line.number}:1"
            if line.number == 1 and is_header(cells):
                require_points(where, columns=cells)
                continue
            require_points(where, cells=cells)
            _require_names(cells, line, path)
            splits[split].add(*cells[:4])
            numbers[split].append(line.number)

    def places(split: Split, row: int, column: int) -> str:
        return _cell_location(files[split], numbers[split][row], column)

    first = next((time for split in splits.values() for time in split.times), "")
    if granularity is not None or _STAMP.fullmatch(first):
        from solver.graph.io.named import assembled

        lines = {split: [f"{files[split]}:{n}" for n in numbers[split]] for split in splits}
        return assembled(name, splits, lines, ordered=ordered, granularity=granularity)
    return assign_ids(name, splits, places, ordered=ordered)


def _lines(path: Path) -> Iterator[Line]:
    with open_input(path, "a file of facts") as source:
        yield from sound_lines(source)


def _cell_location(path: Path, number: int, column: int) -> str:
    """Location of a cell as ``file:line:column``; ``column`` counts cells from 0."""
    text = next(line.text for line in _lines(path) if line.number == number)
    before = text.split("\t")[:column]
    return f"{path}:{number}:{sum(map(len, before)) + len(before) + 1}"


def _require_names(cells: list[str], line: Line, path: Path) -> None:
    expected = f"{', '.join(COLUMNS)}, separated by tabs"
    if len(cells) < len(COLUMNS):
        found = "1 column" if len(cells) == 1 else f"{len(cells)} columns"
        where = f"{path}:{line.number}:{len(line.text) + 1}"
        raise InputError(f"found {found}, expected {expected}", where=where)
    for column, name in enumerate(COLUMNS):
        if not cells[column]:
            where = _cell_location(path, line.number, column)
            raise InputError(f"found no {name}, expected {expected}", where=where)


ICEWS = ("Source Name", "Event Text", "Target Name", "Event Date")


def read_icews(path: Path) -> Dataset:
    """Read a file; column order and further columns are ignored.

    Events without a source, a target or a text, and duplicates, are skipped and counted.

    Raises:
        InputError: a column is missing, a line has another number of columns, or a date is invalid.
    """
    facts, numbers, left_out = NamedFacts(), list[int](), Counter[str]()
    rows = _lines(path)
    header = [cell.strip() for cell in next(rows).text.split("\t")]
    require_points(f"{path}:1:1", columns=header)
    chosen = _chosen(header, path)
    for line in rows:
        cells = line.text.split("\t")
        if len(cells) != len(header):
            found = f"found {len(cells)} columns, expected {len(header)} as the header has"
            raise InputError(found, where=f"{path}:{line.number}:{len(line.text) + 1}")
        head, relation, tail, day = (cells[column].strip() for column in chosen)
        named = zip((head, relation, tail), ICEWS, strict=False)
        missing = next((name for cell, name in named if not cell), None)
        if missing is not None:
            left_out[f"without {missing}"] += 1
            continue
        facts.add(_joined(head), _joined(relation), _joined(tail), day)
        numbers.append(line.number)

    def places(_split: Split, row: int, column: int) -> str:
        return _cell_location(path, numbers[row], chosen[column])

    read = assign_ids(str(path), {Split.TRAIN: facts}, places, ordered=False, left_out=left_out)
    return _in_order(read, left_out, path)


def _joined(name: str) -> str:
    return "_".join(name.split())


def _chosen(header: list[str], path: Path) -> list[int]:
    missing = [name for name in ICEWS if name not in header]
    if missing:
        message = f"found no column {missing[0]!r}, expected {', '.join(ICEWS)}"
        raise InputError(message, where=f"{path}:1:1")
    return [header.index(name) for name in ICEWS]


def _in_order(read: Dataset, left_out: Counter[str], path: Path) -> Dataset:
    """Deduplicate the facts and sort them by time; the first occurrence is kept."""
    facts = read.splits[Split.TRAIN]
    kept = facts.first_ones()
    if repeated := len(facts) - len(kept):
        left_out[REPEATED] = repeated
    return Dataset(
        name=path.name,
        vocabulary=read.vocabulary,
        splits={Split.TRAIN: kept.take(np.argsort(kept.time, kind="stable"))},
        left_out=dict(sorted(left_out.items())),
    )
