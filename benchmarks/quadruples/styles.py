"""Date styles of texts: month name or ISO, with a long, a short or no weekday."""

from __future__ import annotations

import re

from solver.reading.failures import InputError
from solver.reading.lines import lines
from solver.reading.source import open_input

NO_DATE = "no full date"

# The names of the calendar module depend on the locale.
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_LONG = "|".join(_DAYS)
_SHORT = "|".join(rf"{day[:3]}(?:s|rs|nes|ur)?\.?" for day in _DAYS)
_NAMES = "|".join(rf"{month}|{month[:3]}\.?|sept\.?" for month in _MONTHS)
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = re.compile(
    rf"(?:\b(?:(?P<long>{_LONG})|(?P<short>{_SHORT})),? +(?:the +)?)?"
    rf"\b(?:(?P<iso>\d{{4}}-\d{{2}}-\d{{2}})|(?P<month>(?:{_NAMES}) +{_ORDINAL},? +\d{{4}})"
    rf"|(?P<day>{_ORDINAL}(?: +of)? +(?:{_NAMES}),? +\d{{4}}))\b",
    re.IGNORECASE,
)
_KINDS = {"iso": "ISO", "month": "Month D, YYYY", "day": "D Month YYYY"}


def style(text: str) -> str:
    """The style of the first full date of a text, as in ``Month D, YYYY, long weekday``."""
    found = _DATE.search(text)
    if found is None:
        return NO_DATE
    kind = next(name for group, name in _KINDS.items() if found[group])
    weekday = next((size for size in ("long", "short") if found[size]), "no")
    return f"{kind}, {weekday} weekday"


def read_styles(path: str, count: int) -> tuple[str, ...]:
    """Read the styles of texts, one text per line, plain or gzip.

    Raises:
        InputError: the file cannot be read, or does not have ``count`` lines.
    """
    with open_input(path, "a file of texts") as source:
        read = tuple(lines(source))
    broken = next((line.error for line in read if line.error), None)
    if broken is not None:
        raise InputError(broken.message, where=broken.where, hint=broken.hint)
    if len(read) != count:
        raise InputError(
            f"found {len(read):,} texts, expected one for each of the {count:,} lines of the "
            "references",
            where=str(path),
        )
    return tuple(style(line.text) for line in read)
