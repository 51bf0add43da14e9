"""Elements of a fact as they are compared: subject, relation, object and time, each its words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchmarks.quadruples.romanised import romanised
from benchmarks.quadruples.words import words
from solver.errors import HopcheckError

Fact = Sequence[str]
"""Subject, relation, object and, mostly, time."""
Words = tuple[str, ...]
Elements = tuple[Words, ...]
"""The words of 3 or 4 elements."""

MOST = 4
BLANK: Elements = ((), (), ())
UNREADABLE: Elements = (("\0",),) * MOST
"""Stands for a fact that cannot be read: nothing of it is right."""

_CAMEL = re.compile(r"([a-z])([A-Z])")
_SPACES = re.compile(r"[\s_]+")
_BRACKETED = re.compile(r"^(.*?)\s\(.*?\)$")
_BAR = re.compile(r"(?<!\S)\|+(?!\S)")
_SEPARATOR = " | "


class SeparatorError(HopcheckError):
    """An element holds the sign that the released script separates elements by."""

    code = "separator"


def elements(fact: Fact, *, bars: bool = False) -> Elements:
    """Split a fact into the words of its elements, as the released script does.

    The fact is joined by `` | `` and split again, so that an empty object falls together with the
    separator after it, and 3 elements remain. A bracket at the end of the last element is cut.

    Args:
        fact: 3 or 4 texts.
        bars: whether a bar that stands alone in an element separates, too.

    Raises:
        SeparatorError: more than 4 elements come out.
    """
    parts = fact if bars else [_BAR.sub(" ", part) for part in fact]
    text = _CAMEL.sub(r"\1 \2", _SEPARATOR.join(parts)).lower()
    split = romanised(_SPACES.sub(" ", text)).split(_SEPARATOR)
    if len(split) < 3:
        return BLANK
    if len(split) > MOST:
        raise SeparatorError(
            f"found {len(split)} elements in {text!r}, expected {MOST}",
            hint="a bar stands alone in a name; the profile exact reads it as part of the name",
        )
    bracketed = _BRACKETED.match(split[-1])
    if bracketed:
        split[-1] = bracketed[1]
    return tuple(words(part) for part in split)
