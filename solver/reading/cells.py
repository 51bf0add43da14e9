"""Rows of tab-separated cells with csv quoting, each cell with the column at which its text starts.

A quoted cell may hold tabs, doubled quotes and line ends. A quote that is opened by mistake must
not swallow the rows that follow: where it runs over a line that is a row of its own, or where all
the lines together do not make a row, its own line is broken and the next one is read afresh.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from solver.reading.failures import RowError
from solver.reading.lines import LINE_LIMIT, Line

ROW_LINES = 1_000
"""The most lines that one row may run over by line ends inside quotes."""

# Possessive, so that a long unclosed cell costs one pass and no stack.
_INSIDE = re.compile(r'(?:[^"]++|"")*+')
_HINT = "a text that holds a quote is quoted as a whole, and the quotes inside it are doubled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Cells of a row that begins on ``line``; ``error`` says why these are not all of them.

    ``columns`` count characters from the start of the row, from 1; for a quoted cell the column
    is that of the character after the quote.
    """

    line: int
    cells: Sequence[str] = ()
    columns: Sequence[int] = ()
    error: RowError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scan:
    """What a text with quotes holds.

    ``opened`` is the column of a quote that it leaves open, ``stray`` that of a text after a
    closing quote.
    """

    cells: Sequence[str]
    columns: Sequence[int]
    opened: int | None = None
    stray: int | None = None


def rows(lines: Iterable[Line], file: str, *, widths: Collection[int]) -> Iterator[Row]:
    """Put lines together to rows; a row runs over several lines only if it has such a width."""
    return _Rows(lines, file, widths).read()


class _Rows:
    """The lines still to be read: those given back first."""

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
        """Whether a quote has run into other rows, or too far to be looked for."""
        alike = taken[-1].text.count("\t") + 1 in self._widths
        wide = len(scan.cells) >= max(self._widths)
        return alike or wide or size > LINE_LIMIT or len(taken) > ROW_LINES

    def _unclosed(self, taken: Sequence[Line], opening: _Scan) -> Row:
        """Give back all lines but the first."""
        self._given_back.extendleft(reversed(taken[1:]))
        message = "found an opening quote without its closing one, expected a whole quoted text"
        return self._broken(taken[0], opening, opening.opened, message)

    def _broken(self, line: Line, scan: _Scan, column: int | None, message: str) -> Row:
        where = f"{self._file}:{line.number}:{column}"
        error = RowError(message, where=where, hint=_HINT)
        return Row(line=line.number, cells=scan.cells, columns=scan.columns, error=error)


def _after(column: int, length: int) -> int:
    """The column at which the next cell starts, beyond a tab."""
    return column + length + 1


def _joined(taken: Sequence[Line]) -> str:
    ends = [line.text + line.end for line in taken[:-1]]
    return "".join(ends) + taken[-1].text


def _quote_end(text: str, start: int) -> int:
    """Where quoted text that goes on from ``start`` ends: at its quote, or at the end."""
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
