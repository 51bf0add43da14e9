"""Phrases for the relations of dated facts: at least twelve for each, and the admission of others.

The table ``phrases.tsv`` has two or three of each relation. The others are composed of a verb that
says that something starts, ends or happens (``verbs.tsv``), and of what does (``ties.tsv``):
``embarked on`` and ``membership of``. Each phrase has two tenses: past, and future relative to the
date of the text.

An additional phrase is admitted if no sentence can be read in two ways because of it. A sentence of
the grammar is a subject, a phrase and an object; the names have no delimiters, but a subject with a
phrase in it is quoted. So the phrases of two readings of a sentence share a word: were one before
the other, it would be in the subject of the other. A phrase is refused if it can share words with
another phrase or with another occurrence of itself: if one equals or contains the other, or ends
with words that the other begins with. Then there is a sentence with two readings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType

from grammar.errors import UnwritableError


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """Words between a subject and its object.

    Attributes:
        relation: the relation they express.
        ahead: whether they are in the future tense.
    """

    words: str
    relation: str
    ahead: bool


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class PhraseRow:
    """A row of a table of phrases: words for a relation in both tenses."""

    relation: str
    past: str
    ahead: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PhraseTable:
    """All phrases.

    Attributes:
        by_words: phrases by their words.
        past, ahead: phrases of each relation by tense, in table order.
    """

    by_words: Mapping[str, Phrase]
    past: Mapping[str, tuple[Phrase, ...]]
    ahead: Mapping[str, tuple[Phrase, ...]]

    @property
    def relations(self) -> tuple[str, ...]:
        """The relations that have phrases, sorted."""
        return tuple(sorted(self.past))

    def of(self, relation: str, *, ahead: bool = False) -> tuple[Phrase, ...]:
        """The phrases of a relation in one tense.

        Raises:
            UnwritableError: there is none.
        """
        found = (self.ahead if ahead else self.past).get(relation)
        if found is None:
            message = (
                f"found the relation {relation!r}, expected one of {len(self.past)} with phrases"
            )
            raise UnwritableError(message, hint="such as startMemberOf, endWorksFor or founder")
        return found


COLUMNS = ("relation", "past", "ahead")
"""The header of a table of phrases; columns are separated by tabs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """Verbs and ties, any two of which are a phrase; ties by relation."""

    verbs: tuple[tuple[str, str], ...]
    ties: Mapping[str, str]


@cache
def compositions() -> tuple[Composition, ...]:
    """The composed phrases: of starts, of ends and of events."""
    relations = {relation for relation, _, _ in table_rows("phrases.tsv")}
    ties = list(table_rows("ties.tsv"))
    found = []
    for bound, rows in groupby(table_rows("verbs.tsv"), key=itemgetter(0)):
        verbs = tuple((past, infinitive) for _, past, infinitive in rows)
        named = {
            f"{bound}{name[0].upper()}{name[1:]}" if bound else name: tie for name, tie in ties
        }
        own = {name: tie for name, tie in named.items() if name in relations}
        found.append(Composition(verbs=verbs, ties=MappingProxyType(own)))
    return tuple(found)


@cache
def known_rows() -> tuple[PhraseRow, ...]:
    """The rows of ``phrases.tsv``, and those composed of verbs and ties."""
    rows = [PhraseRow(relation=a, past=b, ahead=c) for a, b, c in table_rows("phrases.tsv")]
    for composition in compositions():
        rows += [
            PhraseRow(relation=relation, past=f"{past} {tie}", ahead=f"will {verb} {tie}")
            for relation, tie in composition.ties.items()
            for past, verb in composition.verbs
        ]
    return tuple(rows)


def bare_relation(relation: str) -> tuple[str, str]:
    """The bound, ``start``, ``end`` or none, and the rest: of startMemberOf, start and memberOf."""
    for bound in ("start", "end"):
        name = relation.removeprefix(bound)
        if name != relation and name[:1].isupper():
            return bound, name[0].lower() + name[1:]
    return "", relation


def table_rows(name: str) -> Iterator[list[str]]:
    """The rows of a table beside this module, without its header."""
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return (line.split("\t") for line in lines[1:])


