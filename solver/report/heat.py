"""Heat tables: counts or shares by row and column, with how strongly each cell is coloured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Tone(StrEnum):
    """What a cell's colour says."""

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
    """A table; ``corner`` says what rows and columns are."""

    title: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[HeatRow, ...]
    note: str = ""


def percent(part: int, whole: int) -> str:
    """Share as ``16.4%``; a dash if there is nothing to share."""
    return f"{100 * part / whole:.1f}%" if whole else "–"


def cross_table(
    title: str,
    corner: str,
    counts: Mapping[str, Mapping[str, int]],
    columns: Sequence[str],
    agreeing: Mapping[str, str],
) -> HeatTable:
    """Tabulate two things that should agree; shares are of the row.

    Args:
        title: of the table.
        corner: what rows and columns are.
        counts: row -> column -> items.
        columns: all columns, in their order.
        agreeing: row -> the column that agrees with it; other cells are wrong. A row that is not
            there agrees with nothing and disagrees with nothing.
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
