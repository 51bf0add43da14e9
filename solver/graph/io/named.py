"""Reads facts with names: head, relation, tail and time, separated by tabs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from grammar.dates import day_number
from solver.graph.io import is_header, require_points
from solver.graph.io.folder import (
    COLUMNS,
    HEAD,
    LARGEST,
    TIME,
    CellLocator,
    require_ids,
    require_order,
)
from solver.graph.model import Dataset, Ids, Quadruples, Split, Vocabulary, require_distinct
from solver.io.sources import InputError, Line, open_input, shown, sound_lines

if TYPE_CHECKING:
    from solver.graph.io.tables import Granularity

_INTEGER = re.compile(r"[0-9]{1,18}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_STAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}.*")


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedFacts:
    """Columns of one split as written, all of the same length."""

    heads: list[str] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)
    tails: list[str] = field(default_factory=list)
    times: list[str] = field(default_factory=list)

    def add(self, head: str, relation: str, tail: str, time: str) -> None:
        """Append a fact."""
        self.heads.append(head)
        self.relations.append(relation)
        self.tails.append(tail)
        self.times.append(time)


def assign_ids(
    name: str,
    splits: Mapping[Split, NamedFacts],
    places: CellLocator,
    *,
    ordered: bool,
    left_out: Mapping[str, int] | None = None,
) -> Dataset:
    """Assign ids in the lexicographic order of the names over all splits.

    Times are either all integers, kept as they are, or all dates such as ``2014-01-31``, converted
    to days since the earliest one.

    Raises:
        InputError: there are no facts, a time is invalid, or facts are out of order.
    """
    facts = splits.values()
    if not any(len(one.heads) for one in facts):
        raise InputError("found no facts, expected at least one", where=name)
    entities, ends = _ids([end for one in facts for end in (*one.heads, *one.tails)])
    relations, kinds = _ids([kind for one in facts for kind in one.relations])
    times, days = _times(splits, places)
    made = _parted(splits, ends, kinds, times)
    require_ids(made, places, {})
    if ordered:
        require_order(made, places)
        require_distinct(made, lambda split, row: places(split, row, HEAD))
    vocabulary = Vocabulary(
        entities=len(entities),
        relations=len(relations),
        times=int(times.max()) + 1,
        entity_names=entities,
        relation_names=relations,
        time_names=days,
    )
    return Dataset(name=name, vocabulary=vocabulary, splits=made, left_out=left_out or {})


def _parted(
    splits: Mapping[Split, NamedFacts], ends: Ids, kinds: Ids, times: Ids
) -> dict[Split, Quadruples]:
    """Divide the columns into splits; ``ends`` has each split's heads before its tails."""
    made: dict[Split, Quadruples] = {}
    at = 0
    for split, one in splits.items():
        size = len(one.heads)
        made[split] = Quadruples(
            head=ends[2 * at : 2 * at + size],
            relation=kinds[at : at + size],
            tail=ends[2 * at + size : 2 * (at + size)],
            time=times[at : at + size],
        )
        at += size
    return made


def _ids(names: list[str]) -> tuple[tuple[str, ...], Ids]:
    known = sorted(set(names))
    ids = {name: number for number, name in enumerate(known)}
    return tuple(known), np.fromiter(map(ids.__getitem__, names), np.int64, len(names))


def _times(splits: Mapping[Split, NamedFacts], places: CellLocator) -> tuple[Ids, tuple[str, ...]]:
    """Times of all splits, and the names of the days if they are dates."""
    written = [time for one in splits.values() for time in one.times]
    as_dates = _DATE.fullmatch(written[0]) is not None
    values: dict[str, int] = {}
    for split, one in splits.items():
        for row, time in enumerate(one.times):
            if time in values:
                continue
            value = day_number(time) if as_dates else _number(time)
            if value is None:
                raise _refusal(time, places(split, row, TIME), as_dates=as_dates)
            values[time] = value
    first = min(values.values()) if as_dates else 0
    times = np.fromiter((values[time] for time in written), np.int64, len(written)) - first
    if not as_dates:
        return times, ()
    begin = date.fromordinal(first)
    days = range(int(times.max()) + 1)
    return times, tuple((begin + timedelta(days=day)).isoformat() for day in days)


def _number(text: str) -> int | None:
    return int(text) if _INTEGER.fullmatch(text) and int(text) <= LARGEST else None


def _refusal(text: str, where: str, *, as_dates: bool) -> InputError:
    numbers = f"a whole number from 0 to {LARGEST:,}, or all times as dates"
    expected = "a date such as 2014-01-31, as the first fact has" if as_dates else numbers
    return InputError(f"found time {shown(text)}, expected {expected}", where=where)


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

    first = next((time for one in splits.values() for time in one.times), "")
    if granularity is not None or _STAMP.fullmatch(first):
        from solver.graph.io.tables import assembled

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
    _, first = np.unique(facts.rows(), axis=0, return_index=True)
    kept: Quadruples = facts.take(np.sort(first))
    if repeated := len(facts) - len(kept):
        left_out["repeated"] = repeated
    return Dataset(
        name=path.name,
        vocabulary=read.vocabulary,
        splits={Split.TRAIN: kept.take(np.argsort(kept.time, kind="stable"))},
        left_out=dict(sorted(left_out.items())),
    )
