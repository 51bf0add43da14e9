"""A row of a benchmark file as read: texts, gold label and declared metadata."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from solver.errors import HopcheckError
from solver.model import Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Position of a row: ``line`` counts from 1, columns count characters from 1.

    ``premise`` and ``claim`` are the columns at which these texts start; None in formats without
    columns (JSONL, Parquet). In Parquet ``line`` is the row number.
    """

    file: str
    line: int
    premise: int | None = None
    claim: int | None = None

    def at(self, column: int | None = None) -> str:
        """Format as ``file:line:column``, or ``file:line`` without a column."""
        line = f"{self.file}:{self.line}"
        return line if column is None else f"{line}:{column}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One item of a file; None marks a missing value.

    Attributes:
        gold: the label as written, such as ``Impossible``.
        label: ``gold`` as a ``Label``.
        declared: whether the premise is declared possible (consistent).
        forced: whether the generator fixed the label by its cell.
        sampled: the relation that the generator sampled.
        events, relations: declared sizes.
        event_distance: breadth-first distance of the claim's events in the event graph.
        hops: declared number of hops (files made by hopcheck).
    """

    id: str
    premise: str
    claim: str
    gold: str | None
    label: Label | None
    place: Place
    declared: bool | None = None
    forced: bool | None = None
    sampled: str | None = None
    events: int | None = None
    relations: int | None = None
    event_distance: int | None = None
    hops: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenRecord:
    """A malformed row; reading continues with the next one.

    Attributes:
        id: the item's id if it could be read, otherwise its line number.
        error: position, what was found, what was expected, and a hint.
    """

    id: str
    place: Place
    error: HopcheckError


ReadRecord: TypeAlias = Record | BrokenRecord
