"""Reads Python literals, one example per line: ``[['Ada', 'founder', 'Ben', '2026-01-31'], ...]``.

Published quadruple-extraction data use this format. Errors in a line or a fact are returned
together with the facts that can be read.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from solver.io.sources import Line, RowError, lines, open_input, shown

PARTS = ("subject", "relation", "object", "date")
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
    if line.error is not None:
        return Example(line=line.number, errors=(line.error,))
    where = f"{file}:{line.number}"
    try:
        value = read_literal(line.text)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
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
        for one in value:
            _require_characters(one)
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
