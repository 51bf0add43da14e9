"""Model of a text of dated facts: sentences, headline, and consistency checks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import pairwise

from grammar.dates import WEEKDAYS, WrittenDate
from grammar.texts.phrases import Phrase


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class TextFact:
    """A dated fact: something that starts, ends or happens on a day."""

    subject: str
    relation: str
    object: str
    date: date

    def __str__(self) -> str:
        """Format as ``(Ada, endSpouse, Ben, 2026-01-31)``; lone surrogates are escaped."""
        text = f"({self.subject}, {self.relation}, {self.object}, {self.date})"
        return text.encode(errors="backslashreplace").decode()


class TextStyle(StrEnum):
    """How facts are stated: each in its own sentence with names and date in full, or as a story."""

    PLAIN = "plain"
    STORY = "story"


class Link(StrEnum):
    """The connective between a sentence and the one before it."""

    NONE = "none"
    LATER = "later"
    SAME_DAY = "same-day"
    MEANWHILE = "meanwhile"


class Naming(StrEnum):
    """How a clause names an entity; other words are a role (the new member) or part of a name."""

    NAME = "name"
    OMITTED = ""
    FORMER = "the former"
    LATTER = "the latter"
    THEY = "they"
    THEM = "them"
    IT = "it"


class Clause(StrEnum):
    """The place of a clause in its sentence.

    ``who``: between the subject and the phrase of the main clause. ``and``: after the main clause.
    ``denied``: a sentence that states no fact.
    """

    MAIN = "main"
    WHO = "who"
    AND = "and"
    DENIED = "denied"


@dataclass(frozen=True, slots=True, kw_only=True)
class Denial:
    """Words before, between and after the names of a sentence that states no fact."""

    before: str
    between: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A clause that states a fact, often a whole sentence; or a sentence that denies one.

    Attributes:
        phrase: the phrase for the relation.
        written_date: the date as written.
        front: whether the sentence opens with the date.
        link: connective to the previous sentence; only if the date comes last.
        subject_by, object_by: how the entities are named, by ``Naming`` or in other words.
        clause: its place in the sentence.
        denial: the words around a denied fact.
    """

    subject: str
    phrase: Phrase
    object: str
    written_date: WrittenDate
    front: bool = False
    link: Link = Link.NONE
    subject_by: str = Naming.NAME
    object_by: str = Naming.NAME
    clause: Clause = Clause.MAIN
    denial: Denial | None = None

    @property
    def fact(self) -> TextFact:
        """The fact that the clause states or denies."""
        return TextFact(
            subject=self.subject,
            relation=self.phrase.relation,
            object=self.object,
            date=self.written_date.date,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The date of a text, and a title.

    Attributes:
        title: with ``{}`` for the name in it, if there is one.
        name: an entity of a fact; empty if the title has none.
    """

    written_date: WrittenDate
    title: str
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """A sentence before all others that lists entities, to which *the first* and so on refer."""

    words: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactText:
    """A text: clauses in their order, an optional headline, and an optional list of entities."""

    sentences: tuple[Sentence, ...]
    headline: Headline | None = None
    cast: Cast | None = None

    @property
    def statements(self) -> tuple[Sentence, ...]:
        """The clauses that state a fact, in text order."""
        return tuple(clause for clause in self.sentences if clause.denial is None)

    @property
    def facts(self) -> tuple[TextFact, ...]:
        """The stated facts, in text order."""
        return tuple(sentence.fact for sentence in self.statements)

    def by_sentence(self) -> Iterator[tuple[Sentence, ...]]:
        """The clauses of each sentence."""
        found: list[Sentence] = []
        for clause in self.sentences:
            joined = clause.clause is Clause.AND or (found and found[-1].clause is Clause.WHO)
            if found and not joined:
                yield tuple(found)
                found = []
            found.append(clause)
        yield tuple(found)


class Clash(StrEnum):
    """Kinds of contradiction of a text with itself or the calendar."""

    WEEKDAY = "wrong-weekday"
    TENSE = "wrong-tense"
    ORDER = "wrong-order"
    TITLE = "wrong-title"


def clashes(text: FactText) -> Iterator[tuple[Clash, str]]:
    """Find wrong weekdays, tenses and connectives, each with a message."""
    dates = [sentence.written_date for sentence in text.sentences]
    if text.headline is not None:
        dates.insert(0, text.headline.written_date)
    for written in dates:
        if written.weekday is not None and written.false_weekday:
            right, found = WEEKDAYS[written.date.weekday()], WEEKDAYS[written.weekday]
            yield Clash.WEEKDAY, f"{written.date} is a {right}, found {found}"
    if text.headline is not None:
        yield from _tenses(text, text.headline.written_date.date)
        name = text.headline.name
        if name and all(
            name not in (sentence.subject, sentence.object) for sentence in text.statements
        ):
            yield Clash.TITLE, f"the headline is about {name!r}, which is in no fact of the text"
    for before, after in pairwise(text.statements):
        earlier, later = before.written_date.date, after.written_date.date
        if after.link is Link.LATER and not earlier < later:
            yield Clash.ORDER, f'{later} follows "Later", but is not after {earlier}'
        if after.link is Link.SAME_DAY and earlier != later:
            yield Clash.ORDER, f'{later} follows "On the same day", but differs from {earlier}'
    first = text.sentences[0]
    if first.link is not Link.NONE:
        yield Clash.ORDER, f'the first sentence has a connective ("{first.link}")'


def _tenses(text: FactText, day: date) -> Iterator[tuple[Clash, str]]:
    for sentence in text.statements:
        if sentence.phrase.ahead != (sentence.written_date.date > day):
            tense = "future" if sentence.phrase.ahead else "past"
            message = f"{tense} tense for a fact of {sentence.written_date.date} in a text of {day}"
            yield Clash.TENSE, message
