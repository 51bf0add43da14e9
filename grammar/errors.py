"""Errors with a place and a hint, safe to print, and the exit statuses of commands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import IntEnum

_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_UNSAFE_IN_LINES = re.compile(_UNSAFE.pattern.replace("\x00-\x1f", "\x00-\x08\x0b-\x1f"))


def printable(text: str) -> str:
    r"""Escape what ends a line, moves the cursor or changes the direction of text: ``\u001b``."""
    return _UNSAFE.sub(_escape, text)


def printable_lines(text: str) -> str:
    """Escape the same characters, except tabs and line ends."""
    return _UNSAFE_IN_LINES.sub(_escape, text)


def _escape(letter: re.Match[str]) -> str:
    return f"\\u{ord(letter[0]):04x}"


class ExitStatus(IntEnum):
    """Exit status of the command line, the same for all commands."""

    OK = 0
    VIOLATIONS = 1
    UNREADABLE = 2
    UNDECIDED = 3
    DISAGREEMENT = 4
    INTERRUPTED = 130

    @property
    def meaning(self) -> str:
        """What the status means, for the help page."""
        return _MEANINGS[self]


_MEANINGS = {
    ExitStatus.OK: "all as declared",
    ExitStatus.VIOLATIONS: "violations found",
    ExitStatus.UNREADABLE: "bad usage or unreadable input",
    ExitStatus.UNDECIDED: "undecided (time-out)",
    ExitStatus.DISAGREEMENT: "engines disagree",
    ExitStatus.INTERRUPTED: "interrupted",
}


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
        """Format as ``where: message (hint)``, without empty parts, on one line."""
        place = f"{self.where}: " if self.where else ""
        hint = f" ({self.hint})" if self.hint else ""
        return printable(f"{place}{self.message}{hint}")


class UndecidedError(HopcheckError):
    """A solver call that did not finish within its time limit."""

    code = "undecided"
    exit_status = ExitStatus.UNDECIDED


_SHOWN = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """An error at a position of a text, in characters from 0."""

    position: int
    found: str
    expected: str
    hint: str = ""


class FaultError(Exception):
    """A fault found while parsing; internal to this package, as it has no location yet."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(f"found {fault.found}, expected {fault.expected}")
        self.fault = fault


class ParseError(HopcheckError):
    """A premise or a claim that cannot be parsed.

    Attributes:
        part: ``premise`` or ``claim``.
        line, column: position in that text, both from 1.
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
        """Make the error of a fault in a text."""
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
    """A text with several readings; the hint lists each in an unambiguous form."""

    code = "ambiguous"


class UnwritableError(HopcheckError):
    """An item without a text that would be parsed as the same item."""

    code = "unwritable"


def found_at(text: str, position: int) -> str:
    """Quote the text at a position, on one line and cut between words to 40 characters."""
    rest = text[position : position + 4 * _SHOWN].strip()
    if not rest:
        return "the end of the text"
    if len(rest) > _SHOWN:
        cut = rest.rfind(" ", 0, _SHOWN)
        rest = rest[: cut if cut > 0 else _SHOWN] + "…"
    return quoted(rest)


def quoted(text: str) -> str:
    """Quote a text, with unprintable characters escaped."""
    return '"' + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text) + '"'


ALIKE = 0.75
"""Minimum similarity of a text and a phrase, by ``SequenceMatcher.ratio``."""

WORDS_COMPARED = 30
"""Maximum number of words searched."""

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class NearMatch:
    """A span of a text that is similar to a phrase."""

    start: int
    end: int
    phrase: str


def nearest(
    text: str, phrases: Iterable[str], *, start: int, ends: int | None, loose: bool = False
) -> NearMatch | None:
    """Find the words that are most similar to a phrase.

    Args:
        text: a sentence.
        phrases: candidate phrases.
        start: start of the search.
        ends: where the words end, if known.
        loose: whether one word may be missing or in excess even if the end is unknown.
    """
    words = list(_WORD.finditer(text, start, len(text) if ends is None else ends))
    words = words[:WORDS_COMPARED] if ends is None else words[-WORDS_COMPARED:]
    best: NearMatch | None = None
    similarity = ALIKE
    for phrase in phrases:
        matcher = SequenceMatcher(None, "", phrase.lower(), autojunk=False)
        for first, last in _spans(
            len(words), phrase.count(" ") + 1, anchored=ends is not None, loose=loose
        ):
            place = slice(words[first].start(), words[last].end())
            matcher.set_seq1(text[place].lower())
            if matcher.real_quick_ratio() > similarity and matcher.quick_ratio() > similarity:
                ratio = matcher.ratio()
                if ratio > similarity:
                    similarity = ratio
                    best = NearMatch(start=place.start, end=place.stop, phrase=phrase)
    return best


def _spans(words: int, length: int, *, anchored: bool, loose: bool) -> Iterator[tuple[int, int]]:
    """First and last index of the words to compare with a phrase: anywhere, or at the end.

    If the end is known, one word may be missing or in excess.
    """
    lengths = (length, length - 1, length + 1) if anchored or loose else (length,)
    for n in lengths:
        if 0 < n <= words and anchored:
            yield words - n, words - 1
        elif n > 0:
            yield from ((first, first + n - 1) for first in range(words - n + 1))


def placed(part: str, text: str, fault: Fault) -> ParseError:
    """Make the error of a fault whose position does not count the text's leading whitespace."""
    blanks = len(text) - len(text.lstrip())
    fault = replace(fault, position=fault.position + blanks)
    return ParseError.of(fault, part=part, text=text)


def parser_stop(error: Exception, text: str) -> tuple[int, frozenset[str]]:
    """Where a Lark parser stopped in a text, and the terminals that it expected there.

    Args:
        error: Lark's error about an unexpected token, or about unexpected characters.
        text: the text.
    """
    token = getattr(error, "token", None)
    if token is None:
        position, expected = getattr(error, "pos_in_stream", 0), getattr(error, "allowed", None)
    else:
        position = len(text) if token.type == "$END" else token.start_pos
        expected = getattr(error, "expected", None)
    return position or 0, frozenset(expected or ())
