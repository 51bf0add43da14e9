"""What every format of a graph requires: times instead of intervals, known ids, order."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from solver.graph.model import LARGEST_TIME, Ids, Quadruples, Split
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
