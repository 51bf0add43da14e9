"""Sorts more rows than fit in memory, by sorted parts in temporary files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from heapq import merge
from pathlib import Path
from types import TracebackType

from solver.io.writing import os_errors_reported

AT_ONCE = 200_000
"""Rows that are sorted in memory."""


class ExternalSort:
    """Rows of cells, ascending and without repetitions once all are added.

    A cell has no tab, line end or NUL. The temporary files are deleted on exit.

    Args:
        folder: folder of the temporary files.
        name: what their names begin with.
        at_once: number of rows that are sorted in memory.
    """

    def __init__(self, folder: Path, name: str, *, at_once: int = AT_ONCE) -> None:
        self._folder, self._name, self._at_once = folder, name, at_once
        self._rows: list[tuple[str, ...]] = []
        self._parts: list[Path] = []

    def __enter__(self) -> ExternalSort:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for part in self._parts:
            part.unlink(missing_ok=True)

    def add(self, *cells: str) -> None:
        """Add a row.

        Raises:
            OutputError: a temporary file cannot be written.
        """
        self._rows.append(cells)
        if len(self._rows) >= self._at_once:
            self._spill()

    def _spill(self) -> None:
        path = self._folder / f".{self._name}-{len(self._parts):05d}"
        rows = sorted(set(self._rows))
        self._parts.append(path)
        with os_errors_reported(path), path.open("wb") as file:
            file.writelines("\t".join(row).encode() + b"\n" for row in rows)
        self._rows.clear()

    def rows(self) -> Iterator[tuple[str, ...]]:
        """All rows, in order."""
        with ExitStack() as opened:
            sources: list[Iterator[tuple[str, ...]]] = [iter(sorted(set(self._rows)))]
            for part in self._parts:
                with os_errors_reported(part):
                    file = opened.enter_context(part.open("rb"))
                sources.append(tuple(line[:-1].decode().split("\t")) for line in file)
            last: tuple[str, ...] | None = None
            for row in merge(*sources):
                if row != last:
                    yield row
                last = row
