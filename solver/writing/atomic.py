"""Atomic writes: a file appears complete or not at all."""

from __future__ import annotations

import io
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from solver.errors import HopcheckError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class OutputError(HopcheckError):
    """A file that cannot be written."""

    code = "output"


@contextmanager
def atomic(path: str | Path) -> Iterator[BinaryIO]:
    """Write a temporary file in the same folder and rename it when it is complete.

    A failure or an interrupt removes the temporary file and leaves the previous file unchanged.
    Special files (a pipe, ``/dev/stdout``) are written directly.

    Raises:
        OutputError: writing fails.
    """
    target = Path(path)
    with os_errors_reported(target):
        direct = target.exists() and not target.is_file()
    if direct:
        with open_output(target, "wb", target) as file:
            yield file
        return
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with open_output(temporary, "xb", target) as file:
            yield file
            flush_to_disk(file, target)
        rename(temporary, target)
    finally:
        with suppress(OSError):
            temporary.unlink()


@contextmanager
def os_errors_reported(path: Path) -> Iterator[None]:
    """Turn an ``OSError`` of writing a file into an ``OutputError``."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        hint = "check the folder, its permissions and its space"
        raise OutputError(f"cannot be written: {reason}", where=str(path), hint=hint) from error


class _OutputFile(io.FileIO):
    """A file whose own failures are ``OutputError``; those of other files pass through."""

    def __init__(self, path: Path, mode: str, target: Path) -> None:
        self._target = target
        with os_errors_reported(target):
            super().__init__(path, mode)

    def write(self, block: ReadableBuffer, /) -> int:
        with os_errors_reported(self._target):
            return super().write(block)


def open_output(path: Path, mode: str, target: Path) -> BinaryIO:
    """Open a file for writing; errors name the target.

    Raises:
        OutputError: on opening, and on any write, flush or close.
    """
    return cast(BinaryIO, io.BufferedWriter(_OutputFile(path, mode, target)))


def flush_to_disk(file: BinaryIO, target: Path) -> None:
    """Flush a file and its system buffers to disk."""
    file.flush()
    with os_errors_reported(target):
        os.fsync(file.fileno())


def rename(source: Path, target: Path) -> None:
    """Rename a finished file and sync its folder."""
    with os_errors_reported(target):
        source.replace(target)
    # Where a folder cannot be opened or synced, the rename itself is still valid.
    with suppress(OSError):
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
