"""Moves texts and their facts to another year; weekdays are computed anew.

Texts of ours are read, moved and written again. In texts of others each full date is written anew
in its place, and all else stays letter by letter.
"""

from __future__ import annotations

import re
from calendar import isleap
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, date

from generators.texts.draft import said
from grammar.dates import WEEKDAYS, WrittenDate
from grammar.errors import ParseError, UnwritableError
from grammar.fact_reader import read_text
from grammar.fact_text import FactText, SaidFact
from grammar.fact_writer import write_text
from grammar.found_dates import FoundDate, find_dates

_WEEKDAY = re.compile(r"[A-Za-z]+")
_YEAR = re.compile(r"[0-9]{4}")
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DAY = re.compile(r"(?<![0-9])29(?![0-9])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A text in another year.

    Attributes:
        ours: whether the whole text was read; else only its dates were found.
    """

    text: str
    facts: tuple[SaidFact, ...]
    ours: bool


def moved(text: str, facts: tuple[SaidFact, ...], years: int) -> Moved:
    """Move a text and its facts by some years.

    A 29th of February becomes the 28th where there is none.

    Raises:
        UnwritableError: a date would leave the calendar.
    """
    later = tuple(replace(one, date=moved_date(one.date, years)) for one in facts)
    try:
        read = read_text(text)
    except ParseError:
        return Moved(text=_moved_dates(text, facts, years), facts=later, ours=False)
    return Moved(text=write_text(_moved_text(read, years)), facts=later, ours=True)


def moved_date(day: date, years: int) -> date:
    """The same day of another year.

    Raises:
        UnwritableError: there is no such year.
    """
    year = day.year + years
    if not MINYEAR <= year <= MAXYEAR:
        raise UnwritableError(f"found the year {year}, expected {MINYEAR} to {MAXYEAR}")
    leap_day = (day.month, day.day) == (2, 29) and not isleap(year)
    return day.replace(year=year, day=28 if leap_day else day.day)


def _moved_text(read: FactText, years: int) -> FactText:
    def later(one: WrittenDate) -> WrittenDate:
        return said(moved_date(one.date, years), one.style)

    headline = read.headline
    return FactText(
        sentences=tuple(replace(one, said=later(one.said)) for one in read.sentences),
        headline=None if headline is None else replace(headline, said=later(headline.said)),
    )


def _moved_dates(text: str, facts: tuple[SaidFact, ...], years: int) -> str:
    """A text with each full date moved that does not belong to a name."""
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
    later = moved_date(day, years)
    if _ISO.search(one.text):
        written = _ISO.sub(later.isoformat(), one.text)
    else:
        written = _YEAR.sub(f"{later.year:04}", one.text)
        if later.day != day.day:
            written = _DAY.sub(str(later.day), written)
    if one.weekday is None:
        return written
    spoken = _WEEKDAY.match(written)
    if spoken is None:
        return written
    name = WEEKDAYS[later.weekday()]
    name = name if len(spoken[0]) > len("Thurs") else name[: len("Mon")]
    if spoken[0].isupper():
        name = name.upper()
    return name + written[spoken.end() :]
