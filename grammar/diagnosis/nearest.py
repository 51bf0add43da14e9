"""The phrase that a text may have meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

ALIKE = 0.75
"""How alike a text and a phrase are at least, as ``SequenceMatcher.ratio`` counts."""

WORDS_COMPARED = 30
"""Words that are looked at, from the first on."""

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """A place of a text that is much like a phrase."""

    start: int
    end: int
    phrase: str


def nearest(
    text: str, phrases: Iterable[str], *, start: int, ends: int | None, loose: bool = False
) -> Near | None:
    """Find the words that are most like a phrase.

    Args:
        text: a sentence.
        phrases: what they may be.
        start: where to look from.
        ends: where the words end, if that is known.
        loose: whether a word may be missing or in excess though their end is not known.
    """
    words = list(_WORD.finditer(text, start, len(text) if ends is None else ends))
    words = words[:WORDS_COMPARED] if ends is None else words[-WORDS_COMPARED:]
    best: Near | None = None
    likeness = ALIKE
    for phrase in phrases:
        matcher = SequenceMatcher(None, "", phrase.lower(), autojunk=False)
        for first, last in _spans(
            len(words), phrase.count(" ") + 1, anchored=ends is not None, loose=loose
        ):
            place = slice(words[first].start(), words[last].end())
            matcher.set_seq1(text[place].lower())
            if matcher.real_quick_ratio() > likeness and matcher.quick_ratio() > likeness:
                ratio = matcher.ratio()
                if ratio > likeness:
                    likeness = ratio
                    best = Near(start=place.start, end=place.stop, phrase=phrase)
    return best


def _spans(words: int, length: int, *, anchored: bool, loose: bool) -> Iterator[tuple[int, int]]:
    """First and last of the words to compare with a phrase: anywhere, or the last ones.

    At a known end a word may be missing or in excess.
    """
    lengths = (length, length - 1, length + 1) if anchored or loose else (length,)
    for n in lengths:
        if 0 < n <= words and anchored:
            yield words - n, words - 1
        elif n > 0:
            yield from ((first, first + n - 1) for first in range(words - n + 1))
