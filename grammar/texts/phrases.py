"""Phrases for the relations of dated facts: at least twelve for each.

The table ``phrases.tsv`` has two or three of each relation. The others are composed of a verb that
says that something starts, ends or happens, and of what does, from the table ``ties.tsv``:
``embarked on`` and ``membership of``. Each phrase has two tenses: past, and future relative to the
date of the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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


VERBS = {
    "start": (
        ("commenced", "commence"),
        ("embarked on", "embark on"),
        ("entered upon", "enter upon"),
        ("launched into", "launch into"),
        ("stepped into", "step into"),
        ("ushered in", "usher in"),
        ("saw the start of", "see the start of"),
        ("marked the first day of", "mark the first day of"),
        ("announced the beginning of", "announce the beginning of"),
        ("formally opened", "formally open"),
    ),
    "end": (
        ("concluded", "conclude"),
        ("terminated", "terminate"),
        ("wound up", "wind up"),
        ("brought to a close", "bring to a close"),
        ("called a halt to", "call a halt to"),
        ("called time on", "call time on"),
        ("drew a line under", "draw a line under"),
        ("saw the end of", "see the end of"),
        ("marked the last day of", "mark the last day of"),
        ("formally closed", "formally close"),
    ),
    "": (
        ("recorded", "record"),
        ("celebrated", "celebrate"),
        ("announced", "announce"),
        ("witnessed", "witness"),
        ("reported", "report"),
        ("registered", "register"),
        ("confirmed", "confirm"),
        ("acknowledged", "acknowledge"),
        ("placed on record", "place on record"),
        ("made known", "make known"),
    ),
}
"""The verbs that say that something starts, ends or happens: past, and infinitive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """Verbs and ties, any two of which are a phrase; ties by relation."""

    verbs: tuple[tuple[str, str], ...]
    ties: Mapping[str, str]


@cache
def compositions() -> tuple[Composition, ...]:
    """The composed phrases: of starts, of ends and of events."""
    relations = {relation for relation, _, _ in _table("phrases.tsv")}
    ties = list(_table("ties.tsv"))
    found = []
    for bound, verbs in VERBS.items():
        named = {
            f"{bound}{name[0].upper()}{name[1:]}" if bound else name: tie for name, tie in ties
        }
        own = {name: tie for name, tie in named.items() if name in relations}
        found.append(Composition(verbs=verbs, ties=MappingProxyType(own)))
    return tuple(found)


@cache
def known_rows() -> tuple[PhraseRow, ...]:
    """The rows of ``phrases.tsv``, and those composed of verbs and ties."""
    rows = [PhraseRow(relation=a, past=b, ahead=c) for a, b, c in _table("phrases.tsv")]
    for one in compositions():
        rows += [
            PhraseRow(relation=relation, past=f"{past} {tie}", ahead=f"will {verb} {tie}")
            for relation, tie in one.ties.items()
            for past, verb in one.verbs
        ]
    return tuple(rows)


def _table(name: str) -> Iterator[list[str]]:
    """The rows of a table beside this module, without its header."""
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return (line.split("\t") for line in lines[1:])


@lru_cache(maxsize=64)
def phrase_table(added: tuple[PhraseRow, ...] = ()) -> PhraseTable:
    """The known phrases and additional ones.

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
