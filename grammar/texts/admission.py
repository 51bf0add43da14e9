"""Admission of additional phrases: no sentence may be read in two ways because of them.

A sentence of the grammar is a subject, a phrase and an object; the names have no delimiters, but a
subject with a phrase in it is quoted. So the phrases of two readings of a sentence share a word:
were one before the other, it would be in the subject of the other. A phrase is refused if it can
share words with another phrase or with another occurrence of itself: if one equals or contains the
other, or ends with words that the other begins with. Then there is a sentence with two readings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from grammar.texts.phrases import Phrase, PhraseRow, known_rows

_LETTERS = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
_FORM = re.compile(rf"{_LETTERS}(?: {_LETTERS})*")
LONGEST = 100
"""Maximum number of characters of a phrase."""


class Refusal(StrEnum):
    """Why a row of phrases is refused."""

    FORM = "malformed"
    REPEATED = "repeated"
    CLASH = "clash"


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedRow:
    """A row that is not admitted, with a message."""

    row: PhraseRow
    code: Refusal
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """Admitted and refused rows, both in their order."""

    admitted: tuple[PhraseRow, ...]
    refused: tuple[RefusedRow, ...]


def admit(
    rows: Sequence[PhraseRow],
    *,
    admitted: tuple[PhraseRow, ...] = (),
    known: tuple[PhraseRow, ...] | None = None,
) -> Admission:
    """Admit each row in turn, unless one of its phrases clashes with a phrase admitted before.

    Args:
        rows: candidates.
        admitted: rows that were admitted before.
        known: other rows to compare with; by default those of ``phrases.tsv``.
    """
    index = _Index(_known() if known is None else None)
    for row in (*(known or ()), *admitted):
        index.add(row)
    good: list[PhraseRow] = []
    bad: list[RefusedRow] = []
    for row in rows:
        refused = _refusal(row, index)
        if refused is None:
            good.append(row)
            index.add(row)
        else:
            bad.append(refused)
    return Admission(admitted=tuple(good), refused=tuple(bad))


def _phrases(row: PhraseRow) -> tuple[Phrase, Phrase]:
    return (
        Phrase(words=row.past, relation=row.relation, ahead=False),
        Phrase(words=row.ahead, relation=row.relation, ahead=True),
    )


Words = tuple[str, ...]


class _Index:
    """Phrases by what can clash: whole phrases, their beginnings, their ends and their parts."""

    def __init__(self, first: _Index | None = None) -> None:
        """An index of no rows, or of those of another one, which stays as it is."""
        self._first = first
        self._whole: dict[Words, list[Phrase]] = {}
        self._beginnings: dict[Words, list[Phrase]] = {}
        self._ends: dict[Words, list[Phrase]] = {}
        self._parts: dict[Words, list[Phrase]] = {}

    def add(self, row: PhraseRow) -> None:
        """Add the phrases of a row."""
        for one in _phrases(row):
            words = tuple(one.words.split())
            self._whole.setdefault(words, []).append(one)
            for size in range(1, len(words)):
                self._beginnings.setdefault(words[:size], []).append(one)
                self._ends.setdefault(words[-size:], []).append(one)
            for part in dict.fromkeys(_parts(words)):
                self._parts.setdefault(part, []).append(one)

    def __contains__(self, one: Phrase) -> bool:
        words = tuple(one.words.split())
        return one in self._whole.get(words, ()) or (self._first is not None and one in self._first)

    def near(self, one: Phrase) -> Iterator[Phrase]:
        """The phrases that share words with a phrase in some sentence."""
        if self._first is not None:
            yield from self._first.near(one)
        words = tuple(one.words.split())
        yield from self._parts.get(words, ())
        for part in _parts(words):
            yield from self._whole.get(part, ())
        for size in range(1, len(words)):
            yield from self._beginnings.get(words[-size:], ())
            yield from self._ends.get(words[:size], ())


@cache
def _known() -> _Index:
    index = _Index()
    for row in known_rows():
        index.add(row)
    return index


def _parts(words: Words) -> Iterator[Words]:
    """All sequences of following words."""
    for first in range(len(words)):
        for last in range(first + 1, len(words) + 1):
            yield words[first:last]


def _refusal(row: PhraseRow, index: _Index) -> RefusedRow | None:
    if not row.relation.isprintable() or not row.relation.strip():
        message = f"found the relation {row.relation!r}, expected a name"
        return RefusedRow(row=row, code=Refusal.FORM, message=message)
    new = _phrases(row)
    for one in new:
        words = one.words
        if len(words) > LONGEST or not _FORM.fullmatch(words) or words != words.lower():
            message = f"{row.relation}: found {words[:LONGEST]!r}, expected words in lower case"
            return RefusedRow(row=row, code=Refusal.FORM, message=message)
    for one in new:
        if one in index:
            message = f'{row.relation}: found "{one.words}" again'
            return RefusedRow(row=row, code=Refusal.REPEATED, message=message)
    for one in new:
        near = dict.fromkeys(index.near(one))
        clash = next((c for other in (*near, *new) for c in _shared(one, other)), None)
        if clash is not None:
            return RefusedRow(row=row, code=Refusal.CLASH, message=f"{row.relation}: {clash}")
    return None


def _shared(one: Phrase, other: Phrase) -> Iterator[str]:
    """Messages for the sentences in which both phrases occur and share a word."""
    first, second = one.words.split(), other.words.split()
    for offset in range(1 - len(second), len(first)):
        if one is other and not offset:
            continue
        begin, end = max(0, offset), min(len(first), offset + len(second))
        if first[begin:end] == second[begin - offset : end - offset]:
            yield _message(one, other, offset)


def _message(one: Phrase, other: Phrase, offset: int) -> str:
    """The message of a clash, with the shortest sentence that has two readings.

    Args:
        one: a phrase.
        other: a phrase that clashes with it.
        offset: position of the first word of ``other``, counted from that of ``one``.
    """
    first, second = one.words.split(), other.words.split()
    before = second[: max(0, -offset)]
    after = second[max(0, len(first) - offset) :]
    whole = ["A", *before, *first, *after, "B"]
    readings = []
    for start, phrase, words in (
        (1 + len(before), one, first),
        (1 + len(before) + offset, other, second),
    ):
        subject, rest = " ".join(whole[:start]), " ".join(whole[start + len(words) :])
        readings.append(f"({subject}, {phrase.relation}, {rest})")
    return (
        f'"{one.words}" clashes with "{other.words}" ({other.relation}): '
        f'"{" ".join(whole)}" reads as {readings[0]} or {readings[1]}'
    )
