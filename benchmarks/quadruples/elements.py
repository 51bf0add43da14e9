"""Elements of a fact, split into words: subject, relation, object and time."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchmarks.quadruples.romanised import romanised
from benchmarks.quadruples.words import words
from solver.errors import HopcheckError

Fact = Sequence[str]
"""Subject, relation, object and, usually, time."""
Words = tuple[str, ...]
Elements = tuple[Words, ...]
"""The words of 3 or 4 elements."""

MOST = 4
BLANK: Elements = ((), (), ())
UNREADABLE: Elements = (("\0",),) * MOST
"""Replaces an unreadable fact; matches nothing."""

_CAMEL = re.compile(r"([a-z])([A-Z])")
_SPACES = re.compile(r"[\s_]+")
_BRACKETED = re.compile(r"^(.*?)\s\(.*?\)$")
_BAR = re.compile(r"(?<!\S)\|+(?!\S)")
_SEPARATOR = " | "


class SeparatorError(HopcheckError):
    """An element contains the separator of the released script."""

    code = "separator"


def elements(fact: Fact, *, bars: bool = False) -> Elements:
    """Split a fact into the words of its elements, as the released script does.

    The fact is joined by `` | `` and split again, so an empty object merges with the following
    separator and 3 elements remain. A bracketed suffix of the last element is removed.

    Args:
        fact: 3 or 4 strings.
        bars: whether an isolated bar within an element is a separator, too.

    Raises:
        SeparatorError: there are more than 4 elements.
    """
    parts = fact if bars else [_BAR.sub(" ", part) for part in fact]
    text = _CAMEL.sub(r"\1 \2", _SEPARATOR.join(parts)).lower()
    split = romanised(_SPACES.sub(" ", text)).split(_SEPARATOR)
    if len(split) < 3:
        return BLANK
    if len(split) > MOST:
        raise SeparatorError(
            f"found {len(split)} elements in {text!r}, expected {MOST}",
            hint="a name has an isolated bar; the profile exact reads it as part of the name",
        )
    bracketed = _BRACKETED.match(split[-1])
    if bracketed:
        split[-1] = bracketed[1]
    return tuple(words(part) for part in split)
