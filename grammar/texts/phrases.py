"""Phrases for the relations of dated facts, from the table ``phrases.tsv``.

Each phrase has two tenses: past, and future relative to the date of the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
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


@dataclass(frozen=True, slots=True, kw_only=True)
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


@cache
def phrase_table() -> PhraseTable:
    """Read the table: a header, then tab-separated ``relation, past, ahead``."""
    path = Path(__file__).with_name("phrases.tsv")
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    past: dict[str, tuple[Phrase, ...]] = {}
    ahead: dict[str, tuple[Phrase, ...]] = {}
    for relation, was, will_be in rows:
        for tense, words in ((past, was), (ahead, will_be)):
            one = Phrase(words=words, relation=relation, ahead=tense is ahead)
            tense[relation] = (*tense.get(relation, ()), one)
    phrases = [one for tense in (past, ahead) for row in tense.values() for one in row]
    return PhraseTable(
        by_words=MappingProxyType({one.words: one for one in phrases}),
        past=MappingProxyType(past),
        ahead=MappingProxyType(ahead),
    )
