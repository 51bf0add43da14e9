"""Files that are there whole or not at all."""

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
    """Write a file under a temporary name in its own folder, and rename it when it is whole.

    A failure, an interrupt included, removes the temporary file and leaves what was there before.
    What is no ordinary file (a pipe, ``/dev/stdout``) is written to directly.

    Raises:
        OutputError: the system refuses to write.
    """
    target = Path(path)
    with told(target):
        direct = target.exists() and not target.is_file()
    if direct:
        with open_told(target, "wb", target) as file:
            yield file
        return
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with open_told(temporary, "xb", target) as file:
            yield file
            settle(file, target)
        rename(temporary, target)
    finally:
        with suppress(OSError):
            temporary.unlink()


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn what the system says about a file to write into an ``OutputError``."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        hint = "check the folder, its permissions and its space"
        raise OutputError(f"cannot be written: {reason}", where=str(path), hint=hint) from error


class _Told(io.FileIO):
    """A file whose own failures are told; those of other files pass through untouched."""

    def __init__(self, path: Path, mode: str, target: Path) -> None:
        self._target = target
        with told(target):
            super().__init__(path, mode)

    def write(self, block: ReadableBuffer, /) -> int:
        with told(self._target):
            return super().write(block)


def open_told(path: Path, mode: str, target: Path) -> BinaryIO:
    """Open a file to write; its failures name the target.

    Raises:
        OutputError: here, or from any write, flush or close.
    """
    return cast(BinaryIO, io.BufferedWriter(_Told(path, mode, target)))


def settle(file: BinaryIO, target: Path) -> None:
    """Have the system put on disk what was written so far."""
    file.flush()
    with told(target):
        os.fsync(file.fileno())


def rename(source: Path, target: Path) -> None:
    """Give a finished file its name, lastingly."""
    with told(target):
        source.replace(target)
    # Where a folder cannot be opened or synced, the rename itself still holds.
    with suppress(OSError):
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
