"""Dates in texts: six styles; weekdays are always computed from the date.

Source: future facts, section 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SHORT = 3
"""Number of letters of a short weekday, as ``Mon``."""


class DateStyle(StrEnum):
    """Style of a date: in words or in ISO 8601, with a long, a short or no weekday."""

    WORDS = "words"
    WORDS_SHORT = "words-short"
    WORDS_LONG = "words-long"
    ISO = "iso"
    ISO_SHORT = "iso-short"
    ISO_LONG = "iso-long"


_WEEKDAY_LENGTH = {
    DateStyle.WORDS_SHORT: SHORT, DateStyle.ISO_SHORT: SHORT,
    DateStyle.WORDS_LONG: None, DateStyle.ISO_LONG: None,
}  # fmt: skip
_IN_WORDS = {DateStyle.WORDS, DateStyle.WORDS_SHORT, DateStyle.WORDS_LONG}

_DAYS = "|".join((*WEEKDAYS, *(day[:SHORT] for day in WEEKDAYS)))
_WEEKDAY = f"(?:(?:{_DAYS}), )?"
_MONTH = "|".join(MONTHS)
_WORDS = rf"(?:{_MONTH}) [0-9]{{1,2}}(?:st|nd|rd|th), [0-9]{{1,4}}"
PATTERN = rf"{_WEEKDAY}(?:{_WORDS}|[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})(?!\w)"
"""Regular expression that matches all styles; it has no groups."""

_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_PARTS = re.compile(
    rf"(?:(?P<weekday>{_DAYS}), )?"
    rf"(?:(?P<name>{_MONTH}) (?P<day>[0-9]{{1,2}})(?P<ending>st|nd|rd|th), (?P<year>[0-9]{{1,4}})"
    r"|(?P<iso>(?P<y>[0-9]{4})-(?P<m>[0-9]{2})-(?P<d>[0-9]{2})))"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenDate:
    """A date in a text.

    Attributes:
        date: the date.
        style: how it is written.
        weekday: the written day of the week, Monday being 0; None if there is none.
        relative: how it is told relative to another date, as ``two days later``; empty if it is
            written in full.
    """

    date: date
    style: DateStyle
    weekday: int | None = None
    relative: str = ""

    @property
    def false_weekday(self) -> bool:
        """Whether the written weekday is wrong."""
        return self.weekday is not None and self.weekday != self.date.weekday()


def write_date(day: date, style: DateStyle) -> str:
    """Write a date: ``Thu, January 1st, 2026`` in the style ``words-short``."""
    if style in _IN_WORDS:
        written = f"{MONTHS[day.month - 1]} {day.day}{ordinal_ending(day.day)}, {day.year}"
    else:
        written = day.isoformat()
    if style in _WEEKDAY_LENGTH:
        return f"{WEEKDAYS[day.weekday()][: _WEEKDAY_LENGTH[style]]}, {written}"
    return written


def read_date(text: str) -> WrittenDate:
    """Read a date that ``PATTERN`` matches.

    Raises:
        ValueError: there is no such day, or its ending is wrong (``1th``); describes what was
            expected.
    """
    found = _PARTS.fullmatch(text)
    if found is None:
        raise ValueError("a date such as January 1st, 2026 or 2026-01-01")
    weekday = found["weekday"]
    in_words = found["iso"] is None
    if in_words:
        year, month, day = found["year"], MONTHS.index(found["name"]) + 1, found["day"]
        ending = ordinal_ending(int(day))
        if ending != found["ending"]:
            raise ValueError(f"{found['name']} {int(day)}{ending}")
    else:
        year, month, day = found["y"], int(found["m"]), found["d"]
    try:
        day_meant = date(int(year), month, int(day))
    except ValueError:
        raise ValueError("a valid date") from None
    style = _style(in_words, weekday)
    return WrittenDate(date=day_meant, style=style, weekday=weekday_of(weekday))


def day_number(text: str) -> int | None:
    """Proleptic ordinal of a date such as ``2014-01-31``; None if it is invalid."""
    try:
        return date.fromisoformat(text).toordinal() if _ISO.fullmatch(text) else None
    except ValueError:
        return None


def weekday_of(name: str | None) -> int | None:
    """The number of a weekday from its long or short name, Monday being 0."""
    return None if name is None else [day[:SHORT] for day in WEEKDAYS].index(name[:SHORT])


def ordinal_ending(number: int) -> str:
    """The ordinal suffix of a number: ``st`` of 21st, ``th`` of 11th."""
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def _style(in_words: bool, weekday: str | None) -> DateStyle:
    plain, brief, full = (
        (DateStyle.WORDS, DateStyle.WORDS_SHORT, DateStyle.WORDS_LONG)
        if in_words
        else (DateStyle.ISO, DateStyle.ISO_SHORT, DateStyle.ISO_LONG)
    )
    if weekday is None:
        return plain
    return brief if len(weekday) == SHORT else full


_NUMBERS = (
    "zero", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
_WEEK = 7


def _relative(the: str, a: str, numbers: Sequence[str]) -> str:
    days, number = "|".join(WEEKDAYS), rf"(?:{'|'.join(numbers)}|[1-9][0-9]{{1,6}})"
    return (
        rf"(?:{the} (?:same|next|following) day|{the} day before|{number} days (?:later|earlier)"
        rf"|(?:{a} week|{number} weeks) (?:later|earlier)"
        rf"|{the} (?:following (?:{days})|(?:{days}) before))"
    )


RELATIVE = _relative("the", "a", _NUMBERS[2:])
RELATIVE_FIRST = _relative("The", "A", [number.capitalize() for number in _NUMBERS[2:]])
"""Regular expressions of dates relative to another one, within and at the start of a sentence;
they have no groups."""


def write_relative(day: date, told: date) -> tuple[str, ...]:
    """All ways to tell a date relative to one that was told before."""
    days, weekday = (day - told).days, WEEKDAYS[day.weekday()]
    later, apart = "later" if days > 0 else "earlier", abs(days)
    if days == 0:
        return ("the same day",)
    found = []
    if apart == 1:
        found += ["the next day", "the following day"] if days > 0 else ["the day before"]
    else:
        found.append(f"{_in_words(apart)} days {later}")
    if apart % _WEEK == 0:
        weeks = apart // _WEEK
        found.append(f"{_in_words(weeks)} week{'s' * (weeks > 1)} {later}")
    if apart <= _WEEK:
        found.append(f"the following {weekday}" if days > 0 else f"the {weekday} before")
    return tuple(found)


def read_relative(words: str, told: date) -> date:
    """The date that words mean which ``RELATIVE`` matches.

    Raises:
        ValueError: it is outside the calendar, or its number is written in another way; describes
            what was expected.
    """
    parts = words.split(" ")
    if parts[0] != "the":
        days = _NUMBERS.index(parts[0]) if parts[0] in _NUMBERS else int(parts[0])
        if _in_words(days) != parts[0]:
            raise ValueError(f"{_in_words(days)} {parts[1]}")
        days *= _WEEK if parts[1].startswith("week") else 1
        days *= 1 if parts[2] == "later" else -1
    elif parts[1] in WEEKDAYS:
        days = -((told.weekday() - WEEKDAYS.index(parts[1]) - 1) % _WEEK + 1)
    elif parts[2] in WEEKDAYS:
        days = (WEEKDAYS.index(parts[2]) - told.weekday() - 1) % _WEEK + 1
    else:
        days = {"same": 0, "day": -1}.get(parts[1], 1)
    number = told.toordinal() + days
    if not date.min.toordinal() <= number <= date.max.toordinal():
        raise ValueError("a date within the calendar")
    return date.fromordinal(number)


def _in_words(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


_WEEKDAY_FOUND_DATES = "|".join((*WEEKDAYS, "Tues", "Thurs", *(day[:SHORT] for day in WEEKDAYS)))
_MONTH_FOUND_DATES = "|".join((*MONTHS, "Sept", *(month[:SHORT] for month in MONTHS)))
_DAY = r"([0-9]{1,2})(?:st|nd|rd|th)?"
_FULL = re.compile(
    rf"(?:\b({_WEEKDAY_FOUND_DATES})\b\.?,? (?:the )?)?"
    rf"(?:\b({_MONTH_FOUND_DATES})\b\.? {_DAY},? ([0-9]{{4}})"
    rf"|\b{_DAY} (?:of )?({_MONTH_FOUND_DATES})\b\.?,? ([0-9]{{4}})"
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
