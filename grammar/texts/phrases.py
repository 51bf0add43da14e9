"""Phrases for the relations of dated facts, from the table ``phrases.tsv``.

Each phrase has two tenses: past, and future relative to the date of the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
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


@cache
def known_rows() -> tuple[PhraseRow, ...]:
    """The rows of ``phrases.tsv``."""
    path = Path(__file__).with_name("phrases.tsv")
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:])
    return tuple(PhraseRow(relation=name, past=past, ahead=ahead) for name, past, ahead in rows)


@lru_cache(maxsize=64)
def phrase_table(added: tuple[PhraseRow, ...] = ()) -> PhraseTable:
    """The phrases of ``phrases.tsv`` and additional ones.

    Args:
        added: rows that ``grammar.texts.admission`` admits; others make texts ambiguous.
    """
    past: dict[str, tuple[Phrase, ...]] = {}
    ahead: dict[str, tuple[Phrase, ...]] = {}
    for row in (*known_rows(), *added):
        for tense, words in ((past, row.past), (ahead, row.ahead)):
            one = Phrase(words=words, relation=row.relation, ahead=tense is ahead)
            tense[row.relation] = (*tense.get(row.relation, ()), one)
    phrases = [one for tense in (past, ahead) for found in tense.values() for one in found]
    return PhraseTable(
        by_words=MappingProxyType({one.words: one for one in phrases}),
        past=MappingProxyType(past),
        ahead=MappingProxyType(ahead),
    )
