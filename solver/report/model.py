"""The content of a report, independent of its form: sections of text, tables and plots.

A command builds a ``Report``; ``solver.report.page`` renders it as HTML or Markdown, and
``solver.io.terminal`` prints its tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Tone(StrEnum):
    """Meaning of a cell's colour."""

    GOOD = "good"
    BAD = "bad"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A coloured cell, or a bar.

    Attributes:
        detail: a second, smaller line.
        strength: depth of the colour, in [0, 1].
        bar: length of a bar in percent of the longest; None for a cell without a bar.
    """

    text: str = ""
    detail: str = ""
    strength: float = 0.0
    tone: Tone = Tone.NEUTRAL
    bar: float | None = None

    def __str__(self) -> str:
        """The text of the cell, for renderers without colours."""
        return f"{self.text} ({self.detail})" if self.detail else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows under named columns; numbers are formatted by the caller and right-aligned.

    Attributes:
        best: (row, column) of cells to highlight.
        title: caption.
        note: remark below the table.
        folded: title under which the table is folded away; empty for a table in full view.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str | Cell, ...], ...]
    best: frozenset[tuple[int, int]] = frozenset()
    title: str = ""
    note: str = ""
    folded: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A sentence of a list; ``warning`` if it reports a problem."""

    text: str
    warning: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A numbered sentence of an item; ``used`` if the item's explanation refers to it."""

    number: int
    text: str
    used: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit:
    """An item with its explanation and drawing, folded under one line.

    Attributes:
        claim: what the item asks.
        labels: gold label and proved label; ``wrong`` if they differ.
        tags: short remarks, such as causes.
        text: the text that the item is about.
        notes: remarks above the explanation.
        heading: title of the explanation.
        words: the explanation, line by line.
        drawing: SVG, safe to embed in a page.
        place: the position in the file, and the findings.
    """

    id: str
    claim: str
    labels: tuple[str, str]
    wrong: bool
    tags: tuple[str, ...]
    text: str
    sentences: tuple[Sentence, ...]
    notes: tuple[str, ...]
    heading: str
    words: tuple[str, ...]
    drawing: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a listing.

    Attributes:
        name: name in addresses, such as ``cause``.
        title: heading.
        values: a value for each row; those of a filter may be tuples of the choices that apply.
        filtered: whether rows can be filtered by the values.
        width: share of the width of the table, None for a column that the table leaves out.
        minor: whether narrow windows leave the column out.
        mark: whether the values are highlighted as problems.
        long: whether the values are texts, shown as paragraphs of a row that is opened.
    """

    name: str
    title: str
    values: Sequence[str | tuple[str, ...]]
    filtered: bool = False
    width: int | None = 10
    minor: bool = False
    mark: bool = False
    long: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Any number of rows to filter, search and open; a page has at most one.

    Attributes:
        columns: the first one says where a row is.
        proofs: a proof for each row, to put into words and to draw: docs/report.md; empty if rows
            have none.
        left_out: number of rows that are only in ``file``.
    """

    columns: tuple[Column, ...]
    proofs: Sequence[Mapping[str, Any] | None] = ()
    left_out: int = 0
    file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of a report; its contents are shown in the order of the attributes.

    In ``text``, points and definitions, a part between backticks is shown as code.

    Attributes:
        plots: name -> SVG document, as ``solver.report.charts`` makes them; a Markdown report
            has them in files of these names.
        definitions: name -> meaning.
    """

    title: str
    text: str = ""
    points: tuple[Point, ...] = ()
    plots: Mapping[str, str] = field(default_factory=dict)
    tables: tuple[Table, ...] = ()
    definitions: Mapping[str, str] = field(default_factory=dict)
    exhibits: tuple[Exhibit, ...] = ()
    listing: Listing | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A headline with the result, facts about the run, sections.

    Attributes:
        lead: the result in one or more sentences, one paragraph per line.
        footer: remark at the end.
    """

    title: str
    lead: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()
    footer: str = ""
