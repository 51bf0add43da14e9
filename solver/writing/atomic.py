"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from solver.errors import HopcheckError


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
        if target.exists() and not target.is_file():
            with target.open("wb") as file:
                yield file
            return
        temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
        try:
            with temporary.open("xb") as file:
                yield file
                settle(file)
            rename(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn what the system says about a file to write into an ``OutputError``."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        where, hint = str(path), "check the folder, its permissions and its space"
        raise OutputError(f"cannot be written: {reason}", where=where, hint=hint) from error


def settle(file: BinaryIO) -> None:
    """Have the system put on disk what was written so far."""
    file.flush()
    os.fsync(file.fileno())


def rename(source: Path, target: Path) -> None:
    """Give a finished file its name, lastingly."""
    source.replace(target)
    # Where a folder cannot be opened or synced, the rename itself still holds.
    with suppress(OSError):
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
