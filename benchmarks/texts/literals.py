"""Reads facts, one Python literal per line: ``[['Ann', 'startMemberOf', 'Choir', '2026-01-31']]``.

Plain or gzip. Lines are numbered from 1; trailing blank lines are ignored.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from solver.facts.literals import read_literal
from solver.io.sources import InputError, Line, RowError, lines, open_input, shown, shown_path

MOST = 4
LEAST = 3
_SHAPE = "a list of [subject, relation, object, date]"
_MESSAGES = 20


class FactsError(InputError):
    """The references have faults; lists them with their positions."""

    code = "facts"

    def __init__(self, faults: tuple[RowError, ...], path: str) -> None:
        self._faults = faults
        noun = "fault" if len(faults) == 1 else "faults"
        message = f"{len(faults):,} {noun} in the references, expected {_SHAPE} per line"
        super().__init__(f"{message}:", where=shown_path(path))

    def __str__(self) -> str:
        """Format with the first faults, each on a line of its own."""
        more = len(self._faults) - _MESSAGES
        rest = (f"{more:,} more",) if more > 0 else ()
        return "\n".join((super().__str__(), *map(str, self._faults[:_MESSAGES]), *rest))


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of facts.

    Attributes:
        facts: 3 or 4 strings each, 3 if the date is missing; None for an unusable fact. Empty if
            the line is unreadable.
        faults: its faults.
        dropped: whether the released script would skip the whole line.
    """

    number: int
    facts: tuple[tuple[str, ...] | None, ...]
    faults: tuple[RowError, ...] = ()
    dropped: bool = False

    @property
    def broken(self) -> bool:
        """Whether the line is not a list of facts."""
        return bool(self.faults) and not self.facts


def read_references(path: str) -> tuple[Row, ...]:
    """Read references.

    Raises:
        InputError: the file cannot be read.
        FactsError: a line is no literal, or a fact does not have 4 strings with a valid date.
    """
    rows = read_predictions(path)
    faults = [fault for row in rows for fault in row.faults]
    if faults:
        raise FactsError(tuple(faults), path)
    if not rows:
        raise InputError(f"no line, expected {_SHAPE} per line", where=shown_path(path))
    return rows


def read_predictions(path: str) -> tuple[Row, ...]:
    """Read predictions; faults are recorded with their lines.

    Raises:
        InputError: the file cannot be read.
    """
    return tuple(_rows(path))


def _rows(path: str) -> Iterator[Row]:
    blank: list[Line] = []
    with open_input(path, "facts as Python literals") as source:
        for line in lines(source):
            if line.blank:
                blank.append(line)
                continue
            for one in (*blank, line):
                yield _row(source.name, one)
            blank.clear()


def _row(file: str, line: Line) -> Row:
    if line.error is not None:
        return Row(number=line.number, facts=(), faults=(line.error,), dropped=True)
    try:
        value = read_literal(line.text.strip())
    except SyntaxError as error:
        column = (error.offset or 1) + len(line.text) - len(line.text.lstrip())
        return _unread(file, line, f"not a Python literal ({error.msg})", column)
    except (ValueError, TypeError, MemoryError, RecursionError):
        return _unread(file, line, "not a Python literal", 1)
    if not isinstance(value, list | tuple):
        return _unread(file, line, f"found {shown(line.text.strip())}", 1)
    return _checked(file, line.number, list(value), _Columns(line.text))


def _unread(file: str, line: Line, message: str, column: int) -> Row:
    fault = _fault(file, line.number, f"{message}, expected {_SHAPE}", column)
    return Row(number=line.number, facts=(), faults=(fault,), dropped=True)


def _checked(file: str, number: int, values: list[object], text: _Columns) -> Row:
    facts: list[tuple[str, ...] | None] = []
    faults: list[RowError] = []
    dropped = False
    for place, value in enumerate(values, 1):
        fact, message, lost = _fact(value)
        facts.append(fact)
        dropped |= lost
        if message:
            faults.append(_fault(file, number, f"fact {place}: {message}", text.of(place)))
    return Row(number=number, facts=tuple(facts), faults=tuple(faults), dropped=dropped)


def _fact(value: object) -> tuple[tuple[str, ...] | None, str, bool]:
    """A fact, its fault, and whether the released script drops its line."""
    if not isinstance(value, list | tuple):
        return None, f"found {shown(repr(value))}, expected {MOST} strings", True
    fact = ["" if part is None else part for part in value]
    # The released script assigns into the fact, which fails for a tuple.
    lost = isinstance(value, tuple) and None in value
    wrong = next((part for part in fact if not _is_text(part)), None)
    if wrong is not None:
        return None, f"found {shown(repr(wrong))}, expected a string", True
    if not LEAST <= len(fact) <= MOST:
        return None, f"found {len(fact)} elements, expected {MOST}", True
    if len(fact) == LEAST:
        return tuple(fact), f"found {LEAST} elements, expected {MOST}", lost
    if not _is_date(fact[-1]):
        message = f"found {shown(fact[-1])}, expected a valid date, YYYY-MM-DD"
        return tuple(fact), message, lost
    return tuple(fact), "", lost


def _is_text(part: object) -> bool:
    """Whether it is a string that can be encoded: a lone surrogate cannot."""
    return isinstance(part, str) and part.encode(errors="ignore").decode() == part


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class _Columns:
    """Columns of the facts of a line, computed only for error messages."""

    text: str

    def of(self, place: int) -> int:
        """The start column of a fact, from 1."""
        tree = ast.parse(self.text.strip(), mode="eval").body
        parts = tree.elts if isinstance(tree, ast.List | ast.Tuple) else []
        indent = len(self.text) - len(self.text.lstrip())
        before = self.text.strip().encode()[: parts[place - 1].col_offset]
        return indent + len(before.decode()) + 1


def _fault(file: str, number: int, message: str, column: int = 1) -> RowError:
    return RowError(message, where=f"{shown_path(file)}:{number}:{column}")
