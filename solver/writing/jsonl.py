"""Canonical JSON and JSON Lines: sorted keys, so that the same values give the same bytes.

Floats must be finite: JSON has no others.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from solver.writing.atomic import atomic, flush_to_disk, open_output, os_errors_reported, rename

_ENCODE = msgspec.json.Encoder(order="sorted").encode


def line(value: object) -> bytes:
    """A value as one line of JSON, with its line end."""
    return _ENCODE(value) + b"\n"


def write_json(path: str | Path, value: object) -> None:
    """Write one value, indented."""
    with atomic(path) as file:
        file.write(msgspec.json.format(_ENCODE(value), indent=2) + b"\n")


class JsonLines:
    """An open JSON Lines file; made by ``json_lines``."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.whole = 0

    def write(self, value: object) -> None:
        """Append one value as a line."""
        self.write_lines(line(value))

    def write_lines(self, lines: bytes) -> None:
        """Append lines made by ``line``, perhaps in another process."""
        self._file.write(lines)
        self.whole += len(lines)


@contextmanager
def json_lines(path: str | Path) -> Iterator[JsonLines]:
    """Write lines into ``PATH.partial``, which is renamed to ``PATH`` at the end.

    An interrupted or failed run keeps ``PATH.partial``, cut to complete lines, and leaves an
    existing ``PATH`` unchanged. Special files (a pipe, ``/dev/stdout``) are written directly.

    Raises:
        OutputError: writing fails.
    """
    target = Path(path)
    with os_errors_reported(target):
        direct = target.exists() and not target.is_file()
    if direct:
        with open_output(target, "wb", target) as file:
            yield JsonLines(file)
        return
    partial = target.with_name(target.name + ".partial")
    with open_output(partial, "wb", partial) as file:
        lines = JsonLines(file)
        try:
            yield lines
        finally:
            # An interrupt may come in the middle of a line.
            file.truncate(lines.whole)
            flush_to_disk(file, partial)
    rename(partial, target)
