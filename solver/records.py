"""A row of a benchmark file, as it was read: texts, the gold label and what the file says of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from solver.errors import HopcheckError
from solver.model import Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a row stands: ``line`` counts from 1, columns count characters from 1.

    The text of the row's premise starts at column ``premise`` of that line, its claim at
    ``claim``; None where the format has no such column (JSONL, Parquet). In Parquet a row is
    a line.
    """

    file: str
    line: int
    premise: int | None = None
    claim: int | None = None

    def at(self, column: int | None = None) -> str:
        """Read as ``file:line:column``, or ``file:line`` without a column."""
        line = f"{self.file}:{self.line}"
        return line if column is None else f"{line}:{column}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One item of a file in the published format; None where the file says nothing.

    Attributes:
        gold: the label as the file writes it, such as ``Impossible``.
        label: what ``gold`` means.
        declared: whether the file calls the premise possible (consistent).
        forced: whether the generator fixed the label by its cell.
        sampled: the relation that the generator sampled.
        events, relations: the sizes that the file declares.
        event_distance: breadth-first distance of the claim's events in the event graph.
        hops: the number of hops that the file declares (files made by hopcheck).
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
    """A row that could not be read; the rows after it are read all the same.

    Attributes:
        id: the item's id as far as it could be read, otherwise the number of its line.
        error: place, what was found, what was expected, and a hint.
    """

    id: str
    place: Place
    error: HopcheckError


ReadRecord: TypeAlias = Record | BrokenRecord
