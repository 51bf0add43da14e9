"""Text that is safe to print: no control characters, no hidden changes of direction."""

from __future__ import annotations

import re

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
