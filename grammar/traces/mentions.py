"""Mentions of the events of an item: a closed vocabulary, replaced by placeholders.

A name is found as it is written, with blanks or underscores between its words. So are its
initials (``KF`` of *Kite Fair*), if no other event of the item has them, and abbreviations that a
text defines: ``Let K = Kite Fair``, ``Kite Fair (K)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from grammar.traces.wording import FIRST_EVENT, MOST_EVENTS

_EDGE = r"(?<![^\W_])"
_DOTTED = re.compile(r"\w\.\w")
_LET = re.compile(r"\b(?:[Ll]et|[Cc]all|[Ww]rite|[Dd]enote|[Aa]bbreviate|[Uu]se)\b[^.;\n]*")
_DEFINED = re.compile(
    r"(?<!\w)([A-Z][A-Za-z]?\d?) (?:=|:=|be|denotes?|for|stands? for|:) ([\ue000-\ue0ff])"
)
_DEFINED_AFTER = re.compile(
    r"([\ue000-\ue0ff]) (?:as|by) ([A-Z][A-Za-z]?\d?)(?!\w)"
    r"|([\ue000-\ue0ff]) \(([A-Z][A-Za-z]{0,3}\d?)\)"
)


class Mentions:
    """Finds the events of an item in a text.

    Args:
        names: the events, in the order of their numbers.
        logical: whether names may be followed by the digit of a point.
    """

    def __init__(self, names: Sequence[str], *, logical: bool = False) -> None:
        forms: dict[str, int] = {}
        for number, name in enumerate(names[:MOST_EVENTS]):
            forms.setdefault(_folded(name), number)
        for initials, number in _initials(names).items():
            forms.setdefault(initials, number)
        # Longer forms first; initials are capitals, a name may be written with other ones.
        ranked = sorted((-len(form), form, number) for form, number in forms.items() if form)
        self._forms = tuple(
            (form, True, number) if form.isupper() else (form.lower(), False, number)
            for _, form, number in ranked
        )
        self._follows = str.isalpha if logical else str.isalnum
        # In code, initials are small: "kf.end", "kf_end", "end(kf)", "end_kf".
        self._coded = {
            form.lower(): number
            for form, number in forms.items()
            if form.isupper() and form.lower() not in forms
        }

    def replaced(self, text: str) -> str:
        """A text with a placeholder for each mention."""
        if not self._forms:
            return text
        if "\u2019" in text:
            text = text.replace("\u2019", "'")
        found = self._spans(text)
        if "_" in text or "(" in text or _DOTTED.search(text) is not None:
            found += self._in_code(text)
        spans = sorted(found)
        parts: list[str] = []
        done = 0
        for begin, end, number in spans:
            parts += text[done:begin], chr(FIRST_EVENT + number)
            done = end
        text = "".join((*parts, text[done:]))
        defined = self._defined(text)
        return text if not defined else _replaced(text, defined)

    def _in_code(self, text: str) -> Iterator[tuple[int, int, int]]:
        """The begin, end and number of each mention by small initials."""
        for form, number in self._coded.items():
            place = text.find(form)
            while place >= 0:
                end = place + len(form)
                before, after = text[max(place - 2, 0) : place], text[end : end + 2]
                dotted = (
                    after[:1] in (".", "_") and after[1:].isalpha() and not before[-1:].isalnum()
                )
                called = before[-1:] in ("(", "_") and before[:1].isalpha()
                if (dotted and before[-1:] != ".") or (called and not after[:1].isalnum()):
                    yield place, end, number
                place = text.find(form, end)

    def _spans(self, text: str) -> list[tuple[int, int, int]]:
        """The begin, end and number of each mention; to compile a pattern would take longer."""
        text = text.replace("_", " ").replace("\n", " ")
        low = text.lower()
        if len(low) != len(text):
            low = text
        found: list[tuple[int, int, int]] = []
        size = len(text)
        taken = bytearray(size)
        for form, capital, number in self._forms:
            place, width = 0, len(form)
            while (place := (text if capital else low).find(form, place)) >= 0:
                end = place + width
                inside = place > 0 and text[place - 1].isalnum()
                # A longer form may have been found in the same place.
                if (
                    taken[place]
                    or taken[end - 1]
                    or inside
                    or (end < size and self._follows(text[end]))
                ):
                    place += 1
                else:
                    found.append((place, end, number))
                    taken[place:end] = b"\x01" * width
                    place = end
        return found

    def _defined(self, text: str) -> dict[str, str]:
        """The abbreviations that a text defines, and the placeholder of each."""
        found: dict[str, str] = {}
        for part in (
            _LET.finditer(text) if "et " in text or "all " in text or "enote" in text else ()
        ):
            for short, event in _DEFINED.findall(part[0]):
                found.setdefault(short, event)
            for event, short, _, _ in _DEFINED_AFTER.findall(part[0]):
                if short:
                    found.setdefault(short, event)
        if "(" in text:
            for _, _, event, short in _DEFINED_AFTER.findall(text):
                if short:
                    found.setdefault(short, event)
        return found


def _replaced(text: str, defined: Mapping[str, str]) -> str:
    """A text with its abbreviations replaced, and without their definitions."""
    text = _LET.sub(
        lambda part: _DEFINED.sub(r"\2", part[0]) if _DEFINED.search(part[0]) else part[0], text
    )
    shorts = "|".join(map(re.escape, sorted(defined, key=len, reverse=True)))
    text = re.sub(rf"([\ue000-\ue0ff]) \((?:{shorts})\)", r"\1", text)
    pattern = re.compile(rf"{_EDGE}(?:{shorts})(?![A-Za-z])")
    return pattern.sub(lambda found: defined[found[0]], text)


def _folded(name: str) -> str:
    return " ".join(name.replace("’", "'").replace("_", " ").split())


def _initials(names: Sequence[str]) -> dict[str, int]:
    """The initials of names of several words, where only one event of the item has them."""
    found: dict[str, set[int]] = {}
    for number, name in enumerate(names[:MOST_EVENTS]):
        for letters in _letters(name):
            found.setdefault(letters, set()).add(number)
    return {letters: numbers.pop() for letters, numbers in found.items() if len(numbers) == 1}


@lru_cache(1 << 14)
def _letters(name: str) -> frozenset[str]:
    """The initials of a name of several words: of its capitals, and of all of its words."""
    words = re.findall(r"[^\W\d_][\w'’]*", name)
    if len(words) < 2:
        return frozenset()
    capitals = "".join(word[0] for word in words if word[0].isupper())
    every = "".join(word[0] for word in words).upper()
    return frozenset(letters for letters in (capitals, every) if len(letters) > 1)
