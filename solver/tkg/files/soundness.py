"""Validates data sets of any format: ids in range, times in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np

from solver.reading.failures import InputError
from solver.tkg.dataset import Split
from solver.tkg.quadruples import Ids, Quadruples

COLUMNS = ("head", "relation", "tail", "time")
HEAD, RELATION, TAIL, TIME = range(4)

LARGEST = 2**31 - 1
"""The largest id or time that clingo can represent."""

CellLocator: TypeAlias = Callable[[Split, int, int], str]
"""Maps split, row and column (from 0) of a cell to its location ``file:line:column``."""


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
