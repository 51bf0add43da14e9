"""What can be wrong with a file: with the whole of it, with one row, or with one field."""

from __future__ import annotations

from dataclasses import dataclass

from solver.errors import HopcheckError

_SHOWN = 40


class InputError(HopcheckError):
    """A file that cannot be read, or not beyond the place that is named."""

    code = "input"


class RowError(HopcheckError):
    """A row that cannot be read; those after it can."""

    code = "row"


class FieldError(Exception):
    """A field whose value is not what the format asks for.

    Inside this package only: a format turns it into a ``RowError`` once it knows the place.
    """

    def __init__(self, field: str, found: str, expected: str, hint: str) -> None:
        super().__init__(f"{field}: found {found}, expected {expected}")
        self.field = field
        self.hint = hint


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why a stream of bytes ends before its time; the place is not known yet."""

    message: str
    hint: str


def shown(text: str) -> str:
    """Quote a text found in a file: on one line, safe for a terminal, cut to 40 characters."""
    return repr(text) if len(text) <= _SHOWN else repr(text[:_SHOWN]) + "…"


def shown_path(path: str) -> str:
    """A path as it was given; quoted if it holds characters that cannot be printed."""
    return path if path.isprintable() else repr(path)
