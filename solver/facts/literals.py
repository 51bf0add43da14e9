"""Reads Python literals, one example per line: ``[['Ada', 'founder', 'Ben', '2026-01-31'], ...]``.

Published quadruple-extraction data use this format, plain or gzip. ``read_literals`` returns the
valid facts of each line and its errors. ``read_references`` and ``read_predictions`` keep every
line, for comparisons line by line, and report whether the released script for scores drops it.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from solver.io.sources import (
    InputError,
    Line,
    RowError,
    lines,
    open_input,
    shown,
    shown_path,
)

PARTS = ("subject", "relation", "object", "date")
_LEAST = 3
_SHAPE = "a list of [subject, relation, object, date]"
_MESSAGES = 20
_HINT = "a line holds a list of lists: [['subject', 'relation', 'object', '2026-01-31'], ...]"


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedFact:
    """A fact as written; names and date are not validated."""

    subject: str
    relation: str
    object: str
    date: str

    def __str__(self) -> str:
        """Format as ``(Ada, endSpouse, Ben, 2026-01-31)``."""
        return f"({self.subject}, {self.relation}, {self.object}, {self.date})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A non-blank line.

    Attributes:
        line: line number, from 1.
        facts: valid facts, in order.
        errors: errors of the line or of single facts.
    """

    line: int
    facts: tuple[StatedFact, ...] = ()
    errors: tuple[RowError, ...] = ()


def read_literals(path: str | Path) -> Iterator[Example]:
    """Read the examples of a file, plain or gzip, or of standard input for ``-``.

    Raises:
        InputError: the file cannot be read completely.
    """
    with open_input(path, "facts as Python literals") as source:
        for line in lines(source):
            if not line.blank:
                yield _example(line, source.name)


def _example(line: Line, file: str) -> Example:
    where = f"{file}:{line.number}"
    try:
        value = _values(line)
    except RowError as error:
        return Example(line=line.number, errors=(error,))
    except _NoLiteralError:
        message = f"found {shown(line.text.strip())}, expected a Python literal"
        return Example(line=line.number, errors=(RowError(message, where=where, hint=_HINT),))
    if not isinstance(value, list | tuple):
        message = f"found {_kind(value)}, expected a list of facts"
        return Example(line=line.number, errors=(RowError(message, where=where, hint=_HINT),))
    facts, errors = [], []
    for number, parts in enumerate(value, start=1):
        wrong = _wrong(parts)
        if wrong:
            message = f"fact {number} of the line: found {wrong}"
            errors.append(RowError(message, where=where, hint=_HINT))
        else:
            facts.append(StatedFact(**dict(zip(PARTS, parts, strict=True))))
    return Example(line=line.number, facts=tuple(facts), errors=tuple(errors))


class _NoLiteralError(Exception):
    """A line that is no literal; the reason and its column from 1, as far as they are known."""

    def __init__(self, reason: str = "", column: int = 1) -> None:
        super().__init__(reason)
        self.reason, self.column = reason, column


def _values(line: Line) -> object:
    """The value of a line.

    Raises:
        RowError: the line is no text.
        _NoLiteralError: it is no literal.
    """
    if line.error is not None:
        raise line.error
    text = line.text.strip()
    try:
        return read_literal(text)
    except SyntaxError as error:
        column = (error.offset or 1) + len(line.text) - len(line.text.lstrip())
        raise _NoLiteralError(f" ({error.msg})", column) from None
    except (ValueError, TypeError, MemoryError, RecursionError):
        raise _NoLiteralError from None


def read_literal(text: str) -> object:
    """Evaluate a Python literal without warnings.

    Raises:
        SyntaxError: the text is not Python.
        ValueError: it is not a literal, or a text in it has no encoding in UTF-8.
    """
    with warnings.catch_warnings():
        # Python warns about stray backslashes, which are valid in names.
        warnings.simplefilter("ignore")
        value: object = ast.literal_eval(text)
    if "\\" in text:
        _require_characters(value)
    return value


def _require_characters(value: object) -> None:
    """Refuse lone surrogates, which only escapes can write."""
    if isinstance(value, str):
        value.encode()
    elif isinstance(value, list | tuple | set):
        for part in value:
            _require_characters(part)
    elif isinstance(value, dict):
        _require_characters([*value, *value.values()])


def _wrong(parts: object) -> str:
    """Error message for a fact; empty if it is a list of four strings."""
    if not isinstance(parts, list | tuple):
        return f"{_kind(parts)}, expected a list of {', '.join(PARTS)}"
    if len(parts) != len(PARTS):
        return f"{len(parts)} parts, expected {len(PARTS)}: {', '.join(PARTS)}"
    for name, part in zip(PARTS, parts, strict=True):
        if not isinstance(part, str):
            return f"{_kind(part)} for the {name}, expected a text"
    return ""


def _kind(value: object) -> str:
    return f"{type(value).__name__} {shown(repr(value))}"


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
            for other_line in (*blank, line):
                yield _row(source.name, other_line)
            blank.clear()


def _row(file: str, line: Line) -> Row:
    try:
        value = _values(line)
    except RowError as error:
        return Row(number=line.number, facts=(), faults=(error,), dropped=True)
    except _NoLiteralError as error:
        return _unread(file, line, f"not a Python literal{error.reason}", error.column)
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
        return None, f"found {shown(repr(value))}, expected {len(PARTS)} strings", True
    fact = ["" if part is None else part for part in value]
    # The released script assigns into the fact, which fails for a tuple.
    lost = isinstance(value, tuple) and None in value
    wrong = next((part for part in fact if not _is_text(part)), None)
    if wrong is not None:
        return None, f"found {shown(repr(wrong))}, expected a string", True
    if not _LEAST <= len(fact) <= len(PARTS):
        return None, f"found {len(fact)} elements, expected {len(PARTS)}", True
    if len(fact) == _LEAST:
        return tuple(fact), f"found {_LEAST} elements, expected {len(PARTS)}", lost
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
