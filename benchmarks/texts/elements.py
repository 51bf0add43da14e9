"""Elements of a fact, split into words: subject, relation, object and time."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from grammar.errors import HopcheckError
from solver.verification.settings import option, setting

# Conventions of the Penn Treebank (R. MacIntyre 1995) for lower-case text.
_STEPS = tuple(
    (re.compile(pattern), written)
    for pattern, written in (
        (r"(`+)", r" \1 "),
        (r'^"', " `` "),
        (r"([ (\[{<])(\"|'')", r"\1 `` "),
        (r"(')(?!re|ve|ll|m|t|s|d|n)(\w)\b", r"\1 \2"),
        (r"([^.])(\.)([\])}>\"' ]*)\s*$", r"\1 \2 \3 "),
        (r"([:,])(\D)", r" \1 \2"),
        (r"([:,])$", r" \1 "),
        (r"(\.{2,}|[;@#$%&?!])", r" \1 "),
        (r"([^'])' ", r"\1 ' "),
        (r"([*\[\](){}<>]|--)", r" \1 "),
        (r"^(.*)$", r" \1 "),
        (r"''|\"", " '' "),
        (r"([^' ])('s|'m|'d|') ", r"\1 \2 "),
        (r"([^' ])('ll|'re|'ve|n't) ", r"\1 \2 "),
        (r"\b(can)(not)\b", r" \1 \2 "),
        (r"\b(d)('ye)\b", r" \1 \2 "),
        (r"\b(gim|lem)(me)\b", r" \1 \2 "),
        (r"\b(gon)(na)\b", r" \1 \2 "),
        (r"\b(wan)(na)(?=\s)", r" \1 \2 "),
        (r"\b(got)(ta)\b", r" \1 \2 "),
        (r"\b(more)('n)\b", r" \1 \2 "),
        (r" ('t)(is|was)\b", r" \1 \2 "),
    )
)
_PLAIN = re.compile(r"[a-z0-9 ]*|[0-9-]*")
_CONTRACTED = re.compile(r"\b(?:cannot|gimme|gonna|gotta|lemme|wanna)\b")
_STOPPED = re.compile(r"(\S+)\.([\])}\"']*) +(?=(\S))")
_SIGNS = frozenset(string.punctuation)

ABBREVIATIONS = frozenset(
    (
        *("adm", "ala", "ariz", "ave", "calif", "capt", "cie", "cmdr", "co", "col", "colo"),
        *("conn", "corp", "cos", "dec", "del", "dr", "fla", "fri", "ga", "gen", "gov", "ill"),
        *("inc", "ind", "jr", "kan", "ky", "la", "lt", "ltd", "maj", "mass", "md", "messrs"),
        *("mfg", "mg", "mich", "minn", "mr", "mrs", "ms", "nev", "nov", "oct", "okla", "ore"),
        *("pa", "ph", "prof", "rep", "reps", "rev", "sen", "sept", "sr", "st", "tenn"),
        *("tues", "va", "vs", "vt", "wash", "wed", "wis", "yr"),
    )
)
"""Abbreviations in names that do not end a sentence."""


@lru_cache(maxsize=1 << 17)
def words(text: str) -> tuple[str, ...]:
    """Words of a lower-case text."""
    if _PLAIN.fullmatch(text) and not ("--" in text or _CONTRACTED.search(text)):
        found = text.split()
    else:
        found = [word for sentence in _sentences(text) for word in _treebank(sentence)]
    return tuple(word for word in found if not _SIGNS.issuperset(word))


def _treebank(sentence: str) -> list[str]:
    for pattern, written in _STEPS:
        sentence = pattern.sub(written, sentence)
    return sentence.split()


def _sentences(text: str) -> list[str]:
    found, begin = [], 0
    for stop in _STOPPED.finditer(text):
        if not _goes_on(stop[1], stop[3]):
            found.append(text[begin : stop.end()].rstrip())
            begin = stop.end()
    return [*found, text[begin:]]


def _goes_on(word: str, following: str) -> bool:
    """Whether the full stop after a word is part of it."""
    bare = word.lstrip("([{\"'`")
    last = bare.rsplit("-", 1)[-1]
    initial = len(last) == 1 and last.isalpha()
    if initial or bare in ABBREVIATIONS or last in ABBREVIATIONS or "." in bare:
        return True
    return bare.isdecimal() and (following.isalpha() or following in ";:,.!?")


_PLAIN_ROMANISED = {
    **{"æ": "ae", "ǽ": "ae", "ǣ": "ae", "œ": "oe", "ß": "ss", "ø": "o", "ǿ": "o", "ł": "l"},
    **{"đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h", "ŋ": "ng", "ŧ": "t", "ĸ": "k"},
    **{"ŀ": "l", "ŉ": "'n", "ə": "@", "ǝ": "@", "ɛ": "e", "ɔ": "o", "ɓ": "b", "ɖ": "d"},
    **{"ɗ": "d", "ɠ": "g", "ɣ": "g", "ƒ": "f", "ƙ": "k", "ɲ": "n", "ƴ": "y", "ʋ": "v"},
    **{"ʻ": "`", "ʼ": "'", "ʽ": "`", "ʾ": "`", "ʿ": "'", "ʹ": "'", "ʺ": '"', "´": "'"},
    **{"‘": "'", "’": "'", "‚": ",", "‛": "'", "“": '"', "”": '"', "„": ",,", "‟": '"'},
    **{"«": "<<", "»": ">>", "‹": "<", "›": ">", "¡": "!", "¿": "?", "·": "*", "•": "*"},
    **{"‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "--", "―": "--", "−": "-", "×": "x"},
    **{"′": "'", "″": "''", "°": "deg", "©": "(c)", "®": "(r)", "™": "(tm)", "€": "EUR"},
    **{"£": "PS", "¥": "Y=", "§": "SS", "†": "+", "‡": "++", "¦": "|", "\xad": "", "¸": ","},
    **{"¼": " 1/4", "½": " 1/2", "¾": " 3/4", "¢": "C/", "¶": "P", "÷": "/", "µ": "u"},
}
_TABLE = str.maketrans(_PLAIN_ROMANISED)


def romanised(text: str) -> str:
    """Remove diacritics."""
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFKD", text.translate(_TABLE))
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


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


class Profile(StrEnum):
    """Scoring procedure."""

    RELEASED = "released"
    """Reproduces the figures of the released script."""
    EXACT = "exact"
    """Exact optima, without limits, nothing skipped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreConfig:
    """What predicted facts are compared with, and how."""

    references: str = field(metadata=option("File of reference facts.", metavar="FILE"))
    profile: Profile = setting(
        Profile.EXACT,
        "Procedure: exact optima without limits (exact), or the released script (released).",
    )
    against: str | None = setting(
        None, "Predictions of another run, for a significance test.", metavar="FILE"
    )
    against_references: str | None = setting(
        None,
        "References of the other run, if its texts differ; the test is then unpaired.",
        metavar="FILE",
    )
    texts: str | None = setting(
        None, "Texts, one per line; adds scores by date style.", metavar="FILE"
    )
    resamples: int = setting(1_000, "Number of bootstrap resamples.", low=100, high=100_000)
    permutations: int = setting(
        9_999, "Number of resamples of the permutation test.", low=99, high=1_000_000
    )
    seed: int = setting(0, "Random seed.", low=0)


class Mode(StrEnum):
    """Criterion for a correct element (WebNLG 2020, after SemEval 2013, task 9.1)."""

    STRICT = "strict"
    """All words, at the element's own position."""
    EXACT = "exact"
    """All words, at any position of the fact."""
    TYPE = "type"
    """Some words, at the element's own position."""
    PARTIAL = "partial"
    """All words, or half credit for some of them, at any position of the fact."""


MODES = tuple(Mode)
