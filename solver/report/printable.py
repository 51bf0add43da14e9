"""Replaces characters that HTML does not allow: control characters and surrogates."""

from __future__ import annotations


def printable(value: object) -> object:
    """Make a value safe to show in a template; markup is left unchanged."""
    from markupsafe import Markup

    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return "".join(map(_letter, value))


def _letter(letter: str) -> str:
    unfit = (letter < " " and letter not in "\n\t") or "\x7f" <= letter <= "\x9f"
    return "\N{REPLACEMENT CHARACTER}" if unfit or "\ud800" <= letter <= "\udfff" else letter
