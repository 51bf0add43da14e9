"""Reads facts that hold for an interval, as two facts each: ``relation:since``, ``relation:until``.

A row is ``head relation tail since until`` between tabs, with or without a header; a CSV row with a
header; or, as in YAGO15k, ``head relation tail <occursSince> "1881-05-##"``. An end that is unknown
(empty, ``-`` or ``####-##-##``) gives no fact. Where a month or a day is unknown, the granularity
has to be a year. Source of the formats: García-Durán et al. (2018), Dasgupta et al. (2018).
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from solver.graph.io.named import Granularity, NamedFacts, assembled, is_end
from solver.graph.io.tables import ALIASES
from solver.graph.model import Dataset, Split
from solver.io.sources import InputError, lines, open_input, shown

SINCE, UNTIL = ":since", ":until"
_STARTS = {
    *("since", "start", "from", "begin", "valid_from", "start_time", "start_date", "time_begin"),
    *("from_date", "from_time", "time_start", "date_start", *ALIASES["time"]),
}
_YAGO = {"occurssince": SINCE, "occursuntil": UNTIL}
_UNKNOWN = re.compile(r"[-#]*")
_PARTIAL = re.compile(r"([0-9]{4})-(?:[0-9]{2}|##)-(?:[0-9]{2}|##)")
_DATE = re.compile(r"([0-9]{4})-[0-9]{2}-[0-9]{2}")
_ENDINGS = (".txt", ".tsv", ".csv", ".txt.gz", ".tsv.gz", ".csv.gz")
UNTIMED = "without a time"
REVERSED = "ends before it starts"
_NUMBER = re.compile(r"-?[0-9]+")


def read_intervals(path: Path, granularity: Granularity | None = None) -> Dataset:
    """Read a file, or a folder with a file for each split; facts may be in any order.

    Args:
        path: the file or folder.
        granularity: as of ``read_dataset``.

    Raises:
        InputError: a file cannot be read, a row is no interval, or a time is known in part only.
    """
    files: dict[Split, Path] = {Split.TRAIN: path}
    if path.is_dir():
        named = ((split, path / f"{split}{end}") for split in Split for end in reversed(_ENDINGS))
        files = {split: file for split, file in named if file.is_file()}
        if not files:
            raise InputError("found no train.txt, valid.txt or test.txt", where=str(path))
    facts: dict[Split, NamedFacts] = {}
    places: dict[Split, list[str]] = {}
    left_out: Counter[str] = Counter()
    for split, file in files.items():
        facts[split], places[split] = NamedFacts(), []
        for where, head, relation, tail, ends in _rows(file):
            times = {end: _time(text, where, granularity) for end, text in ends.items()}
            if not any(times.values()):
                left_out[UNTIMED] += 1
            if _ends_before(times.get(UNTIL, ""), times.get(SINCE, "")):
                left_out[REVERSED] += 1
                continue
            for end, time in times.items():
                if time:
                    facts[split].add(head, relation + end, tail, time)
                    places[split].append(where)
    read = assembled(path.resolve().name, facts, places, ordered=False, granularity=granularity)
    return replace(read, left_out={**read.left_out, **left_out})


def _ends_before(until: str, since: str) -> bool:
    """Whether an interval ends before it starts; not if an end is unknown."""
    if not (until and since):
        return False
    if _NUMBER.fullmatch(until) and _NUMBER.fullmatch(since):
        return int(until) < int(since)
    # Dates are compared as far as both are known.
    size = min(len(until), len(since))
    return until[:size] < since[:size]


_Row = tuple[str, str, str, str, Mapping[str, str]]
"""Location, head, relation, tail, and the times of the ends as written."""


def _rows(path: Path) -> Iterator[_Row]:
    with open_input(path, "a file of facts") as source:
        places: Sequence[int] | None = None
        delimiter = ""
        for line in lines(source):
            if line.error is not None:
                raise line.error
            text = line.text.removeprefix("\ufeff")
            if not text.strip():
                continue
            where = f"{source.name}:{line.number}"
            delimiter = delimiter or next((name for name in "\t;," if name in text), "\t")
            cells = _cells(text, delimiter, where)
            if places is None:
                places = _columns(cells)
                if places:
                    continue
            yield _row(cells, places, where)


def _cells(text: str, delimiter: str, where: str) -> list[str]:
    if delimiter == "\t":
        return [cell.strip() for cell in text.split("\t")]
    try:
        return [cell.strip() for cell in next(csv.reader([text], delimiter=delimiter, strict=True))]
    except csv.Error as error:
        raise InputError(f"{error}", where=where) from None


def _columns(cells: Sequence[str]) -> tuple[int, ...]:
    """The columns of head, relation, tail, since and until; empty if the row is no header."""
    names = [cell.lower().replace(" ", "_") for cell in cells]
    found = [
        next((place for place, name in enumerate(names) if name in known), None)
        for known in (ALIASES["head"], ALIASES["relation"], ALIASES["tail"], _STARTS)
    ]
    found.append(next((place for place, name in enumerate(names) if is_end(name)), None))
    return tuple(column for column in found if column is not None) if None not in found else ()


def _row(cells: Sequence[str], places: Sequence[int], where: str) -> _Row:
    if places:
        if len(cells) <= max(places):
            message = f"found {len(cells)} columns, expected {max(places) + 1}"
            raise InputError(message, where=where)
        head, relation, tail, since, until = (cells[place] for place in places)
        ends = {SINCE: since, UNTIL: until}
    elif len(cells) == _FACT:
        head, relation, tail = cells
        ends = {}
    elif len(cells) == _FACT + 2:
        head, relation, tail, fourth, fifth = cells
        end = _YAGO.get(fourth.strip("<>").lower())
        ends = {SINCE: fourth, UNTIL: fifth} if end is None else {end: fifth}
    else:
        message = f"found {len(cells)} columns, expected head, relation, tail, since and until"
        raise InputError(message, where=where)
    if not (head and relation and tail):
        raise InputError("found an empty name", where=where)
    return where, head, relation, tail, ends


_FACT = 3


def _time(text: str, where: str, granularity: Granularity | None) -> str:
    """A time as other readers take it; empty if it is unknown."""
    plain = text.partition("^^")[0].strip('"')
    if _UNKNOWN.fullmatch(plain):
        return ""
    year = granularity is Granularity.YEAR
    if year and (found := _PARTIAL.fullmatch(plain)):
        return found[1]
    if "#" in plain:
        hint = "--granularity year keeps the years"
        message = f"found time {shown(plain)}, which is known in part only"
        raise InputError(f"{message}, expected a date", where=where, hint=hint)
    if not (_DATE.fullmatch(plain) or plain.isdecimal()):
        raise InputError(f"found time {shown(plain)}, expected a date or a number", where=where)
    return plain
