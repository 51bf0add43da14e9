"""JSON and JSON Lines: sorted keys, one way of writing, so that the same values are the same bytes.

A line holds one object. Floats must be finite: JSON has no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from solver.writing.atomic import atomic, open_told, rename, settle, told

_ENCODE = msgspec.json.Encoder(order="sorted").encode


def line(value: object) -> bytes:
    """A value on one line, its end included."""
    return _ENCODE(value) + b"\n"


def write_json(path: str | Path, value: object) -> None:
    """Write one value, indented for a reader."""
    with atomic(path) as file:
        file.write(msgspec.json.format(_ENCODE(value), indent=2) + b"\n")


class JsonLines:
    """A growing file of lines; made by ``json_lines``."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.whole = 0

    def write(self, value: object) -> None:
        """Add one line."""
        self.write_lines(line(value))

    def write_lines(self, lines: bytes) -> None:
        """Add lines that ``line`` made, elsewhere perhaps."""
        self._file.write(lines)
        self.whole += len(lines)


@contextmanager
def json_lines(path: str | Path) -> Iterator[JsonLines]:
    """Write lines one by one into ``PATH.partial``, which takes its final name at the end.

    A run that does not reach its end (Ctrl-C, an error) keeps what it wrote: ``PATH.partial``
    stays, and holds whole lines only. A file that stood at ``path`` before is then left alone.
    What is no ordinary file (a pipe, ``/dev/stdout``) is written to directly.

    Raises:
        OutputError: the system refuses to write.
    """
    target = Path(path)
    with told(target):
        direct = target.exists() and not target.is_file()
    if direct:
        with open_told(target, "wb", target) as file:
            yield JsonLines(file)
        return
    partial = target.with_name(target.name + ".partial")
    with open_told(partial, "wb", partial) as file:
        lines = JsonLines(file)
        try:
            yield lines
        finally:
            # An interrupt may fall between the halves of a line.
            file.truncate(lines.whole)
            settle(file, partial)
    rename(partial, target)
