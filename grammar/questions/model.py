"""Queries of questions over a temporal knowledge graph, and statements used as choices.

Names are labels, such as ``Mill Guild (Orm)``; linking them to a graph is left to the solver.
Source: ForecastTKGQuestions (Ding et al., ISWC 2023), section 3.2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from grammar.errors import UnwritableError
from grammar.names import quote_name


class QuestionKind(StrEnum):
    """Kinds of questions."""

    ONE_HOP = "1-hop"
    TWO_HOP = "2-hop"
    YES_UNKNOWN = "yes-unknown"
    FACT_REASONING = "fact-reasoning"


class Role(StrEnum):
    """A position in a fact."""

    SUBJECT = "subject"
    OBJECT = "object"

    @property
    def other(self) -> Role:
        """The other end of the fact."""
        return Role.OBJECT if self is Role.SUBJECT else Role.SUBJECT


@dataclass(frozen=True, slots=True, kw_only=True)
class Arc:
    """A relation between the party that two facts share and another entity.

    Attributes:
        shared: the position of the shared party in the fact.
    """

    relation: str
    shared: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class OneHop:
    """Who is at the other end of this relation, on this day?

    Attributes:
        entity: the known end.
        asked: the position of the answer in the fact.
        time: a date ``2014-12-01``, or an integer where a graph has no dates.
    """

    entity: str
    relation: str
    asked: Role
    time: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoHop:
    """Who else is related to a party that, the same day, is related to this entity?

    Answer, party and entity are distinct.

    Attributes:
        entity: the named entity.
        given: relation of the party to the entity.
        asked: relation of the party to the answer.
        time: as in ``OneHop``.
    """

    entity: str
    given: Arc
    asked: Arc
    time: str


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Statement:
    """A fact by labels."""

    subject: str
    relation: str
    object: str
    time: str


@dataclass(frozen=True, slots=True, kw_only=True)
class YesUnknown:
    """Will this fact hold: yes or unknown?"""

    fact: Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class FactReasoning:
    """Which of some earlier facts contributes most to this one?"""

    fact: Statement


Query: TypeAlias = OneHop | TwoHop | YesUnknown | FactReasoning


class Form(StrEnum):
    """The forms of a phrase: after *will*, and after a subject of the past."""

    BASE = "base"
    PAST = "past"


GENERIC = MappingProxyType(
    {Form.BASE: ("have the relation ", " to"), Form.PAST: ("had the relation ", " to")}
)
"""Prefix and suffix of the quoted name of a relation without a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """The phrase of a relation.

    Attributes:
        suits: whether it suits a question about two parties.
        base, past: words before the object: ``host a visit by``, ``hosted a visit by``.
        after: words after the object, as in *accuse B of war crimes*; empty for most relations.
    """

    relation: str
    suits: bool
    base: str
    past: str
    after: str = ""

    def form(self, form: Form) -> str:
        """The words of one form before the object."""
        return self.base if form is Form.BASE else self.past

    @property
    def whole(self) -> str:
        """All words of the base form, where the object is asked for: *accuse of war crimes*."""
        return f"{self.base} {self.after}" if self.after else self.base


class QuestionPhrases:
    """All phrases.

    Args:
        rows: the phrase of each relation of the table.
        earlier: phrases of earlier versions, which are only read.

    Attributes:
        rows: the same.
        by_words: for each form, the words before the object, and the relation by those after it,
            longest first.
        wholes: the relation of each whole phrase in the base form.
    """

    def __init__(self, rows: Mapping[str, Phrase], earlier: Sequence[Phrase] = ()) -> None:
        self.rows = MappingProxyType(dict(rows))
        self._earlier = tuple(earlier)
        by_words: dict[Form, dict[str, dict[str, str]]] = {form: {} for form in Form}
        every = (*rows.values(), *earlier)
        for phrase in sorted(every, key=lambda phrase: -len(phrase.after)):
            for form in Form:
                by_words[form].setdefault(phrase.form(form), {})[phrase.after] = phrase.relation
        self.by_words: Mapping[Form, Mapping[str, Mapping[str, str]]] = by_words
        self.wholes = {phrase.whole: phrase.relation for phrase in every}

    def of(self, relation: str) -> Phrase:
        """The phrase of a relation; without a row, a generic phrase that quotes its name.

        Raises:
            UnwritableError: the relation has an empty name.
        """
        return self.rows.get(relation) or _generic(relation)

    def read_as(self, relation: str) -> tuple[Phrase, ...]:
        """All phrases that are read as a relation, the written one first."""
        return (self.of(relation), *(row for row in self._earlier if row.relation == relation))

    def suits(self, relation: str) -> bool:
        """Whether a relation suits a question about two parties; without a row it does."""
        found = self.rows.get(relation)
        return found is None or found.suits


@cache
def phrase_table() -> QuestionPhrases:
    """Read the table: a heading, then ``relation, suits, base, past, after`` between tabs.

    The first row of a relation is written; others, of earlier versions, are only read.
    """
    path = Path(__file__).with_name("phrases.tsv")
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    rows: dict[str, Phrase] = {}
    earlier: list[Phrase] = []
    for line in lines:
        relation, suits, base, past, after = line.split("\t")
        phrase = Phrase(relation=relation, suits=suits == "yes", base=base, past=past, after=after)
        if rows.setdefault(relation, phrase) is not phrase:
            earlier.append(phrase)
    return QuestionPhrases(rows, earlier)


@lru_cache(maxsize=4096)
def _generic(relation: str) -> Phrase:
    if not relation:
        message = "found a relation with an empty name, expected one"
        raise UnwritableError(message, hint="name it or omit it")
    quoted = quote_name(relation)
    base, past = (quoted.join(GENERIC[form]) for form in Form)
    return Phrase(relation=relation, suits=True, base=base, past=past)
