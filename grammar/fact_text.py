"""What a text of dated facts says: its facts, how each is said, and whether that holds together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import pairwise

from grammar.dates import WEEKDAYS, WrittenDate
from grammar.fact_phrases import Phrase


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class SaidFact:
    """A fact that starts, ends or happens on a day."""

    subject: str
    relation: str
    object: str
    date: date

    def __str__(self) -> str:
        """Read as ``(Ada, endSpouse, Ben, 2026-01-31)``; half characters are escaped."""
        told = f"({self.subject}, {self.relation}, {self.object}, {self.date})"
        return told.encode(errors="backslashreplace").decode()


class Link(StrEnum):
    """How a sentence follows on the one before it."""

    NONE = "none"
    LATER = "later"
    SAME_DAY = "same-day"
    MEANWHILE = "meanwhile"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A fact as a sentence says it.

    Attributes:
        phrase: that says the relation.
        said: the date.
        front: whether the date opens the sentence.
        link: to the sentence before; only where the date comes last.
    """

    subject: str
    phrase: Phrase
    object: str
    said: WrittenDate
    front: bool = False
    link: Link = Link.NONE

    @property
    def fact(self) -> SaidFact:
        """What is said."""
        return SaidFact(
            subject=self.subject,
            relation=self.phrase.relation,
            object=self.object,
            date=self.said.date,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The day of a text, and a title."""

    said: WrittenDate
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FactText:
    """A text."""

    sentences: tuple[Sentence, ...]
    headline: Headline | None = None

    @property
    def facts(self) -> tuple[SaidFact, ...]:
        """Its facts, in the order in which they are said."""
        return tuple(one.fact for one in self.sentences)


class Clash(StrEnum):
    """In which way a text contradicts itself or the calendar."""

    WEEKDAY = "wrong-weekday"
    TENSE = "wrong-tense"
    ORDER = "wrong-order"


def clashes(text: FactText) -> Iterator[tuple[Clash, str]]:
    """What does not hold together in a text: weekdays, tenses and links; each told in words."""
    dates = [one.said for one in text.sentences]
    if text.headline is not None:
        dates.insert(0, text.headline.said)
    for said in dates:
        if said.weekday is not None and said.false_weekday:
            right, found = WEEKDAYS[said.date.weekday()], WEEKDAYS[said.weekday]
            yield Clash.WEEKDAY, f"{said.date} is a {right}, found {found}"
    if text.headline is not None:
        yield from _tenses(text, text.headline.said.date)
    for before, after in pairwise(text.sentences):
        earlier, later = before.said.date, after.said.date
        if after.link is Link.LATER and not earlier < later:
            yield Clash.ORDER, f"{later} is said to come later than {earlier}"
        if after.link is Link.SAME_DAY and earlier != later:
            yield Clash.ORDER, f"{later} is said to be the same day as {earlier}"
    first = text.sentences[0]
    if first.link is not Link.NONE:
        yield Clash.ORDER, f'the first sentence follows on another ("{first.link}")'


def _tenses(text: FactText, day: date) -> Iterator[tuple[Clash, str]]:
    for one in text.sentences:
        if one.phrase.ahead != (one.said.date > day):
            told = "still to come" if one.phrase.ahead else "over"
            yield Clash.TENSE, f"on {day}, a fact of {one.said.date} is said to be {told}"
