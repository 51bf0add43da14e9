"""Times in texts: dates, months, weekdays, clock times, numbers, durations, as typed slots.

Each slot has a regular expression and a reader of what it matches; phrase tables refer to slots by
their names, as ``{date}``. Ambiguous notations have several readings, of which a table says one:
``{date}`` reads 02/01/1987 with the month first, ``{day_first}`` with the day first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from grammar.dates import MONTHS, WEEKDAYS

_MONTH = (
    "January|February|Feburary|Febuary|March|April|May|June|July|August|September|October"
    "|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec"
)
_WEEKDAY = (
    "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
    "|Mon|Tues|Tue|Wed|Thurs|Thur|Thu|Fri|Sat|Sun"
)
_CARDINALS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
_TENS = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
         "ninety": 90, "hundred": 100}  # fmt: skip
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth"),
)
_NUMBERS = {
    **{name: number for number, name in enumerate(_CARDINALS)},
    **_TENS,
    **{f"{ten}{sign}{_CARDINALS[digit]}": value + digit
       for ten, value in [("twenty", 20), *_TENS.items()] if ten != "hundred"
       for digit in range(1, 10) for sign in ("-", " ")},
    **dict.fromkeys(("a", "an"), 1),
}  # fmt: skip
_ORDINAL_NUMBERS = {name: number for number, name in enumerate(_ORDINALS, 1)}

_NUMBER = "|".join(["[0-9][0-9,]*", *sorted(_NUMBERS, key=len, reverse=True)])
_ORDINAL = "|".join(["[0-9]{1,3}(?:st|nd|rd|th)", *sorted(_ORDINALS, key=len, reverse=True)])
_UNIT = "second|minute|hour|day|week|fortnight|month|quarter|year|decade|century|centurie"
_DAY = "[0-9]{1,2}(?:st|nd|rd|th)?"
_YEAR = "[0-9]{4}"


class Sort(StrEnum):
    """What a time in a text is."""

    CLOCK = "clock"
    WEEKDAY = "weekday"
    DAY_OF_MONTH = "day of the month"
    MONTH = "month"
    MONTH_OF_YEAR = "month of a year"
    DATE = "date"
    YEAR = "year"


@dataclass(frozen=True, slots=True, kw_only=True)
class Time:
    """A time in a text.

    Attributes:
        sort: what it is.
        parts: a clock time in minutes, a weekday from Monday (0), or year, month and day as far as
            the text has them.
        text: as written.
    """

    sort: Sort
    parts: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Duration:
    """A duration in a text: amounts of units, such as 2 years and 3 months."""

    amounts: Mapping[str, int]
    text: str


def month_number(name: str) -> int:
    """The number of a month from its name or its beginning, from 1."""
    return [month[:3].lower() for month in MONTHS].index(name[:3].lower()) + 1


def weekday_number(name: str) -> int:
    """The number of a weekday from its name or its beginning, Monday being 0."""
    return [day[:3].lower() for day in WEEKDAYS].index(name[:3].lower())


def number(text: str) -> int:
    """A number in digits or words; ordinals count as numbers."""
    text = text.lower()
    if text in _ORDINAL_NUMBERS:
        return _ORDINAL_NUMBERS[text]
    if text in _NUMBERS:
        return _NUMBERS[text]
    return int(re.sub("[^0-9]", "", text))


_CLOCK_FORM = re.compile(
    r"(?P<hour>[0-9]{1,2})(?:[:.](?P<minute>[0-9]{2}))?(?: *(?P<half>[ap])\.?m\.?)?", re.IGNORECASE
)
_CLOCK_WORDS = {"noon": 12 * 60, "midday": 12 * 60, "midnight": 0}


def clock(text: str) -> int | None:
    """Minutes after midnight of ``9am``, ``9:30 PM``, ``20:00`` or ``noon``; None for no time."""
    if text.lower() in _CLOCK_WORDS:
        return _CLOCK_WORDS[text.lower()]
    found = _CLOCK_FORM.fullmatch(text)
    if found is None:
        return None
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if found["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found["half"].lower() == "p" else 0)
    elif found["minute"] is None:
        return None
    return 60 * hour + minute if hour <= 24 and minute < 60 else None


_WORDED = (
    # Month before day, day before month, in words or digits; the weekday before them is read apart.
    rf"(?P<m1>{_MONTH})\.?,? (?:the )?(?P<d1>{_DAY}),? (?:of )?(?P<y1>{_YEAR})"
    rf"|(?:the )?(?P<d2>{_DAY})(?: of)? (?P<m2>{_MONTH})\.?,? (?:of )?(?P<y2>{_YEAR})"
    rf"|(?P<y3>{_YEAR})[-/](?P<m3>[0-9]{{1,2}})[-/](?P<d3>[0-9]{{1,2}})"
    rf"|(?P<y5>{_YEAR}),? (?P<m5>{_MONTH})\.? (?P<d5>{_DAY})"
)
_DIGITS = r"(?P<a>[0-9]{1,2})(?P<sign>[-/.])(?P<b>[0-9]{1,2})(?P=sign)(?P<y4>[0-9]{4})"
_DATE_FORM = re.compile(f"{_WORDED}|{_DIGITS}", re.IGNORECASE)


def date_parts(text: str, *, day_first: bool = False) -> tuple[int, int, int] | None:
    """Year, month and day of a date in any of the usual notations; None for no date."""
    found = _DATE_FORM.fullmatch(text)
    if found is None:
        return None
    for form in "1235":
        if found[f"y{form}"]:
            month = found[f"m{form}"]
            named = month_number(month) if month[0].isalpha() else int(month)
            return int(found[f"y{form}"]), named, number(found[f"d{form}"])
    first, second = int(found["a"]), int(found["b"])
    month, day = (second, first) if day_first else (first, second)
    return int(found["y4"]), month, day


def _unnamed(pattern: str) -> str:
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)


_ANY_DATE = (
    _unnamed(_WORDED) + r"|[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}|[0-9]{1,2}-[0-9]{1,2}-[0-9]{4}"
    r"|[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}"
)
_ANY_CLOCK = (
    r"[0-9]{1,2}(?:[:.][0-9]{2})? *[ap]\.?m\.?(?![a-z])|[0-9]{1,2}:[0-9]{2}|noon|midday|midnight"
)

_MONTH_OF_YEAR = rf"(?P<m>{_MONTH})\.?,?(?: of)?,? (?P<y>{_YEAR})"
_TIME_FORMS: tuple[tuple[Sort, str], ...] = (
    (Sort.CLOCK, _ANY_CLOCK),
    (Sort.DATE, _ANY_DATE),
    (Sort.MONTH_OF_YEAR, _unnamed(_MONTH_OF_YEAR)),
    (Sort.YEAR, _YEAR),
    (Sort.DAY_OF_MONTH, "(?:the )?[0-9]{1,2}(?:st|nd|rd|th)"),
    (Sort.MONTH, rf"(?:{_MONTH})\.?"),
    (Sort.WEEKDAY, rf"(?:{_WEEKDAY})\.?"),
)
TIME = "|".join(f"(?:{form})" for _, form in _TIME_FORMS)
"""Regular expression of the times that ``read_time`` reads."""


def read_time(text: str) -> Time | None:
    """Read a time of any sort; None for no time."""
    for sort, form in _TIME_FORMS:
        if re.fullmatch(form, text, re.IGNORECASE):
            parts = _time_parts(sort, text)
            return None if parts is None else Time(sort=sort, parts=parts, text=text)
    return None


def _time_parts(sort: Sort, text: str) -> tuple[int, ...] | None:
    match sort:
        case Sort.CLOCK:
            minute = clock(text)
            return None if minute is None else (minute,)
        case Sort.DATE:
            return date_parts(text)
        case Sort.MONTH_OF_YEAR:
            found = re.fullmatch(_MONTH_OF_YEAR, text, re.IGNORECASE)
            return None if found is None else (int(found["y"]), month_number(found["m"]))
        case Sort.MONTH:
            return (month_number(text),)
        case Sort.WEEKDAY:
            return (weekday_number(text),)
    return (number(text.removeprefix("the ")),)


_AMOUNT = rf"(?P<n>{_NUMBER})[ -](?P<unit>{_UNIT})s*"
DURATION = rf"(?:{_unnamed(_AMOUNT)})(?:(?:,? and|,)? (?:{_unnamed(_AMOUNT)}))*"
"""Regular expression of the durations that ``read_duration`` reads."""


def read_duration(text: str) -> Duration:
    """Read a duration; units are in the singular, and some are reduced to others."""
    amounts: dict[str, int] = {}
    for found in re.finditer(_AMOUNT, text, re.IGNORECASE):
        unit, factor = _REDUCED.get(found["unit"].lower(), (found["unit"].lower(), 1))
        amounts[unit] = amounts.get(unit, 0) + factor * number(found["n"])
    return Duration(amounts=amounts, text=text)


_SECOND = r"[0-9]{1,2}(?::[0-9]{2}){0,2} ?[ap]m|[0-9]{1,2}(?::[0-9]{2}){1,2}(?: \(24hr\))?"
_LENGTH_PART = r"[0-9]+ (?:hour|minute|second)s?"
_LENGTH = (
    rf"{_LENGTH_PART}(?:(?:,? and|,) {_LENGTH_PART})*|[0-9]+:[0-9]{{2}}:[0-9]{{2}}|half an hour"
)
_OFFSET = r"[A-Z]{3,4} ?\(?[+-][0-9]{4}\)?|[+-][0-9]{4}(?: [A-Z]{3,4})?"


def second_of_day(text: str) -> int | None:
    """Seconds after midnight of ``8:31:14 AM``, ``17:05 (24hr)`` or ``2 PM``; None for no time."""
    numbers = [int(part) for part in re.findall("[0-9]+", text.replace("(24hr)", ""))]
    hour, minute, second = (*numbers, 0, 0)[:3]
    if text[-1:] in "mM":
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if text[-2] in "pP" else 0)
    return 3600 * hour + 60 * minute + second if hour < 24 and max(minute, second) < 60 else None


def read_length(text: str) -> int:
    """Seconds of ``2 hours, 3 minutes and 4 seconds`` or ``2:03:04``."""
    if text.lower() == "half an hour":
        return 1800
    if ":" in text:
        hours, minutes, seconds = map(int, text.split(":"))
        return 3600 * hours + 60 * minutes + seconds
    parts = re.findall(r"([0-9]+) ([hms])", text.lower())
    return sum(int(amount) * {"h": 3600, "m": 60, "s": 1}[unit] for amount, unit in parts)


def read_offset(text: str) -> int:
    """Seconds by which a time zone such as ``IST (+0530)`` is ahead of universal time."""
    found = re.search("([+-])([0-9]{2})([0-9]{2})", text)
    assert found is not None
    return int(f"{found[1]}1") * (3600 * int(found[2]) + 60 * int(found[3]))


_REDUCED = {
    "week": ("day", 7),
    "fortnight": ("day", 14),
    "quarter": ("month", 3),
    "decade": ("year", 10),
    "century": ("year", 100),
    "centurie": ("year", 100),
}

_HOLIDAY = r"[A-Z][A-Za-z'’.]*(?: [A-Z][A-Za-z'’.]*)*"

_OPERATORS = (
    "not|never|no|neither|nor|without|hardly|if|or|unless|except|may|might|could|would|should"
    "|perhaps|probably|maybe|thinks?|thought|believes?|believed|says?|said|wrong|false|incorrect"
    "|yesterday|today|tomorrow|ago|later|before|after"
)
"""Words that change what a sentence says of a day; ``{words}`` contains none of them."""

_CLOCK = "(?:noon|[0-9]{1,2}(?::[0-9]{2})?)"
_SPAN = rf"(?:from )?{_CLOCK} to ?{_CLOCK}"

SLOTS: Mapping[str, str] = {
    "date": rf"(?:(?:{_WEEKDAY})\.?,? )?(?:{_ANY_DATE})",
    "day_first": "[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4}",
    "month_day": (
        rf"[0-9]{{1,2}}/[0-9]{{1,2}}|(?:{_MONTH})\.? (?:{_DAY})"
        rf"|(?:the )?(?:{_DAY})(?: of)? (?:{_MONTH})"
    ),
    "month_of_year": _unnamed(_MONTH_OF_YEAR),
    "month": rf"(?:{_MONTH})\.?",
    "year": _YEAR,
    "weekday": rf"(?:{_WEEKDAY})\.?",
    "clock": _ANY_CLOCK,
    "minutes": "[0-9]{1,2}:[0-9]{2}",
    "direction": "ahead|behind",
    "time": TIME,
    "number": _NUMBER,
    "count": "[0-9]+",
    "second": _SECOND,
    "length": _LENGTH,
    "offset": _OFFSET,
    "zone": r"[A-Z][a-z]+(?: [A-Z][a-z]+)*",
    "astronomical": "-?[0-9]+ CE",
    "list": r"[^?\n]+?",
    "item": r"[^;,?\n]+?",
    "length_form": r"D days(?:, HH:MM(?::SS)?)?|HH:MM(?::SS(?:\.mmm)?)?",
    "when": r"[^;?\n]+?",
    "activity": r"[^.!?0-9\n]+?",
    "spans": rf"{_SPAN}(?:(?:,| and)(?: and)?(?: also)? {_SPAN})*",
    "ordinal": _ORDINAL,
    "duration": DURATION,
    "holiday": _HOLIDAY,
    "name": r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*",
    "words": rf"(?:(?!\b(?:{_OPERATORS})\b)[^.!?\n])*?",
}  # fmt: skip
"""Regular expressions of slots by their names."""
