"""What can be wrong with a text, and with an item that is to become one."""

from __future__ import annotations

from dataclasses import dataclass

from solver.errors import HopcheckError

_SHOWN = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is wrong at a position of a text, which counts characters from 0."""

    position: int
    found: str
    expected: str
    hint: str = ""


class FaultError(Exception):
    """A fault met while a text is parsed; inside this package only, as it knows no place."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(f"found {fault.found}, expected {fault.expected}")
        self.fault = fault


class ParseError(HopcheckError):
    """A premise or a claim that is none.

    Attributes:
        part: ``premise`` or ``claim``.
        line, column: where in that text, both counted from 1.
        found, expected: in words, as ``the end of the text`` and ``a name``.
    """

    code = "parse"

    def __init__(
        self,
        message: str,
        *,
        part: str = "",
        line: int = 1,
        column: int = 1,
        found: str = "",
        expected: str = "",
        hint: str = "",
    ) -> None:
        super().__init__(message, where=f"{part}:{line}:{column}", hint=hint)
        self.part = part
        self.line = line
        self.column = column
        self.found = found
        self.expected = expected

    @classmethod
    def of(cls, fault: Fault, *, part: str, text: str) -> ParseError:
        """The error that a fault of a text makes."""
        before = text[: fault.position]
        return cls(
            f"found {fault.found}, expected {fault.expected}",
            part=part,
            line=before.count("\n") + 1,
            column=len(before) - before.rfind("\n"),
            found=fault.found,
            expected=fault.expected,
            hint=fault.hint,
        )


class AmbiguousError(ParseError):
    """A text that can be read in more than one way; the hint has them all, each put clearly."""

    code = "ambiguous"


class UnwritableError(HopcheckError):
    """An item that no text says, or none that would be read back as this item."""

    code = "unwritable"


def found_at(text: str, position: int) -> str:
    """Quote what stands at a position, on one line and cut at a word after 40 characters."""
    rest = text[position : position + 4 * _SHOWN].strip()
    if not rest:
        return "the end of the text"
    if len(rest) > _SHOWN:
        cut = rest.rfind(" ", 0, _SHOWN)
        rest = rest[: cut if cut > 0 else _SHOWN] + "…"
    return quoted(rest)


def quoted(text: str) -> str:
    """Put a text between quotes, with what cannot be printed escaped."""
    return '"' + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text) + '"'
