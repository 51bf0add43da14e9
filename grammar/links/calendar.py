"""Calendar intervals of normalised times, and the order of a document's times that follows.

Source: TimeML 1.2.1, values of TIMEX3 (ISO 8601): years, halves, quarters, months, weeks, days,
hours, minutes and seconds. Durations, vague and relative values have no interval.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from itertools import pairwise

from grammar.eventhop.model import Bound, Point
from grammar.links.model import Document

_DATE = r"(?P<year>\d{4})"
_FORMS = (
    re.compile(rf"{_DATE}(?:-(?P<part>[QH])(?P<number>[1-4]))?"),
    re.compile(rf"{_DATE}-W(?P<week>\d\d)(?:-(?P<weekday>[1-7]))?"),
    re.compile(
        rf"{_DATE}-(?P<month>\d\d)(?:-(?P<day>\d\d)"
        r"(?:T(?P<hour>\d\d)(?::(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?)?)?)?"
    ),
)


def interval(value: str) -> tuple[datetime, datetime] | None:
    """First instant and end of a value; None if it is not a calendar interval."""
    for form in _FORMS:
        found = form.fullmatch(value.strip())
        if found is not None:
            try:
                return _interval({k: v for k, v in found.groupdict().items() if v is not None})
            except (ValueError, OverflowError):
                return None
    return None


def _interval(parts: Mapping[str, str]) -> tuple[datetime, datetime]:
    year = int(parts["year"])
    if "week" in parts:
        week = datetime.fromisocalendar(year, int(parts["week"]), int(parts.get("weekday", "1")))
        return week, week + timedelta(days=1 if "weekday" in parts else 7)
    if "part" in parts:
        months = 3 if parts["part"] == "Q" else 6
        first = months * (int(parts["number"]) - 1) + 1
        return datetime(year, first, 1), _month(year, first + months)
    if "month" not in parts:
        return datetime(year, 1, 1), datetime(year + 1, 1, 1)
    month = int(parts["month"])
    if "day" not in parts:
        return datetime(year, month, 1), _month(year, month + 1)
    clock = [int(parts[name]) for name in ("hour", "minute", "second") if name in parts]
    start = datetime(year, month, int(parts["day"]))
    length = (
        timedelta(days=1), timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)
    )[len(clock)]  # fmt: skip
    if clock and (clock[0] > 23 or max(clock) > 59):
        raise ValueError("no time of day")
    units = zip(clock, (3600, 60, 1), strict=False)
    start += timedelta(seconds=sum(number * unit for number, unit in units))
    return start, start + length


def _month(year: int, month: int) -> datetime:
    """The first day of a month; months count on after the twelfth."""
    return datetime(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)


def dated_order(document: Document) -> Iterator[tuple[Point, bool, Point]]:
    """Steps between the ends of a document's times that the calendar orders.

    Each step leads to a later point, or to one that is no earlier (False); neighbours on the
    calendar are enough.
    """
    points: list[tuple[datetime, str, Bound]] = []
    for name, node in document.nodes.items():
        found = interval(node.value) if node.is_time and node.value else None
        if found is not None:
            points += [(found[0], name, Bound.START), (found[1], name, Bound.END)]
    points.sort()
    for (when, name, bound), (later, other, other_bound) in pairwise(points):
        left, right = Point(event=name, bound=bound), Point(event=other, bound=other_bound)
        yield left, when < later, right
        if when == later:
            yield right, False, left
