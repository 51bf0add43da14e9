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
        relative: how it is written relative to another date, as ``two days later``; empty if it is
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
        rf"(?:(?:{a} (?:day|week|fortnight)|{number} (?:days|weeks))"
        r" (?:later|earlier|(?:before|after) (?:that|this report))"
        rf"|{the} (?:same|next|following) day|{the} day (?:before|after)(?: that| this report)?"
        rf"|{the} day of this report|{the} (?:following (?:{days})|(?:{days}) before))"
    )


RELATIVE = _relative("the", "a", _NUMBERS[2:])
RELATIVE_FIRST = _relative("The", "A", [number.capitalize() for number in _NUMBERS[2:]])
"""Regular expressions of dates relative to another one, within and at the start of a sentence;
they have no groups."""


def write_relative(day: date, last: date | None, report: date | None = None) -> tuple[str, ...]:
    """All ways to write a date relative to the last one in a text, or to that of the text."""
    found: list[str] = []
    if last is not None:
        days, weekday = (day - last).days, WEEKDAYS[day.weekday()]
        found += [] if days else ["the same day"]
        for span in _spans(abs(days)):
            if span != "the day":
                found.append(f"{span} {'later' if days > 0 else 'earlier'}")
            found.append(f"{span} {'after' if days > 0 else 'before'} that")
        if abs(days) == 1:
            words = ("the next day", "the following day", "the day after")
            found += words if days > 0 else ("the day before",)
        if 1 <= abs(days) <= _WEEK:
            found.append(f"the following {weekday}" if days > 0 else f"the {weekday} before")
    if report is not None:
        days = (day - report).days
        found += [] if days else ["the day of this report"]
        side = "after" if days > 0 else "before"
        found += [f"{span} {side} this report" for span in _spans(abs(days))]
    return tuple(found)


def _spans(days: int) -> Iterator[str]:
    """A number of days in words, which are none for 0."""
    if days == 1:
        yield from ("the day", "a day")
    elif days:
        yield f"{_in_words(days)} days"
    if days and days % _WEEK == 0:
        yield "a week" if days == _WEEK else f"{_in_words(days // _WEEK)} weeks"
    if days == 2 * _WEEK:
        yield "a fortnight"


def read_relative(words: str, last: date | None, report: date | None = None) -> date:
    """The date that words mean which ``RELATIVE`` matches.

    Args:
        words: in lower case.
        last: the last date that was stated.
        report: the date of the text.

    Raises:
        ValueError: there is no date to count from, the date is outside the calendar, or its number
            is written in another way; describes what was expected.
    """
    of_report = words.endswith("this report")
    start = report if of_report else last
    if start is None:
        missing = "the text has none" if of_report else "no date was stated before"
        raise ValueError(f"a date in full, as {missing}")
    number, unit, *rest = words.split(" ")
    if unit in WEEKDAYS:
        days = -((start.weekday() - WEEKDAYS.index(unit) - 1) % _WEEK + 1)
    elif unit == "following" and rest[0] in WEEKDAYS:
        days = (WEEKDAYS.index(rest[0]) - start.weekday() - 1) % _WEEK + 1
    elif unit in ("same", "next", "following"):
        days = 0 if unit == "same" else 1
    elif rest[0] == "of":
        days = 0
    else:
        count = 1 if number == "the" else _number(number)
        if number not in ("the", _in_words(count)):
            raise ValueError(f"{_in_words(count)} {unit}")
        days = count * {"d": 1, "w": _WEEK, "f": 2 * _WEEK}[unit[0]]
        days *= 1 if rest[0] in ("later", "after") else -1
    day = start.toordinal() + days
    if not date.min.toordinal() <= day <= date.max.toordinal():
        raise ValueError("a date within the calendar")
    return date.fromordinal(day)


def _number(words: str) -> int:
    return _NUMBERS.index(words) if words in _NUMBERS else int(words)


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
