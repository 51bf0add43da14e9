"""Reads tables of integers separated by tabs or spaces, plain or gzip."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from solver.graph.model import Ids
from solver.io.sources import InputError, open_input, shown

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
    return next((len(cells) for line in _lines(_content(path)[1]) if (cells := line.split())), 0)


def cell_location(path: str | Path, row: int, column: int) -> str:
    """Location of a cell as ``file:line:column``; ``row`` and ``column`` count from 0."""
    name, text = _content(path)
    left = row
    for number, line in enumerate(_lines(text), 1):
        if not line.strip():
            continue
        if not left:
            cells = list(_CELL.finditer(line.decode("utf-8", "replace")))
            return f"{name}:{number}:{cells[column].start() + 1}"
        left -= 1
    return name


def line_numbers(path: str | Path) -> Ids:
    """Line number of each row of a table, from 1."""
    nonblank = [bool(line.strip()) for line in _lines(_content(path)[1])]
    return np.flatnonzero(nonblank) + 1


def _content(path: str | Path) -> tuple[str, bytes]:
    with open_input(path, "a file of facts") as source:
        return source.name, source.whole()


def _lines(text: bytes) -> list[bytes]:
    # Not `splitlines`, which also breaks at a lone carriage return.
    return text.split(b"\n")


def _parsed(text: bytes, columns: int) -> Ids:
    lines = [line for line in _lines(text) if line.strip()]
    if not lines:
        return np.empty((0, columns), dtype=np.int64)
    return np.loadtxt(
        lines, dtype=np.int64, usecols=range(columns), ndmin=2, comments=None, encoding="utf-8"
    )


def _refusal(text: bytes, columns: int, name: str, names: tuple[str, ...]) -> InputError:
    """Locate the malformed line."""
    expected = f"{columns} integers: {', '.join(names)}" if names else f"{columns} integers"
    for number, line in enumerate(_lines(text), 1):
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
