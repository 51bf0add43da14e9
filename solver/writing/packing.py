"""Files that are compressed if their name ends in ``.gz``."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from solver.writing.atomic import atomic


@contextmanager
def packed(path: str | Path) -> Iterator[BinaryIO]:
    """Write a file atomically, as gzip if its name ends in ``.gz``.

    Raises:
        OutputError: writing fails.
    """
    with atomic(path) as file:
        if Path(path).suffix != ".gz":
            yield file
            return
        # Neither name nor time: the same values give the same bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as pressed:
            yield cast(BinaryIO, pressed)
