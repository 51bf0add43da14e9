"""Finds full dates in free text: in words or ISO 8601, with or without a weekday.

A date without a year is not a full date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from grammar.dates import MONTHS, SHORT, WEEKDAYS, weekday_of

_WEEKDAY = "|".join((*WEEKDAYS, "Tues", "Thurs", *(day[:SHORT] for day in WEEKDAYS)))
_MONTH = "|".join((*MONTHS, "Sept", *(month[:SHORT] for month in MONTHS)))
_DAY = r"([0-9]{1,2})(?:st|nd|rd|th)?"
_FULL = re.compile(
    rf"(?:\b({_WEEKDAY})\b\.?,? (?:the )?)?"
    rf"(?:\b({_MONTH})\b\.? {_DAY},? ([0-9]{{4}})"
    rf"|\b{_DAY} (?:of )?({_MONTH})\b\.?,? ([0-9]{{4}})"
    r"|(?<![\w-])([0-9]{4})-([0-9]{2})-([0-9]{2}))(?![0-9-])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDate:
    """A full date in a text.

    Attributes:
        start, end: character offsets, including the weekday if there is one.
        text: as written.
        date: its value; None if it is not a valid date.
        weekday: the weekday as written, Monday is 0; None if there is none.
    """

    start: int
    end: int
    text: str
    date: date | None
    weekday: int | None = None

    @property
    def false_weekday(self) -> bool:
        """Whether the written weekday contradicts the calendar."""
        return (
            self.date is not None
            and self.weekday is not None
            and self.date.weekday() != self.weekday
        )


def find_dates(text: str) -> Iterator[FoundDate]:
    """Find all full dates of a text, in order."""
    for found in _FULL.finditer(text):
        weekday_name, name, day, year, day_first, name_second, year_last, *iso = found.groups()
        if iso[0] is not None:
            parts = (int(iso[0]), int(iso[1]), int(iso[2]))
        else:
            parts = (int(year or year_last), _month(name or name_second), int(day or day_first))
        try:
            meant = date(*parts)
        except ValueError:
            meant = None
        weekday = weekday_of(weekday_name.capitalize()) if weekday_name else None
        yield FoundDate(
            start=found.start(), end=found.end(), text=found[0], date=meant, weekday=weekday
        )


def _month(name: str) -> int:
    short = [month[:SHORT].lower() for month in MONTHS]
    return short.index(name[:SHORT].lower()) + 1
