"""What texts of any writer mention: names and full dates, without reading their sentences.

Weaker than the grammar: a text that mentions all that it should may still say something else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from grammar.dates import WEEKDAYS
from grammar.fact_text import SaidFact
from grammar.found_dates import FoundDate, find_dates

HEADLINE_DAYS = 7
"""How far the date of a headline may lie from a fact."""

_ESCAPE = re.compile(r"\b[Uu]([0-9A-Fa-f]{4})\b")
_BRACKETS = re.compile(r"\([^()]*\)")
_GENERIC = re.compile(r"\bgeneric instance\b", re.IGNORECASE)


class Fault(StrEnum):
    """What a text fails to mention, or mentions wrongly; codes of ``verify --kind text``."""

    SUBJECT = "missing-subject"
    OBJECT = "missing-object"
    DATE = "missing-date"
    EXTRA_DATE = "extra-date"
    NO_DATE = "impossible-date"
    WEEKDAY = "wrong-weekday"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmentioned:
    """A fault of a text, and what shows it."""

    fault: Fault
    message: str
    fact: SaidFact | None = None


def unmentioned(
    text: str, facts: Sequence[SaidFact], *, normalised: bool = False
) -> Iterator[Unmentioned]:
    """What a text lacks of its facts, and the dates it has beside theirs.

    Args:
        text: of any writer.
        facts: that it is to say; empty names are passed over, for they cannot be mentioned.
        normalised: whether names are compared without what the release of YAGO 2026 does to them,
            see ``normalise``; else they have to stand there letter by letter.
    """
    dates = tuple(find_dates(text))
    meant = {one.date for one in dates}
    plain = normalise(text) if normalised else ""
    for fact in facts:
        for fault, name in ((Fault.SUBJECT, fact.subject), (Fault.OBJECT, fact.object)):
            there = mentions(plain, name) if normalised else name in text
            if name and not there:
                yield Unmentioned(fault=fault, message=f"{name!r} is not named", fact=fact)
        if fact.date not in meant:
            message = f"{fact.date} is not written in full"
            yield Unmentioned(fault=Fault.DATE, message=message, fact=fact)
    # A name may hold a date of its own: Treaty of May 5th, 1990.
    named = {one.date for fact in facts for one in find_dates(f"{fact.subject}\n{fact.object}")}
    yield from _dates(dates, {fact.date for fact in facts}, named)


def mentions(plain: str, name: str) -> bool:
    """Whether a normalised text holds a name, if need be without what is between brackets.

    What is between escaped brackets (``U0028``) belongs to the name.
    """
    bare = _BRACKETS.sub(" ", name)
    forms = (normalise(one) for one in (name, bare, _GENERIC.sub(" ", bare)))
    return any(form and form in plain for form in forms)


def normalise(text: str) -> str:
    """Letters and digits only, without case and accents; ``U002E`` is decoded first."""
    decoded = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
    return "".join(c for c in unicodedata.normalize("NFKD", decoded.casefold()) if c.isalnum())


def _dates(
    dates: Sequence[FoundDate], expected: set[date], named: set[date | None]
) -> Iterator[Unmentioned]:
    headline = dates[0].date if dates else None
    for place, one in enumerate(dates):
        if one.date is None:
            yield Unmentioned(fault=Fault.NO_DATE, message=f'there is no day "{one.text}"')
            continue
        if one.weekday is not None and one.false_weekday:
            right = WEEKDAYS[one.date.weekday()]
            said = WEEKDAYS[one.weekday]
            message = f"{one.date} is a {right}, found {said}"
            yield Unmentioned(fault=Fault.WEEKDAY, message=message)
        if one.date in expected or one.date in named:
            continue
        if one.date == headline and _near(one.date, expected):
            continue
        message = f'"{one.text}" is the date of no fact'
        if not place:
            message += f", nor of a headline within {HEADLINE_DAYS} days"
        yield Unmentioned(fault=Fault.EXTRA_DATE, message=message)


def _near(day: date, expected: set[date]) -> bool:
    return any(abs((day - one).days) <= HEADLINE_DAYS for one in expected)
