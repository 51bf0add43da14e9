"""Facts with a date, and facts with an interval."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class Bound(StrEnum):
    """What a dated fact tells of its relation: its start, its end, or that it happens."""

    START = "start"
    END = "end"
    POINT = "point"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedFact:
    """A bound of a fact, on one day.

    Attributes:
        relation: without its bound: ``spouse``.
        written: the relation as it was written: ``startSpouse``.
        day: from the first of year 1.
        where: ``file:line``; empty if it was not read.
    """

    subject: str
    relation: str
    object: str
    bound: Bound
    day: int
    written: str
    where: str = ""

    def __str__(self) -> str:
        """Read as ``(Ada, startSpouse, Ben, 2026-01-31)``."""
        return f"({self.subject}, {self.written}, {self.object}, {date.fromordinal(self.day)})"

    def told(self) -> str:
        """The fact and where it stands."""
        return f"{self}{f' at {self.where}' if self.where else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalFact:
    """A fact that holds from one day to another.

    Attributes:
        start: its first day, from the first of year 1; None if it is not known.
        end: its last day; None if it is not known, or has not come.
        where: ``file:line``; empty if it was not read.
    """

    subject: str
    relation: str
    object: str
    start: int | None
    end: int | None
    where: str = ""

    def __str__(self) -> str:
        """Read as ``(Ada, spouse, Ben, [2026-01-31, ...])``."""
        days = (
            "..." if day is None else date.fromordinal(day).isoformat()
            for day in (self.start, self.end)
        )
        return f"({self.subject}, {self.relation}, {self.object}, [{', '.join(days)}])"

    @property
    def reversed(self) -> bool:
        """Whether it ends before it starts."""
        return self.start is not None and self.end is not None and self.end < self.start
