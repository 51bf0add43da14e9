"""Admission of additional phrases: no sentence may be read in two ways because of them.

A sentence of the grammar is a subject, a phrase and an object; the names have no delimiters, but a
subject with a phrase in it is quoted. So the phrases of two readings of a sentence share a word:
were one before the other, it would be in the subject of the other. A phrase is refused if it can
share words with another phrase or with another occurrence of itself: if one equals or contains the
other, or ends with words that the other begins with. Then there is a sentence with two readings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

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
    index: dict[str, list[Phrase]] = {}
    for row in (*(known_rows() if known is None else known), *admitted):
        _add(row, index)
    good: list[PhraseRow] = []
    bad: list[RefusedRow] = []
    for row in rows:
        refused = _refusal(row, index)
        if refused is None:
            good.append(row)
            _add(row, index)
        else:
            bad.append(refused)
    return Admission(admitted=tuple(good), refused=tuple(bad))


def _phrases(row: PhraseRow) -> tuple[Phrase, Phrase]:
    return (
        Phrase(words=row.past, relation=row.relation, ahead=False),
        Phrase(words=row.ahead, relation=row.relation, ahead=True),
    )


def _add(row: PhraseRow, index: dict[str, list[Phrase]]) -> None:
    """Add the phrases of a row to the index of phrases by word."""
    for one in _phrases(row):
        for word in dict.fromkeys(one.words.split()):
            index.setdefault(word, []).append(one)


def _refusal(row: PhraseRow, index: Mapping[str, Sequence[Phrase]]) -> RefusedRow | None:
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
        if one in index.get(one.words.split()[0], ()):
            message = f'{row.relation}: found "{one.words}" again'
            return RefusedRow(row=row, code=Refusal.REPEATED, message=message)
    for one in new:
        near = dict.fromkeys(p for word in one.words.split() for p in index.get(word, ()))
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
