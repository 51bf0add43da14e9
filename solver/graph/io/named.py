"""Makes graphs of facts with names: assigns ids, and converts times by a granularity.

Times are whole numbers, dates, time stamps such as ``2031-05-10T12:00:00Z``, or Unix seconds. Time
stamps and seconds become days where nothing is lost, else by a granularity that has to be given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Any, TypeAlias

import numpy as np

from grammar.dates import day_number
from solver.graph.model import (
    LARGEST_TIME,
    Dataset,
    Ids,
    Quadruples,
    Split,
    Vocabulary,
)
from solver.io.sources import InputError, shown

COLUMNS = ("head", "relation", "tail", "time")
HEAD, RELATION, TAIL, TIME = range(4)


LARGEST = LARGEST_TIME
"""The largest id or time that clingo can represent."""


CellLocator: TypeAlias = Callable[[Split, int, int], str]
"""Maps split, row and column (from 0) of a cell to its location ``file:line:column``."""


_HEADERS = ({"head", "relation", "tail"}, {"subject", "relation", "object"}, {"s", "r", "o"})


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
        if any(expression.fullmatch(time) and other.fullmatch(end) for expression, other in _TIMES):
            found = f"{shown(end)} after the time {shown(time)}"
    if found:
        message = f"found {found}, the end of an interval, expected facts with one time each"
        raise InputError(message, where=where, hint="import graph --intervals keeps both ends")


_FIFTH = 4


def is_header(cells: list[str]) -> bool:
    """Whether a line is a header."""
    names = {cell.strip().lower() for cell in cells}
    return any(known <= names for known in _HEADERS)


def require_ids(
    splits: Mapping[Split, Quadruples],
    places: CellLocator,
    limits: Mapping[int, tuple[int, str]],
) -> None:
    """Reject negative ids and ids beyond the declared number.

    Args:
        splits: facts by split.
        places: locates a cell.
        limits: number of ids by column, and the file that declares it.

    Raises:
        InputError: for the first such id.
    """
    for split, facts in splits.items():
        for column, name in enumerate(COLUMNS):
            values: Ids = getattr(facts, name)
            count, source = limits.get(column, (0, ""))
            last = count - 1 if source else LARGEST
            wrong = np.flatnonzero((values < 0) | (values > last))
            if len(wrong):
                row = int(wrong[0])
                origin = f" as {source} says" if source else ""
                message = f"found {name} {values[row]}, expected 0 to {last}{origin}"
                raise InputError(message, where=places(split, row, column))


def require_order(splits: Mapping[Split, Quadruples], places: CellLocator) -> None:
    """Reject facts out of time order, within a split or across splits.

    Raises:
        InputError: for the first fact that precedes its predecessor, or that is not later than
            all facts of the earlier splits.
    """
    latest, before = -1, Split.TRAIN
    for split in Split:
        if split not in splits or not len(splits[split]):
            continue
        times = splits[split].time
        back = np.flatnonzero(np.diff(times) < 0)
        if len(back):
            row = int(back[0]) + 1
            message = f"found time {times[row]} after {times[row - 1]}, expected times in order"
            hint = "sort the facts of a split by time"
            raise InputError(message, where=places(split, row, TIME), hint=hint)
        if times[0] <= latest:
            message = (
                f"found time {times[0]} in {split}, but {before} reaches time {latest}, "
                f"expected splits one after the other"
            )
            raise InputError(message, where=places(split, 0, TIME), hint="split the facts by time")
        latest, before = int(times[-1]), split


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
    if not any(len(fact.heads) for fact in facts):
        raise InputError("found no facts, expected at least one", where=name)
    entities, ends = _ids([end for fact in facts for end in (*fact.heads, *fact.tails)])
    relations, kinds = _ids([kind for fact in facts for kind in fact.relations])
    times, days = _times(splits, places)
    made = _parted(splits, ends, kinds, times)
    require_ids(made, places, {})
    if ordered:
        require_order(made, places)
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
    for split, facts in splits.items():
        size = len(facts.heads)
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
    written = [time for split in splits.values() for time in split.times]
    as_dates = _DATE.fullmatch(written[0]) is not None
    values: dict[str, int] = {}
    for split, facts in splits.items():
        for row, time in enumerate(facts.times):
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


_FIRST_SECONDS = 100_000_000
"""From here on (March 1973) whole numbers of a column ``timestamp`` count as Unix seconds."""


class Granularity(StrEnum):
    """The unit to which times are rounded down."""

    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    YEAR = "year"


_SECONDS = {Granularity.SECOND: 1, Granularity.MINUTE: 60, Granularity.HOUR: 3_600}


_DAY = 86_400


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
    every = Quadruples.joined(*made.values())
    vocabulary = Vocabulary(
        entities=int(max(every.head.max(), every.tail.max())) + 1,
        relations=int(every.relation.max()) + 1,
        times=dated.vocabulary.times,
        time_names=dated.vocabulary.time_names,
    )
    return Dataset(name=name, vocabulary=vocabulary, splits=made, left_out=left_out)


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
        odd = next((place for place, number in enumerate(found) if number % _DAY), None)
        if odd is not None:
            text, where = written[odd]
            message = f"found time {shown(text)}, which is no whole day"
            hint = "import graph --granularity day (or hour, ...) converts the times"
            raise InputError(f"{message}, expected dates, or a granularity", where=where, hint=hint)
    return [_rounded(number, granularity or Granularity.DAY) for number in found]


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
