"""A question's text as it is parsed: what is quoted hidden, and the places of phrases known."""

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
"""Letters outside of quotes, at most."""

MOST_PHRASES = 12
"""Phrases outside of quotes, at most: each may be the one that is meant."""

_PUT_ASIDE = "\x01"
_QUOTED = re.compile(r"“((?:[^”\\]|\\.?)*+)(?:”|(\Z))", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenText:
    """A text in which each letter between quotes is ``HIDDEN``; all places stay the same."""

    text: str
    hidden: str

    @classmethod
    def of(cls, text: str) -> HiddenText:
        """Hide what is quoted.

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
        """Where phrases start and end, in the order of their starts."""
        return [found.span(1) for found in _phrases(part).finditer(self.hidden)]

    def choices(self, places: list[tuple[int, int]]) -> Iterator[str]:
        """The hidden text once for each one or two phrases, with the other ones put aside."""
        for size in (1, 2):
            for kept in combinations(places, size):
                letters = list(self.hidden)
                for start, _ in places:
                    # One that begins within a kept one is passed over anyway.
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
