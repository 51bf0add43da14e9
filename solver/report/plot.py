"""Plots as SVG documents: the same figures give the same bytes."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
