"""Moves texts and their facts to another year and recomputes weekdays.

Texts of this grammar are parsed, moved and rewritten. In other texts only full dates are replaced.
"""

from __future__ import annotations

import re
from calendar import isleap
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, date

from generators.texts.run import date_in_style
from grammar.dates import WEEKDAYS, FoundDate, WrittenDate, find_dates
from grammar.errors import ParseError, UnwritableError
from grammar.texts.model import FactText, TextFact
from grammar.texts.reader import read_text
from grammar.texts.writer import write_text

_WEEKDAY = re.compile(r"[A-Za-z]+")
_YEAR = re.compile(r"[0-9]{4}")
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DAY = re.compile(r"(?<![0-9])29(?![0-9])")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftedText:
    """A text in another year.

    Attributes:
        ours: whether the whole text was parsed; else only its dates were replaced.
    """

    text: str
    facts: tuple[TextFact, ...]
    ours: bool


def shift_text(text: str, facts: tuple[TextFact, ...], years: int) -> ShiftedText:
    """Move a text and its facts by a number of years.

    29 February becomes 28 February in common years.

    Raises:
        UnwritableError: a date would be outside the calendar.
    """
    later = tuple(replace(one, date=shift_date(one.date, years)) for one in facts)
    try:
        read = read_text(text)
    except ParseError:
        return ShiftedText(text=_shift_dates(text, facts, years), facts=later, ours=False)
    return ShiftedText(text=write_text(_shift_sentences(read, years)), facts=later, ours=True)


def shift_date(day: date, years: int) -> date:
    """The same day of another year.

    Raises:
        UnwritableError: the year is outside the calendar.
    """
    year = day.year + years
    if not MINYEAR <= year <= MAXYEAR:
        raise UnwritableError(f"found the year {year}, expected {MINYEAR} to {MAXYEAR}")
    leap_day = (day.month, day.day) == (2, 29) and not isleap(year)
    return day.replace(year=year, day=28 if leap_day else day.day)


def _shift_sentences(read: FactText, years: int) -> FactText:
    def later(one: WrittenDate) -> WrittenDate:
        return date_in_style(shift_date(one.date, years), one.style)

    headline = read.headline
    return FactText(
        sentences=tuple(
            replace(one, written_date=later(one.written_date)) for one in read.sentences
        ),
        headline=None
        if headline is None
        else replace(headline, written_date=later(headline.written_date)),
    )


def _shift_dates(text: str, facts: tuple[TextFact, ...], years: int) -> str:
    """Replace each full date that is not part of a name."""
    names = {name for one in facts for name in (one.subject, one.object) if name}
    kept = [span.span() for name in names for span in re.finditer(re.escape(name), text)]
    parts, end = [], 0
    for one in find_dates(text):
        within = any(first <= one.start and one.end <= last for first, last in kept)
        if one.date is not None and not within:
            parts += [text[end : one.start], _rewritten(one, one.date, years)]
            end = one.end
    return "".join((*parts, text[end:]))


def _rewritten(one: FoundDate, day: date, years: int) -> str:
    later = shift_date(day, years)
    if _ISO.search(one.text):
        written = _ISO.sub(later.isoformat(), one.text)
    else:
        written = _YEAR.sub(f"{later.year:04}", one.text)
        if later.day != day.day:
            written = _DAY.sub(str(later.day), written)
    if one.weekday is None:
        return written
    weekday = _WEEKDAY.match(written)
    if weekday is None:
        return written
    name = WEEKDAYS[later.weekday()]
    name = name if len(weekday[0]) > len("Thurs") else name[: len("Mon")]
    if weekday[0].isupper():
        name = name.upper()
    return name + written[weekday.end() :]
