"""What clocks show in the time zones of the world, by the time-zone database of the machine."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

_DAY = 24 * 60
_NEAR = 2 * _DAY
FIRST_YEAR, LAST_YEAR = 1973, 2037
"""Offsets of these years are whole minutes, and not computed from a rule for all later years."""


class Offset(NamedTuple):
    """From one moment up to another one, clocks show so many minutes more than in UTC.

    Moments are minutes; minute 1440 is the beginning of 1 January of year 1.
    """

    first: int
    end: int
    minutes: int


def minute_of(year: int) -> int:
    """The minute at which a year begins in UTC."""
    return datetime(year, 1, 1, tzinfo=UTC).toordinal() * _DAY


@cache
def known_zones() -> frozenset[str]:
    """The names of the zones in the database."""
    return frozenset(available_timezones())


@cache
def zones() -> dict[str, str]:
    """The name of each zone in the database, by its place: ``New York`` is ``America/New_York``.

    Places that several continents have, and zones without a continent, are left out.
    """
    found: dict[str, list[str]] = {}
    for name in sorted(known_zones()):
        continent, _, place = name.partition("/")
        if place and "/" not in place and continent not in ("Etc", "SystemV", "US"):
            found.setdefault(place.replace("_", " "), []).append(name)
    return {place: names[0] for place, names in found.items() if len(names) == 1}


def offsets_near(zone: str, low: float, high: float) -> list[Offset]:
    """The offsets of a zone at the moments from one to another, and two days around them."""
    return [each for each in _offsets(zone) if each.end > low - _NEAR and each.first < high + _NEAR]


@cache
def _offsets(zone: str) -> tuple[Offset, ...]:
    return tuple(_changes(ZoneInfo(zone), minute_of(FIRST_YEAR), minute_of(LAST_YEAR + 1)))


def _changes(zone: ZoneInfo, first: int, end: int) -> Iterator[Offset]:
    """The offsets between two moments, by looking at each day and then at its minutes."""
    begun, minutes = first, _minutes(zone, first)
    for day in range(first, end, _DAY):
        low, high = day, min(day + _DAY, end)
        while _minutes(zone, high) != minutes:
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if _minutes(zone, middle) == minutes else (low, middle)
            yield Offset(first=begun, end=high, minutes=minutes)
            begun, minutes = high, _minutes(zone, high)
            low, high = high, min(day + _DAY, end)
    yield Offset(first=begun, end=end, minutes=minutes)


def _minutes(zone: ZoneInfo, moment: int) -> int:
    day, minute = divmod(moment, _DAY)
    at = datetime.fromordinal(day).replace(tzinfo=UTC) + timedelta(minutes=minute)
    offset = at.astimezone(zone).utcoffset()
    assert offset is not None
    return offset // timedelta(minutes=1)