@lru_cache(maxsize=64)
def phrase_table(added: tuple[PhraseRow, ...] = ()) -> PhraseTable:
    """The known phrases and additional ones.

    Args:
        added: rows that ``grammar.texts.phrases`` admits; others make texts ambiguous.
    """
    past: dict[str, tuple[Phrase, ...]] = {}
    ahead: dict[str, tuple[Phrase, ...]] = {}
    for row in (*known_rows(), *added):
        for tense, words in ((past, row.past), (ahead, row.ahead)):
            phrase = Phrase(words=words, relation=row.relation, ahead=tense is ahead)
            tense[row.relation] = (*tense.get(row.relation, ()), phrase)
    phrases = [
        found_phrase
        for tense in (past, ahead)
        for found in tense.values()
        for found_phrase in found
    ]
    return PhraseTable(
        by_words=MappingProxyType({other_phrase.words: other_phrase for other_phrase in phrases}),
        past=MappingProxyType(past),
        ahead=MappingProxyType(ahead),
    )


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
        for phrase in _phrases(row):
            words = tuple(phrase.words.split())
            self._whole.setdefault(words, []).append(phrase)
            for size in range(1, len(words)):
                self._beginnings.setdefault(words[:size], []).append(phrase)
                self._ends.setdefault(words[-size:], []).append(phrase)
            for part in dict.fromkeys(_parts(words)):
                self._parts.setdefault(part, []).append(phrase)

    def __contains__(self, phrase: Phrase) -> bool:
        words = tuple(phrase.words.split())
        return phrase in self._whole.get(words, ()) or (
            self._first is not None and phrase in self._first
        )

    def near(self, phrase: Phrase) -> Iterator[Phrase]:
        """The phrases that share words with a phrase in some sentence."""
        if self._first is not None:
            yield from self._first.near(phrase)
        words = tuple(phrase.words.split())
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
    for phrase in new:
        words = phrase.words
        if len(words) > LONGEST or not _FORM.fullmatch(words) or words != words.lower():
            message = f"{row.relation}: found {words[:LONGEST]!r}, expected words in lower case"
            return RefusedRow(row=row, code=Refusal.FORM, message=message)
    for phrase in new:
        if phrase in index:
            message = f'{row.relation}: found "{phrase.words}" again'
            return RefusedRow(row=row, code=Refusal.REPEATED, message=message)
    for phrase in new:
        near = dict.fromkeys(index.near(phrase))
        clash = next((c for other in (*near, *new) for c in _shared(phrase, other)), None)
        if clash is not None:
            return RefusedRow(row=row, code=Refusal.CLASH, message=f"{row.relation}: {clash}")
    return None


def _shared(phrase: Phrase, other: Phrase) -> Iterator[str]:
    """Messages for the sentences in which both phrases occur and share a word."""
    first, second = phrase.words.split(), other.words.split()
    for offset in range(1 - len(second), len(first)):
        if phrase is other and not offset:
            continue
        begin, end = max(0, offset), min(len(first), offset + len(second))
        if first[begin:end] == second[begin - offset : end - offset]:
            yield _message(phrase, other, offset)


def _message(given_phrase: Phrase, other: Phrase, offset: int) -> str:
    """The message of a clash, with the shortest sentence that has two readings.

    Args:
        given_phrase: a phrase.
        other: a phrase that clashes with it.
        offset: position of the first word of ``other``, counted from that of ``given_phrase``.
    """
    first, second = given_phrase.words.split(), other.words.split()
    before = second[: max(0, -offset)]
    after = second[max(0, len(first) - offset) :]
    whole = ["A", *before, *first, *after, "B"]
    readings = []
    for start, phrase, words in (
        (1 + len(before), given_phrase, first),
        (1 + len(before) + offset, other, second),
    ):
        subject, rest = " ".join(whole[:start]), " ".join(whole[start + len(words) :])
        readings.append(f"({subject}, {phrase.relation}, {rest})")
    return (
        f'"{given_phrase.words}" clashes with "{other.words}" ({other.relation}): '
        f'"{" ".join(whole)}" reads as {readings[0]} or {readings[1]}'
    )
