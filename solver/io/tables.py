"""Rows of tab-separated cells with csv quoting, each cell with the column at which its text starts.

A quoted cell may contain tabs, doubled quotes and line ends. A stray opening quote must not swallow
the rows that follow: if the quoted text spans a line that is a row by itself, or the joined lines
do not form a row, only the line with the quote is reported and the next line is read on its own.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from solver.io import sources as limits
from solver.io.sources import Line, RowError

# Possessive: a long unclosed cell takes one pass and no stack.
_INSIDE = re.compile(r'(?:[^"]++|"")*+')
_HINT = "quote the whole text if it contains a quote, and double the quotes inside it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Cells of a row that begins on ``line``; ``error`` is set if some are missing.

    ``columns`` count characters from the start of the row, from 1; for a quoted cell the column
    is that of the character after the quote.
    """

    line: int
    cells: Sequence[str] = ()
    columns: Sequence[int] = ()
    error: RowError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scan:
    """Cells of a text with quotes.

    ``opened`` is the column of an unclosed quote, ``stray`` that of text after a closing quote.
    """

    cells: Sequence[str]
    columns: Sequence[int]
    opened: int | None = None
    stray: int | None = None


def rows(lines: Iterable[Line], file: str, *, widths: Collection[int]) -> Iterator[Row]:
    """Join lines into rows; a row spans several lines only if its cell count is in ``widths``."""
    return _Rows(lines, file, widths).read()


class _Rows:
    """Reads rows from lines; lines that were read too far are pushed back and read again."""

    def __init__(self, lines: Iterable[Line], file: str, widths: Collection[int]) -> None:
        self._lines = iter(lines)
        self._given_back: deque[Line] = deque()
        self._file = file
        self._widths = widths

    def read(self) -> Iterator[Row]:
        while (line := self._next()) is not None:
            if line.error is not None:
                yield Row(line=line.number, error=line.error)
            elif '"' in line.text:
                yield self._quoted(line)
            elif not line.blank:
                cells = line.text.split("\t")
                columns = list(accumulate(map(len, cells[:-1]), _after, initial=1))
                yield Row(line=line.number, cells=cells, columns=columns)

    def _next(self) -> Line | None:
        return self._given_back.popleft() if self._given_back else next(self._lines, None)

    def _quoted(self, first: Line) -> Row:
        scan = opening = _scan(first.text)
        taken = [first]
        size = len(first.text)
        while scan.opened is not None:
            line = self._next()
            if line is not None:
                taken.append(line)
                size += len(line.text) + 1
            if line is None or line.error is not None or self._too_much(taken, size, scan):
                return self._unclosed(taken, opening)
            if _quote_end(line.text, 0) < len(line.text):
                scan = _scan(_joined(taken))
        if len(taken) > 1 and (scan.stray is not None or len(scan.cells) not in self._widths):
            return self._unclosed(taken, opening)
        if scan.stray is not None:
            message = "found text after a closing quote, expected a tab"
            return self._broken(first, scan, scan.stray, message)
        return Row(line=first.number, cells=scan.cells, columns=scan.columns)

    def _too_much(self, taken: Sequence[Line], size: int, scan: _Scan) -> bool:
        """Whether a quote extends into other rows or beyond the limits."""
        alike = taken[-1].text.count("\t") + 1 in self._widths
        wide = len(scan.cells) >= max(self._widths)
        return alike or wide or size > limits.LINE_LIMIT or len(taken) > limits.ROW_LINES

    def _unclosed(self, taken: Sequence[Line], opening: _Scan) -> Row:
        """Report the first line as broken and push the others back."""
        self._given_back.extendleft(reversed(taken[1:]))
        message = "found an opening quote without a closing quote, expected a complete quoted text"
        return self._broken(taken[0], opening, opening.opened, message)

    def _broken(self, line: Line, scan: _Scan, column: int | None, message: str) -> Row:
        where = f"{self._file}:{line.number}:{column}"
        error = RowError(message, where=where, hint=_HINT)
        return Row(line=line.number, cells=scan.cells, columns=scan.columns, error=error)


def _after(column: int, length: int) -> int:
    """The column at which the next cell starts, after the tab."""
    return column + length + 1


def _joined(taken: Sequence[Line]) -> str:
    ends = [line.text + line.end for line in taken[:-1]]
    return "".join(ends) + taken[-1].text


def _quote_end(text: str, start: int) -> int:
    """End of the quoted text that continues at ``start``: its closing quote or the text's end."""
    inside = _INSIDE.match(text, start)
    return inside.end() if inside else start


def _scan(text: str) -> _Scan:
    cells: list[str] = []
    columns: list[int] = []
    at = 0
    while True:
        if text.startswith('"', at):
            end = _quote_end(text, at + 1)
            if end == len(text):
                return _Scan(cells=cells, columns=columns, opened=at + 1)
            columns.append(at + 2)
            cells.append(text[at + 1 : end].replace('""', '"'))
            end += 1
        else:
            tab = text.find("\t", at)
            end = len(text) if tab < 0 else tab
            columns.append(at + 1)
            cells.append(text[at:end])
        if end == len(text):
            return _Scan(cells=cells, columns=columns)
        if text[end] != "\t":
            return _Scan(cells=cells, columns=columns, stray=end + 1)
        at = end + 1
