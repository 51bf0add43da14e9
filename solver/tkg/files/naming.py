"""Assigns ids to facts given by name, and day numbers to dates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

import numpy as np

from solver.reading.failures import InputError, shown
from solver.tkg.dataset import Dataset, Split, Vocabulary
from solver.tkg.files.soundness import LARGEST, TIME, CellLocator, require_ids, require_order
from solver.tkg.quadruples import Ids, Quadruples

_INTEGER = re.compile(r"[0-9]{1,18}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


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
            value = day(time) if as_dates else _number(time)
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


def day(text: str) -> int | None:
    """Proleptic ordinal of a date such as ``2014-01-31``; None if it is invalid."""
    try:
        return date.fromisoformat(text).toordinal() if _DATE.fullmatch(text) else None
    except ValueError:
        return None


def _number(text: str) -> int | None:
    return int(text) if _INTEGER.fullmatch(text) and int(text) <= LARGEST else None


def _refusal(text: str, where: str, *, as_dates: bool) -> InputError:
    numbers = f"a whole number from 0 to {LARGEST:,}, or all times as dates"
    expected = "a date such as 2014-01-31, as the first fact has" if as_dates else numbers
    return InputError(f"found time {shown(text)}, expected {expected}", where=where)
