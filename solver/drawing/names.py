"""Event names for drawings: of bounded length, without characters that break SVG."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable

ELLIPSIS = "…"
_ISOLATE, _POP = "\u2068", "\u2069"
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_SPACE = frozenset({"Zs", "Zl", "Zp", "Cc"})
_NOT_XML = frozenset("\ufffe\uffff")
_DIRECTION_MARKS = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


def legible(name: str) -> str:
    """Replace characters that XML forbids or that change the direction of the text around."""
    kept = "".join(_fit(letter) for letter in name if letter not in _DIRECTION_MARKS)
    return " ".join(kept.split()) or "\N{REPLACEMENT CHARACTER}"


def _fit(letter: str) -> str:
    category = unicodedata.category(letter)
    if category in _SPACE:
        return " "
    unfit = category == "Cs" or letter in _NOT_XML
    return "\N{REPLACEMENT CHARACTER}" if unfit else letter


def width(text: str) -> float:
    """Estimate the width of a text in units of an average Latin letter."""
    return sum(_letter_width(letter) for letter in text)


def _letter_width(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.9
    return 1.25 if letter.isupper() else 1.0


def shorten(text: str, limit: float) -> str:
    """Cut a text in the middle so that its estimated width stays within a limit."""
    if width(text) <= limit:
        return text
    budget = max(limit - 1.0, 2.0)
    head, tail = "", ""
    for letter in text:
        if width(head + letter) > budget * 0.6:
            break
        head += letter
    for letter in reversed(text):
        if width(letter + tail) > budget - width(head):
            break
        tail = letter + tail
    return f"{head.rstrip()}{ELLIPSIS}{tail.lstrip()}"


def isolate(text: str) -> str:
    """Add Unicode isolates to a right-to-left name, so that the text around keeps its order."""
    if any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in text):
        return f"{_ISOLATE}{text}{_POP}"
    return text


def display_names(names: Iterable[str], limit: float) -> dict[str, str]:
    """Map each name to a short form; forms that would coincide are numbered."""
    forms = {name: shorten(legible(name), limit) for name in dict.fromkeys(names)}
    uses = Counter(forms.values())
    seen: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for name, form in forms.items():
        seen[form] += 1
        shown[name] = f"{form} #{seen[form]}" if uses[form] > 1 else form
    return shown
