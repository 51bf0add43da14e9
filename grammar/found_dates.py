"""Dates found in texts of any writer: words or ISO, in the usual orders, with or without a weekday.

Only full dates count: without its year, a day of a month is no date.
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
        start, end: where it stands, from the weekday on if there is one.
        text: as it is written.
        date: what it means; None if there is no such day.
        weekday: that is said, from Monday as 0; None if none is.
    """

    start: int
    end: int
    text: str
    date: date | None
    weekday: int | None = None

    @property
    def false_weekday(self) -> bool:
        """Whether another weekday is said than the one it was."""
        return (
            self.date is not None
            and self.weekday is not None
            and self.date.weekday() != self.weekday
        )


def find_dates(text: str) -> Iterator[FoundDate]:
    """All full dates of a text, in their order."""
    for found in _FULL.finditer(text):
        said, name, day, year, day_first, name_second, year_last, *iso = found.groups()
        if iso[0] is not None:
            parts = (int(iso[0]), int(iso[1]), int(iso[2]))
        else:
            parts = (int(year or year_last), _month(name or name_second), int(day or day_first))
        try:
            meant = date(*parts)
        except ValueError:
            meant = None
        weekday = weekday_of(said.capitalize()) if said else None
        yield FoundDate(
            start=found.start(), end=found.end(), text=found[0], date=meant, weekday=weekday
        )


def _month(name: str) -> int:
    short = [month[:SHORT].lower() for month in MONTHS]
    return short.index(name[:SHORT].lower()) + 1
