"""What every data set has to be, whatever its format: ids in range, times that go forward."""

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
"""The largest id or time: clingo counts so far."""

Places: TypeAlias = Callable[[Split, int, int], str]
"""Tells where a cell stands, as ``file:line:column``, from its split, row and column from 0."""


def require_ids(
    splits: Mapping[Split, Quadruples],
    places: Places,
    limits: Mapping[int, tuple[int, str]],
) -> None:
    """Refuse ids below 0 or beyond what is declared.

    Args:
        splits: the facts.
        places: tells where a cell stands.
        limits: by column how many ids there are, and which file says so.

    Raises:
        InputError: at the first one, split by split.
    """
    for split, facts in splits.items():
        for column, name in enumerate(COLUMNS):
            values: Ids = getattr(facts, name)
            count, source = limits.get(column, (0, ""))
            last = count - 1 if source else LARGEST
            wrong = np.flatnonzero((values < 0) | (values > last))
            if len(wrong):
                row = int(wrong[0])
                said = f" as {source} says" if source else ""
                message = f"found {name} {values[row]}, expected 0 to {last}{said}"
                raise InputError(message, where=places(split, row, column))


def require_order(splits: Mapping[Split, Quadruples], places: Places) -> None:
    """Refuse times that go back, within a split or from one to the next.

    Raises:
        InputError: at the first fact that is not later than a whole earlier split, or that is
            earlier than the fact before it.
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
