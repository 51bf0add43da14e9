"""Bar plots of shares with confidence intervals."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Z = 1.96


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A share in [0, 1] with its 95% confidence interval; ``count`` of ``total`` items."""

    name: str
    count: int
    total: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BarPlot:
    """Bars side by side; ``top`` is the share at the upper edge of the plot."""

    title: str
    axis: str
    bars: tuple[Bar, ...]
    top: float

    @property
    def ticks(self) -> tuple[float, ...]:
        """Heights of the horizontal lines."""
        return (0.0, self.top / 2, self.top)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCount:
    """Number of wrong items in a group."""

    name: str
    wrong: int
    total: int


def share_bar(group: GroupCount) -> Bar:
    """A share with its Wilson interval (Wilson 1927), which is valid for small counts too."""
    count, total = group.wrong, group.total
    if not total:
        return Bar(name=group.name, count=0, total=0, share=0.0, low=0.0, high=0.0)
    share = count / total
    scale = 1 + Z**2 / total
    middle = (share + Z**2 / (2 * total)) / scale
    reach = Z * (share * (1 - share) / total + Z**2 / (4 * total**2)) ** 0.5 / scale
    return Bar(
        name=group.name,
        count=count,
        total=total,
        share=round(share, 4),
        low=round(max(middle - reach, 0.0), 4),
        high=round(min(middle + reach, 1.0), 4),
    )


def bar_plot(title: str, axis: str, groups: Sequence[GroupCount]) -> BarPlot:
    """Plot the share of wrong items in each group."""
    bars = tuple(share_bar(group) for group in groups)
    highest = max((bar.high for bar in bars), default=0.0)
    top = next((edge for edge in (0.1, 0.2, 0.4, 0.6, 0.8) if highest <= edge), 1.0)
    return BarPlot(title=title, axis=axis, bars=bars, top=top)


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


WIDTH = 6.4
HEIGHT = 4.0
_NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))
"""Metadata to omit: the time, and addresses on the web."""


class Plot:
    """A plot to draw on; ``svg`` is its document once the ``with plot()`` block has ended.

    Attributes:
        axes: matplotlib axes, one per panel from left to right.
    """

    def __init__(self, axes: list[Axes]) -> None:
        self.axes = axes
        self.svg = ""


@contextmanager
def plot(
    *, width: float = WIDTH, height: float = HEIGHT, panels: int = 1, legend: bool = False
) -> Iterator[Plot]:
    """Draw panels side by side; sizes are in inches.

    Args:
        width: width of the whole plot.
        height: height of the whole plot.
        panels: number of panels.
        legend: place the last panel's legend to the right of it.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    # A fixed salt: without it, the ids in the file are random.
    with rc_context({"svg.hashsalt": "hopcheck", "font.size": 9, "svg.fonttype": "none"}):
        figure = Figure(figsize=(width + 2 * legend, height), layout="constrained")
        drawn = Plot(list(figure.subplots(1, panels, squeeze=False)[0]))
        yield drawn
        if legend:
            drawn.axes[-1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=7)
        file = io.BytesIO()
        figure.savefig(file, format="svg", metadata=_NO_METADATA)
    drawn.svg = file.getvalue().decode()


def shade(
    axes: Axes,
    values: Sequence[Sequence[float]],
    texts: Sequence[Sequence[str]],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    most: float = 1.0,
) -> None:
    """Draw a heat map with texts, the first row on top; cell (x, y) is centred at (x, y).

    Args:
        axes: axes to draw on.
        values: values by row and column, from 0 to ``most``.
        texts: texts of the cells.
        rows: names of the rows.
        columns: names of the columns.
        most: the value of the darkest shade, above 0.
    """
    # Drawn cell by cell: the pages' content security policy allows no images.
    places = [[number - 0.5 for number in range(size + 1)] for size in (len(columns), len(rows))]
    axes.pcolormesh(*places, values, cmap="Blues", vmin=0, vmax=most, edgecolors="white")
    axes.invert_yaxis()
    for y, row in enumerate(texts):
        for x, text in enumerate(row):
            color = "white" if values[y][x] > 0.6 * most else "black"
            axes.text(x, y, text, ha="center", va="center", color=color)
    axes.set_xticks(range(len(columns)), list(columns))
    axes.set_yticks(range(len(rows)), list(rows))
