"""Files that are packed if their name says so."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from solver.writing.atomic import atomic


@contextmanager
def packed(path: str | Path) -> Iterator[BinaryIO]:
    """Write a file whole or not at all, as gzip if its name ends in ``.gz``.

    Raises:
        OutputError: the system refuses to write.
    """
    with atomic(path) as file:
        if Path(path).suffix != ".gz":
            yield file
            return
        # Neither name nor time: the same values are the same bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as pressed:
            yield cast(BinaryIO, pressed)
