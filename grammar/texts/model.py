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


class Link(StrEnum):
    """The connective between a sentence and the one before it."""

    NONE = "none"
    LATER = "later"
    SAME_DAY = "same-day"
    MEANWHILE = "meanwhile"


class Naming(StrEnum):
    """How a sentence names an entity: by its name, or by its place in the sentence before."""

    NAME = "name"
    FORMER = "the former"
    LATTER = "the latter"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence that states a fact.

    Attributes:
        phrase: the phrase for the relation.
        written_date: the date as written.
        front: whether the sentence opens with the date.
        link: connective to the previous sentence; only if the date comes last.
        subject_by, object_by: how the entities are named. The former is the subject of the
            sentence before, the latter its object.
    """

    subject: str
    phrase: Phrase
    object: str
    written_date: WrittenDate
    front: bool = False
    link: Link = Link.NONE
    subject_by: Naming = Naming.NAME
    object_by: Naming = Naming.NAME

    @property
    def fact(self) -> TextFact:
        """The fact that the sentence states."""
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
class FactText:
    """A text: sentences and an optional headline."""

    sentences: tuple[Sentence, ...]
    headline: Headline | None = None

    @property
    def facts(self) -> tuple[TextFact, ...]:
        """The stated facts, in text order."""
        return tuple(sentence.fact for sentence in self.sentences)


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
            name not in (sentence.subject, sentence.object) for sentence in text.sentences
        ):
            yield Clash.TITLE, f"the headline is about {name!r}, which is in no fact of the text"
    for before, after in pairwise(text.sentences):
        earlier, later = before.written_date.date, after.written_date.date
        if after.link is Link.LATER and not earlier < later:
            yield Clash.ORDER, f'{later} follows "Later", but is not after {earlier}'
        if after.link is Link.SAME_DAY and earlier != later:
            yield Clash.ORDER, f'{later} follows "On the same day", but differs from {earlier}'
    first = text.sentences[0]
    if first.link is not Link.NONE:
        yield Clash.ORDER, f'the first sentence has a connective ("{first.link}")'


def _tenses(text: FactText, day: date) -> Iterator[tuple[Clash, str]]:
    for sentence in text.sentences:
        if sentence.phrase.ahead != (sentence.written_date.date > day):
            tense = "future" if sentence.phrase.ahead else "past"
            message = f"{tense} tense for a fact of {sentence.written_date.date} in a text of {day}"
            yield Clash.TENSE, message
