"""Words of a name: Penn Treebank tokenisation by sentence, without punctuation.

The released script uses NLTK. A full stop at the end of a sentence is a token of its own and is
dropped; it stays with an initial, a known abbreviation, or a number before a word.
"""

from __future__ import annotations

import re
import string
from functools import lru_cache

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
        found = [word for one in _sentences(text) for word in _treebank(one)]
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
    if bare in ABBREVIATIONS or bare.rsplit("-", 1)[-1] in ABBREVIATIONS or "." in bare:
        return True
    short = (len(bare) == 1 and bare.isalpha()) or bare.isdecimal()
    return short and (following.isalpha() or following in ";:,.!?")
