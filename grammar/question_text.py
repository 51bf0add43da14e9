"""Preprocesses the text of a question: hides quoted names and locates phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from grammar.errors import Fault, FaultError, found_at, quoted
from grammar.question_parser import HIDDEN, QUESTION, phrase_pattern
from grammar.question_phrases import Form

LONGEST = 2_000
"""Maximal number of characters outside of quotes."""

MOST_PHRASES = 12
"""Maximal number of phrases outside of quotes, all of which the reader tries."""

_PUT_ASIDE = "\x01"
_QUOTED = re.compile(r"“((?:[^”\\]|\\.?)*+)(?:”|(\Z))", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenText:
    """A text with each character within quotes replaced by ``HIDDEN``; positions are kept."""

    text: str
    hidden: str

    @classmethod
    def of(cls, text: str) -> HiddenText:
        """Hide quoted names.

        Raises:
            FaultError: the text is too long, on several lines, or a quote has no end.
        """
        if not text.isprintable():
            place = next(place for place, letter in enumerate(text) if not letter.isprintable())
            found = quoted(text[place])
            expected = "a text on one line, with what cannot be printed quoted and escaped"
            raise FaultError(Fault(position=place, found=found, expected=expected))
        hidden = _QUOTED.sub(_hide, text) if "“" in text else text
        bare = len(hidden) - hidden.count(HIDDEN)
        if bare > LONGEST:
            found = f"{bare:,} letters outside of quotes"
            raise FaultError(Fault(position=0, found=found, expected=f"at most {LONGEST:,}"))
        return cls(text=text, hidden=hidden)

    def phrases(self, part: str) -> list[tuple[int, int]]:
        """Start and end positions of phrases, by start."""
        return [found.span(1) for found in _phrases(part).finditer(self.hidden)]

    def choices(self, places: list[tuple[int, int]]) -> Iterator[str]:
        """Variants of the hidden text, each with one or two phrases kept, the others masked."""
        for size in (1, 2):
            for kept in combinations(places, size):
                letters = list(self.hidden)
                for start, _ in places:
                    # A phrase that starts within a kept one is skipped anyway.
                    if not any(first <= start < last for first, last in kept):
                        letters[start] = _PUT_ASIDE
                yield "".join(letters)


@cache
def _phrases(part: str) -> re.Pattern[str]:
    forms = (Form.BASE, Form.PRESENT) if part == QUESTION else (Form.PAST,)
    return re.compile(f"(?<= )(?=({phrase_pattern(*forms)})[ ,?.])")


def _hide(found: re.Match[str]) -> str:
    if found[2] is not None:
        found_text = found_at(found.string, found.start())
        expected = "an end of this quoted name, ”"
        raise FaultError(Fault(position=found.start(), found=found_text, expected=expected))
    return f"“{HIDDEN * len(found[1])}”"
