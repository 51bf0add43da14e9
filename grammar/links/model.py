"""Documents with events, times and the temporal links that annotators drew between them.

Frozen values; the meaning of the relations is defined in ``encodings/links``. Calendar intervals of
normalised times order the times of a document. Source: TimeML 1.2.1, values of TIMEX3 (ISO 8601):
years, halves, quarters, months, weeks, days, hours, minutes and seconds. Durations, vague and
relative values have no interval.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import pairwise

from grammar.eventhop.model import Bound, Point


class RelationType(StrEnum):
    """The relations of a link; the first 14 are TimeML's."""

    BEFORE = "BEFORE"
    AFTER = "AFTER"
    IBEFORE = "IBEFORE"
    IAFTER = "IAFTER"
    INCLUDES = "INCLUDES"
    IS_INCLUDED = "IS_INCLUDED"
    SIMULTANEOUS = "SIMULTANEOUS"
    IDENTITY = "IDENTITY"
    BEGINS = "BEGINS"
    BEGUN_BY = "BEGUN_BY"
    ENDS = "ENDS"
    ENDED_BY = "ENDED_BY"
    DURING = "DURING"
    DURING_INV = "DURING_INV"
    OVERLAP = "OVERLAP"
    STARTS_BEFORE = "STARTS_BEFORE"
    STARTS_AFTER = "STARTS_AFTER"
    STARTS_EQUAL = "STARTS_EQUAL"
    VAGUE = "VAGUE"

    # Relations are dictionary keys: the enum's default hash is ten times slower than a string's.
    __hash__ = str.__hash__


INVERSE: Mapping[RelationType, RelationType] = {
    relation: other
    for pair in (
        (RelationType.BEFORE, RelationType.AFTER),
        (RelationType.IBEFORE, RelationType.IAFTER),
        (RelationType.INCLUDES, RelationType.IS_INCLUDED),
        (RelationType.SIMULTANEOUS, RelationType.SIMULTANEOUS),
        (RelationType.IDENTITY, RelationType.IDENTITY),
        (RelationType.BEGINS, RelationType.BEGUN_BY),
        (RelationType.ENDS, RelationType.ENDED_BY),
        (RelationType.DURING, RelationType.DURING_INV),
        (RelationType.OVERLAP, RelationType.OVERLAP),
        (RelationType.STARTS_BEFORE, RelationType.STARTS_AFTER),
        (RelationType.STARTS_EQUAL, RelationType.STARTS_EQUAL),
        (RelationType.VAGUE, RelationType.VAGUE),
    )
    for relation, other in (pair, pair[::-1])
}
"""``A r B`` means the same as ``B INVERSE[r] A``."""


class Reading(StrEnum):
    """How the comparisons ``<`` of the relations are read: as ``<=`` or as ``<``."""

    LENIENT = "lenient"
    ALLEN = "allen"


class During(StrEnum):
    """Meaning of ``DURING``: as ``IS_INCLUDED``, or as ``SIMULTANEOUS`` (TempEval-3's scorer)."""

    INCLUDED = "included"
    SIMULTANEOUS = "simultaneous"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpretation:
    """What the links of a document mean.

    Attributes:
        reading: of the comparisons ``<``.
        during: of ``DURING``.
        dates: whether the calendar orders times with normalised values.
    """

    reading: Reading = Reading.LENIENT
    during: During = During.INCLUDED
    dates: bool = False


class Format(StrEnum):
    """Format of a document; it decides how links are written."""

    TIMEML = "timeml"
    TABLE = "table"
    PAIRS = "pairs"
    STARTS = "starts"
    JSON = "json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """An event or a time.

    Attributes:
        id: what links refer to: the id of an event instance, or of a time.
        is_time: whether it is a time expression.
        word: its text.
        sentence: the text around it.
        value: normalised value of a time, such as ``1998-02-27``.
    """

    id: str
    is_time: bool = False
    word: str = ""
    sentence: str = ""
    value: str = ""

    def __str__(self) -> str:
        """Format as ``e4 "said"``, or ``e4`` without a text."""
        return f'{self.id} "{self.word}"' if self.word else self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link between two nodes.

    Attributes:
        id: as in the file; the number of the row in a table.
        left, right: ids of the nodes.
        relation: the relation of left to right.
        written: the relation as in the file.
        line: line in the file, from 1.
        weight: cost of removing it, a positive whole number.
        span: first byte and end of the link in the file.
    """

    id: str
    left: str
    right: str
    relation: RelationType
    written: str = ""
    line: int = 0
    weight: int = 1
    span: tuple[int, int] = (0, 0)

    def __str__(self) -> str:
        """Format as ``12: e4 AFTER e20``."""
        return f"{self.id}: {self.left} {self.written or self.relation} {self.right}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step of a cycle, from a point to a later one, or to one that is no earlier.

    Attributes:
        strict: whether the target is later.
        relation: index of the link that the step follows from; None for a duration or the calendar.
    """

    source: Point
    target: Point
    strict: bool
    relation: int | None


class FlawCode(StrEnum):
    """Why a link is left out."""

    DANGLING = "dangling-id"
    UNKNOWN = "unknown-relation"
    SELF = "self-link"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """A link that is left out, with its id, its line and what is wrong with it."""

    code: FlawCode
    link: str
    line: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """An annotated document.

    Attributes:
        name: its name; unique in its file.
        file: the file that it was read from.
        format: the format of that file.
        nodes: its events and times by id, in the order of the text.
        links: its links, in the order of the file.
        flaws: links that are left out.
    """

    name: str
    file: str = ""
    format: Format = Format.JSON
    nodes: Mapping[str, Node] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    flaws: tuple[Flaw, ...] = ()

    def where(self, line: int) -> str:
        """A position as ``file:line``."""
        return f"{self.file}:{line}" if line else self.file


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
