"""Reads id maps: one ``name<TAB>id`` per line, or one JSON object."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec

from solver.reading.failures import InputError, shown
from solver.reading.lines import lines
from solver.reading.source import open_input

_BYTE = re.compile(r" \(byte (\d+)\)$")
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
    return IdMap(file=path.name, names=tuple(ids[one].name for one in ordered), step=step)


def _refused(path: Path, entry: _Entry, found: str, expected: str) -> InputError:
    line, column = entry.line, 1
    if not line:
        text = path.read_bytes()
        line, column = _line_and_column(text, text.find(msgspec.json.encode(entry.name)))
    return InputError(f"found {found}, expected {expected}", where=f"{path}:{line}:{column}")


def _lines(path: Path) -> Iterator[_Entry]:
    with open_input(path, "names with ids") as source:
        for line in lines(source):
            if line.error is not None:
                raise InputError(line.error.message, where=line.error.where, hint=line.error.hint)
            counted = line.number == 1 and line.text.rstrip().isdecimal()
            if line.blank or counted:
                continue
            text = line.text.rstrip()
            name, _, number = text.rpartition("\t" if "\t" in text else " ")
            if not _ID.fullmatch(number.strip()):
                where = f"{source.name}:{line.number}:{len(text) - len(number) + 1}"
                message = f"found {shown(number)}, expected an id, a whole number from 0"
                raise InputError(message, where=where, hint="a line holds a name, a tab and an id")
            yield _Entry(name=name.rstrip(), id=int(number), line=line.number)


def _object(path: Path) -> Iterator[_Entry]:
    with open_input(path, "names with ids") as source:
        text = source.whole()
    try:
        ids = msgspec.json.decode(text, type=dict[str, _Id])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        reason = str(error) or "too deeply nested"
        byte = _BYTE.search(reason)
        line, column = _line_and_column(text, int(byte[1]) if byte else 0)
        reason = reason[: byte.start()] if byte else reason
        message = f"found broken JSON ({reason}), expected one object of names and ids"
        raise InputError(message, where=f"{source.name}:{line}:{column}") from None
    for name, number in ids.items():
        yield _Entry(name=name, id=number)


def _line_and_column(text: bytes, at: int) -> tuple[int, int]:
    at = max(at, 0)
    begin = text.rfind(b"\n", 0, at) + 1
    return text.count(b"\n", 0, at) + 1, len(text[begin:at].decode(errors="replace")) + 1
