"""The content words that express an order in English phrases, as lemmas.

A split whose phrases share no lemma with those of another cannot be solved by known words.
"""

from __future__ import annotations

from collections.abc import Iterable

_FUNCTION_WORDS = frozenset(
    {"a", "as", "at", "by", "had", "in", "is", "of", "on", "once", "than", "the", "to", "was"}
    | {"with", "start", "end"}
)
_LEMMAS = {
    "arrived": "arrive",
    "came": "come",
    "coincided": "coincide",
    "concurrently": "concurrent",
    "dated": "date",
    "earlier": "early",
    "ensued": "ensue",
    "exact": "exact",
    "fell": "fall",
    "followed": "follow",
    "following": "follow",
    "happened": "happen",
    "later": "late",
    "lay": "lie",
    "noted": "note",
    "occurred": "occur",
    "preceded": "precede",
    "reached": "reach",
    "recorded": "record",
    "simultaneously": "simultaneous",
    "sooner": "soon",
    "succeeded": "succeed",
    "synchronized": "synchronize",
    "took": "take",
    "transpired": "transpire",
    "unfolded": "unfold",
}


def lemmas(phrases: Iterable[str]) -> frozenset[str]:
    """The lemmas of the content words of phrases; start and end are exempt."""
    words = {word for phrase in phrases for word in phrase.lower().split() if word.isalpha()}
    return frozenset(_LEMMAS.get(word, word) for word in words - _FUNCTION_WORDS)
