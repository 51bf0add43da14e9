"""Reads the standard folder layout: one text file per split, id maps, ``stat.txt``."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from solver.graph.io.named import (
    COLUMNS,
    HEAD,
    RELATION,
    TAIL,
    TIME,
    require_ids,
    require_order,
    require_points,
)
from solver.graph.model import (
    STAT,
    Dataset,
    Ids,
    Quadruples,
    Split,
    Vocabulary,
)
from solver.io.json_lines import read_document
from solver.io.sources import WHOLE, InputError, byte_location, open_input, shown, sound_lines

_INTEGER = re.compile(r"[+-]?[0-9]+")
_CELL = re.compile(r"\S+")


def read_integers(path: str | Path, columns: int, *, names: tuple[str, ...] = ()) -> Ids:
    """Read the first columns of a table; further columns are ignored.

    Args:
        path: the file; ``-`` is standard input.
        columns: number of columns to read.
        names: names of the columns, for messages.

    Returns:
        Shape (lines, columns); empty lines are skipped.

    Raises:
        InputError: the file cannot be read, or a line has too few integers.
    """
    name, text = _content(path)
    try:
        return _parsed(text, columns)
    except ValueError:
        raise _refusal(text, columns, name, names) from None


def width(path: str | Path) -> int:
    """Number of cells of the first non-blank line; 0 if there is none.

    Raises:
        InputError: the file cannot be read.
    """
    return next(
        (len(cells) for line in _integer_lines(_content(path)[1]) if (cells := line.split())), 0
    )


def cell_location(path: str | Path, row: int, column: int) -> str:
    """Location of a cell as ``file:line:column``; ``row`` and ``column`` count from 0."""
    name, text = _content(path)
    left = row
    for number, line in enumerate(_integer_lines(text), 1):
        if not line.strip():
            continue
        if not left:
            cells = list(_CELL.finditer(line.decode("utf-8", "replace")))
            return f"{name}:{number}:{cells[column].start() + 1}"
        left -= 1
    return name


def line_numbers(path: str | Path) -> Ids:
    """Line number of each row of a table, from 1."""
    lines = _integer_lines(_content(path)[1])
    nonblank = np.fromiter((bool(line.strip()) for line in lines), dtype=np.bool_)
    return np.flatnonzero(nonblank) + 1


def _content(path: str | Path) -> tuple[str, bytes]:
    with open_input(path, "a file of facts") as source:
        return source.name, source.whole()


def _integer_lines(text: bytes) -> Iterator[bytes]:
    # Not `splitlines`, which also breaks at a lone carriage return; and not a list, which would
    # take ten times the memory of the numbers.
    return (line.removesuffix(b"\n") for line in io.BytesIO(text))


def _parsed(text: bytes, columns: int) -> Ids:
    if not text or text.isspace():
        return np.empty((0, columns), dtype=np.int64)
    lines = (line for line in _integer_lines(text) if line.strip())
    with warnings.catch_warnings():
        # Of lines of separators such as U+001F, which are blank only as text.
        warnings.filterwarnings("ignore", "loadtxt: input contained no data")
        return np.loadtxt(
            lines, dtype=np.int64, usecols=range(columns), ndmin=2, comments=None, encoding="utf-8"
        )


def _refusal(text: bytes, columns: int, name: str, names: tuple[str, ...]) -> InputError:
    """Locate the malformed line."""
    expected = f"{columns} integers: {', '.join(names)}" if names else f"{columns} integers"
    for number, line in enumerate(_integer_lines(text), 1):
        cells = list(_CELL.finditer(line.decode("utf-8", "replace")))
        if cells and len(cells) < columns:
            found = "1 column" if len(cells) == 1 else f"{len(cells)} columns"
            message = f"found {found}, expected {expected}"
            return InputError(message, where=f"{name}:{number}:{cells[-1].end() + 1}")
        for place, cell in enumerate(cells[:columns]):
            where = f"{name}:{number}:{cell.start() + 1}"
            wanted = f"a {names[place]}, an integer" if names else "an integer"
            if not _INTEGER.fullmatch(cell[0]):
                hint = f"a line holds {expected}"
                message = f"found {shown(cell[0])}, expected {wanted}"
                return InputError(message, where=where, hint=hint)
            if not -(2**63) <= int(cell[0][:30]) < 2**63:
                message = f"found {shown(cell[0])}, expected {wanted} of at most 64 bits"
                return InputError(message, where=where)
        try:
            line.decode()
        except UnicodeDecodeError as error:
            message = f"found byte 0x{line[error.start]:02x}, expected text in UTF-8"
            column = len(line[: error.start].decode()) + 1
            return InputError(message, where=f"{name}:{number}:{column}")
    return InputError(f"found something else, expected {expected}", where=name)


_ID = re.compile(r"[0-9]{1,18}")
_Id = Annotated[int, msgspec.Meta(ge=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class IdMap:
    """Names by id.

    Attributes:
        file: file name, for messages.
        names: names sorted by id.
        step: distance of neighbouring ids; 1 except for maps of times.
    """

    file: str
    names: tuple[str, ...]
    step: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """A name and its id; ``line`` is 0 in a JSON object."""

    name: str
    id: int
    line: int = 0


def read_id_map(folder: Path, stem: str, *, steps: bool = False) -> IdMap | None:
    """Read ``stem.txt`` or else ``stem.json``; None if neither exists.

    A first line of ``stem.txt`` with a single number is the number of entries.

    Args:
        folder: folder of the map.
        stem: file name without suffix, such as ``entity2id``.
        steps: whether ids may be multiples of a step (0, 24, 48, ... for days in hours).

    Raises:
        InputError: the file cannot be read, an id or a name is duplicated, or ids are missing.
    """
    for ending, read in ((".txt", _lines), (".json", _object)):
        path = folder / f"{stem}{ending}"
        if path.is_file():
            return _dense(path, list(read(path)), steps=steps)
    return None


def _dense(path: Path, entries: list[_Entry], *, steps: bool) -> IdMap:
    if not entries:
        raise InputError("found no names, expected at least one", where=f"{path}:1:1")
    ids: dict[int, _Entry] = {}
    names: dict[str, _Entry] = {}
    for entry in entries:
        if not entry.name:
            raise _refused(path, entry, f"no name for id {entry.id}", "one")
        if (twin := ids.setdefault(entry.id, entry)) is not entry:
            both = f"id {entry.id} for {shown(twin.name)} and for {shown(entry.name)}"
            raise _refused(path, entry, both, "each id once")
        if (twin := names.setdefault(entry.name, entry)) is not entry:
            both = f"{shown(entry.name)} with id {twin.id} and with id {entry.id}"
            raise _refused(path, entry, both, "each name once")
    ordered = sorted(ids)
    step = max(ordered[1], 1) if steps and len(ordered) > 1 else 1
    for number, found in enumerate(ordered):
        if found != number * step:
            missing = f"id {found} but no id {number * step}"
            raise _refused(path, ids[found], missing, "ids from 0 without a gap")
    return IdMap(file=path.name, names=tuple(ids[number].name for number in ordered), step=step)


def _refused(path: Path, entry: _Entry, found: str, expected: str) -> InputError:
    where = f"{path}:{entry.line}:1"
    if not entry.line:
        with open_input(path) as source:
            text = source.whole()
        where = byte_location(str(path), text, text.find(msgspec.json.encode(entry.name)))
    return InputError(f"found {found}, expected {expected}", where=where)


def _lines(path: Path) -> Iterator[_Entry]:
    with open_input(path, "names with ids") as source:
        for line in sound_lines(source):
            text = line.text.rstrip()
            if line.number == 1 and text.isdecimal():
                continue
            name, _, number = text.rpartition("\t" if "\t" in text else " ")
            if not _ID.fullmatch(number.strip()):
                where = f"{source.name}:{line.number}:{len(text) - len(number) + 1}"
                message = f"found {shown(number)}, expected an id, a whole number from 0"
                raise InputError(message, where=where, hint="a line holds a name, a tab and an id")
            yield _Entry(name=name.rstrip(), id=int(number), line=line.number)


def _object(path: Path) -> Iterator[_Entry]:
    named = read_document(path, dict[str, _Id], "map of names to ids", most=WHOLE)
    for name, number in named.items():
        yield _Entry(name=name, id=number)


_STAT = ("entities", "relations", "times")


def read_integer_files(
    name: str, files: Mapping[Split, Path], folder: Path | None, *, ordered: bool
) -> Dataset:
    """Read files of ``head relation tail time`` ids; further columns are ignored.

    Args:
        name: name of the data set.
        files: file of each split.
        folder: folder of the optional id maps and ``stat.txt``.
        ordered: reject facts out of time order, and splits that overlap in time.

    Raises:
        InputError: a file cannot be read, or the files are inconsistent.
    """
    splits = {
        split: Quadruples.of(read_integers(path, 4, names=COLUMNS)) for split, path in files.items()
    }
    for path in files.values():
        _require_points(path)
    if not any(map(len, splits.values())):
        first = next(iter(files.values()))
        raise InputError("found no facts, expected at least one", where=f"{first}:1:1")
    maps = {
        column: read_id_map(folder, stem, steps=column == TIME) if folder else None
        for column, stem in ((HEAD, "entity2id"), (RELATION, "relation2id"), (TIME, "ts2id"))
    }
    limits = _limits(folder, maps)

    def places(split: Split, row: int, column: int) -> str:
        return cell_location(files[split], row, column)

    facts = Quadruples.joined(*splits.values())
    step = _named_step(maps[TIME], facts)
    if TIME in limits and (known := maps[TIME]) is not None:
        limits[TIME] = ((len(known.names) - 1) * step + 1, known.file)
    require_ids(splits, places, limits)
    if ordered:
        require_order(splits, places)
    return Dataset(name=name, vocabulary=_vocabulary(facts, maps, limits, step), splits=splits)


def _require_points(path: Path) -> None:
    """Reject a file whose fifth column holds ends of intervals."""
    if width(path) <= len(COLUMNS):
        return
    name, text = _content(path)
    for number, line in enumerate(_integer_lines(text), 1):
        require_points(f"{name}:{number}:1", cells=line.decode("utf-8", "replace").split())


def _limits(folder: Path | None, maps: Mapping[int, IdMap | None]) -> dict[int, tuple[int, str]]:
    """Number of ids per column, from the id maps and ``stat.txt``, which must agree."""
    limits = {
        column: (len(known.names), known.file)
        for column, known in maps.items()
        if known is not None
    }
    stat = None if folder is None else folder / STAT
    if stat is not None and stat.is_file():
        counts = _stat(stat)
        for column, what in ((HEAD, 0), (RELATION, 1), (TIME, 2)):
            count = counts[what]
            known = limits.get(column)
            if column != TIME and known is not None and known[0] != count:
                message = f"found {count} {_STAT[what]}, but {known[1]} names {known[0]}"
                raise InputError(f"{message}, expected as many", where=cell_location(stat, 0, what))
            if count and known is None:
                limits[column] = (count, stat.name)
    if HEAD in limits:
        limits[TAIL] = limits[HEAD]
    return limits


def _stat(path: Path) -> tuple[int, int, int]:
    """Numbers of entities, relations and times; times are 0 if absent."""
    rows = read_integers(path, 2, names=_STAT[:2])
    if len(rows) != 1:
        message = f"found {len(rows)} lines, expected one: {', '.join(_STAT)}"
        raise InputError(message, where=f"{path}:1:1")
    if width(path) > 2:
        rows = read_integers(path, 3, names=_STAT)
    for what, count in enumerate(rows[0]):
        if count < (what < 2):
            message = f"found {count} {_STAT[what]}, expected at least one"
            raise InputError(message, where=cell_location(path, 0, what))
    entities, relations, *times = map(int, rows[0])
    return entities, relations, times[0] if times else 0


def _named_step(times: IdMap | None, facts: Quadruples) -> int:
    """Distance of named times: the map may count days where the facts count hours."""
    if times is None or times.step > 1 or facts.time.max() < len(times.names):
        return 1 if times is None else times.step
    from solver.graph.statistics import time_step

    step = time_step(facts.time)
    fits = facts.time.min() % step == 0 and facts.time.max() // step < len(times.names)
    return step if fits else 1


def _vocabulary(
    facts: Quadruples,
    maps: Mapping[int, IdMap | None],
    limits: Mapping[int, tuple[int, str]],
    step: int,
) -> Vocabulary:
    def names(column: int) -> tuple[str, ...]:
        known = maps[column]
        # Names equal to the ids carry no information.
        plain = known is None or all(name == str(n) for n, name in enumerate(known.names))
        return () if known is None or plain else known.names

    return Vocabulary(
        entities=limits[HEAD][0]
        if HEAD in limits
        else int(max(facts.head.max(), facts.tail.max())) + 1,
        relations=limits[RELATION][0] if RELATION in limits else int(facts.relation.max()) + 1,
        times=limits[TIME][0] if TIME in limits else int(facts.time.max()) + 1,
        entity_names=names(HEAD),
        relation_names=names(RELATION),
        time_names=names(TIME),
        time_step=step,
    )
