"""Exit statuses and the base class of all errors shown to the user."""

from __future__ import annotations

from enum import IntEnum


class ExitStatus(IntEnum):
    """Exit status of the command line."""

    OK = 0
    VIOLATIONS = 1
    UNREADABLE = 2
    UNDECIDED = 3
    DISAGREEMENT = 4
    INTERRUPTED = 130


class HopcheckError(Exception):
    """A failure reported to the user in one line.

    Args:
        message: what was found, and what was expected instead.
        where: the location, as ``file:line:column`` or as much of it as is known.
        hint: what to do about it.
    """

    code = "error"
    exit_status = ExitStatus.UNREADABLE

    def __init__(self, message: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        """Format as ``where: message (hint)``, without empty parts."""
        place = f"{self.where}: " if self.where else ""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{place}{self.message}{hint}"


class UndecidedError(HopcheckError):
    """A solver call that did not finish within its time limit."""

    code = "undecided"
    exit_status = ExitStatus.UNDECIDED
