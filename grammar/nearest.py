"""Finds the phrase closest to a misspelled text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

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
