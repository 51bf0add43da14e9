"""Tables of integers, separated by tabs or spaces: quadruples, ranks, counts. Plain or gzip."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from solver.reading.failures import InputError, shown
from solver.reading.source import opened
from solver.tkg.quadruples import Ids


def read_integers(path: str | Path, columns: int, *, names: tuple[str, ...] = ()) -> Ids:
    """Read the first columns of a table; further columns are not looked at.

    Args:
        path: the file; ``-`` is standard input.
        columns: how many every line must have at least.
        names: of the columns, for messages.

    Returns:
        Shape (lines, columns); empty lines are left out.

    Raises:
        InputError: the file cannot be read, or a line is not so many integers.
    """
    with opened(path) as source:
        text = source.stream.read()
        if source.fault is not None:
            raise InputError(source.fault.message, where=source.name, hint=source.fault.hint)
        try:
            return _parsed(text, columns)
        except ValueError:
            raise _refusal(text, columns, source.name, names) from None


def _parsed(text: bytes, columns: int) -> Ids:
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return np.empty((0, columns), dtype=np.int64)
    return np.loadtxt(
        lines, dtype=np.int64, usecols=range(columns), ndmin=2, comments=None, encoding="utf-8"
    )


def _refusal(text: bytes, columns: int, name: str, names: tuple[str, ...]) -> InputError:
    """Find the line that is at fault, once it is known that there is one."""
    expected = f"{columns} integers: {', '.join(names)}" if names else f"{columns} integers"
    for number, line in enumerate(text.decode("utf-8", "replace").splitlines(), 1):
        cells = line.split()
        if line.strip() and len(cells) < columns:
            message = f"found {len(cells)} columns, expected {expected}"
            return InputError(message, where=f"{name}:{number}:1")
        for place, cell in enumerate(cells[:columns]):
            if not cell.removeprefix("-").isdecimal():
                column = len("\t".join(cells[:place])) + 2 if place else 1
                message = f"found {shown(cell)}, expected {names[place] if names else 'an integer'}"
                hint = f"a line holds {expected}"
                return InputError(message, where=f"{name}:{number}:{column}", hint=hint)
    return InputError(f"found a number that is too large, expected {expected}", where=name)
