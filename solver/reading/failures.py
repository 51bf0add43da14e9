"""Errors of a whole input file, of one row, and of one field."""

from __future__ import annotations

from dataclasses import dataclass

from solver.errors import HopcheckError

_SHOWN = 40


class InputError(HopcheckError):
    """A file that cannot be read, or not beyond the reported position."""

    code = "input"


class RowError(HopcheckError):
    """A row that cannot be read; reading continues with the next one."""

    code = "row"


class FieldError(Exception):
    """A field with an invalid value.

    Internal to this package: each format turns it into a ``RowError`` with the position.
    """

    def __init__(self, field: str, found: str, expected: str, hint: str) -> None:
        super().__init__(f"{field}: found {found}, expected {expected}")
        self.field = field
        self.hint = hint


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why a byte stream ended early; the position is added later."""

    message: str
    hint: str


def shown(text: str) -> str:
    """Quote text from a file: on one line, safe for a terminal, cut to 40 characters."""
    return repr(text) if len(text) <= _SHOWN else repr(text[:_SHOWN]) + "…"


def shown_path(path: str) -> str:
    """A path as the user wrote it; quoted if it contains unprintable characters."""
    return path if path.isprintable() else repr(path)
