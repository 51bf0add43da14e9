"""Heat tables: counts or shares by row and column, with the colour strength of each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Tone(StrEnum):
    """Meaning of a cell's colour."""

    GOOD = "good"
    BAD = "bad"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatCell:
    """One cell: two lines of text and its colour; ``strength`` in [0, 1]."""

    text: str
    detail: str = ""
    strength: float = 0.0
    tone: Tone = Tone.NEUTRAL


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatRow:
    """One row of a table."""

    name: str
    cells: tuple[HeatCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatTable:
    """A table; ``corner`` labels rows and columns."""

    title: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[HeatRow, ...]
    note: str = ""


def percent(part: int, whole: int) -> str:
    """Share as ``16.4%``; a dash if ``whole`` is 0."""
    return f"{100 * part / whole:.1f}%" if whole else "–"


def cross_table(
    title: str,
    corner: str,
    counts: Mapping[str, Mapping[str, int]],
    columns: Sequence[str],
    agreeing: Mapping[str, str],
) -> HeatTable:
    """Cross-tabulate two variables that should agree; shares are of the row.

    Args:
        title: title of the table.
        corner: label of rows and columns.
        counts: row -> column -> items.
        columns: all columns, in order.
        agreeing: row -> the column that agrees with it; the other cells of the row are wrong. Cells
            of other rows are neutral.
    """
    rows = []
    for name, row in counts.items():
        total = sum(row.values())
        cells = []
        for column in columns:
            number = row.get(column, 0)
            tone = Tone.GOOD if agreeing.get(name) == column else Tone.BAD
            cells.append(
                HeatCell(
                    text=f"{number:,}",
                    detail=percent(number, total),
                    strength=round(number / total, 4) if total else 0.0,
                    tone=tone if name in agreeing else Tone.NEUTRAL,
                )
            )
        rows.append(HeatRow(name=name, cells=tuple(cells)))
    return HeatTable(title=title, corner=corner, columns=tuple(columns), rows=tuple(rows))
