"""Dated facts and interval facts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class Bound(StrEnum):
    """What a dated fact marks: the start or the end of an interval, or a point event."""

    START = "start"
    END = "end"
    POINT = "point"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedFact:
    """A bound of an interval fact, or a point event, on one day.

    Attributes:
        relation: the base relation: ``spouse``.
        written: the relation as written: ``startSpouse``.
        day: proleptic ordinal (1 is 0001-01-01).
        where: ``file:line``; empty if not read from a file.
    """

    subject: str
    relation: str
    object: str
    bound: Bound
    day: int
    written: str
    where: str = ""

    def __str__(self) -> str:
        """Format as ``(Ada, startSpouse, Ben, 2026-01-31)``."""
        return f"({self.subject}, {self.written}, {self.object}, {date.fromordinal(self.day)})"

    def located(self) -> str:
        """Format the fact with its file and line."""
        return f"{self}{f' at {self.where}' if self.where else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalFact:
    """A fact that holds over an interval of days.

    Attributes:
        start: first day, as a proleptic ordinal; None if unknown.
        end: last day; None if unknown or still open.
        where: ``file:line``; empty if not read from a file.
    """

    subject: str
    relation: str
    object: str
    start: int | None
    end: int | None
    where: str = ""

    def __str__(self) -> str:
        """Format as ``(Ada, spouse, Ben, [2026-01-31, ...])``."""
        days = (
            "..." if day is None else date.fromordinal(day).isoformat()
            for day in (self.start, self.end)
        )
        return f"({self.subject}, {self.relation}, {self.object}, [{', '.join(days)}])"

    @property
    def reversed(self) -> bool:
        """Whether the interval ends before it starts."""
        return self.start is not None and self.end is not None and self.end < self.start
