"""Charts as SVG documents: bars, curves, heat maps, and the canvas for all others.

matplotlib is imported only to draw. The same values give the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.drawing.canvas import legible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 6.4
HEIGHT = 4.0
_NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))
"""Metadata to omit: the time, and addresses on the web."""

_DASHES = ("-", "--", "-.", ":")
_ROW = 0.3
"""Height of a row of a chart, in inches."""


class Plot:
    """A plot to draw on; ``svg`` is its document once the ``with plot()`` block has ended.

    Attributes:
        axes: matplotlib axes, one per panel from left to right.
    """

    def __init__(self, axes: list[Axes]) -> None:
        self.axes = axes
        self.svg = ""


def figure(width: float, height: float) -> Figure:
    """An empty figure of that size in inches, whose panels are laid out without overlaps."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


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
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    # A fixed salt: without it, the ids in the file are random.
    with rc_context(
        {
            "svg.hashsalt": "hopcheck",
            "font.size": 9,
            "svg.fonttype": "none",
            "text.parse_math": False,
        }
    ):
        canvas = figure(width + 2 * legend, height)
        drawn = Plot(list(canvas.subplots(1, panels, squeeze=False)[0]))
        yield drawn
        if legend:
            drawn.axes[-1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=7)
        _make_legible(canvas)
        # Laid out here and once: to lay it out, savefig would draw all of it without output.
        FigureCanvasSVG(canvas)
        engine = canvas.get_layout_engine()
        if engine is not None:
            engine.execute(canvas)
        canvas.set_layout_engine("none")
        file = io.BytesIO()
        canvas.savefig(file, format="svg", metadata=_NO_METADATA)
    drawn.svg = file.getvalue().decode()


def _make_legible(figure: Figure) -> None:
    """Replace the characters of names that no font has, such as control characters."""
    from matplotlib.text import Text
    from matplotlib.ticker import FixedFormatter

    for text in figure.findobj(Text):
        if isinstance(text, Text):
            text.set_text(_legible(text.get_text()))
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            formatter = axis.get_major_formatter()
            if isinstance(formatter, FixedFormatter):
                formatter.seq = [_legible(name) for name in formatter.seq]


def _legible(text: str) -> str:
    return "\n".join(legible(line) if line.strip() else "" for line in text.split("\n"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Values, one per name on the axis of a chart; None for a missing value.

    Attributes:
        low: lower ends of the intervals; empty for values without intervals. Likewise ``high``.
    """

    name: str
    values: Sequence[float | None]
    low: Sequence[float | None] = ()
    high: Sequence[float | None] = ()


def bar_chart(
    names: Sequence[str],
    series: Sequence[Series],
    *,
    axis: str,
    title: str = "",
    top: float = 1.05,
    labelled: bool = False,
) -> str:
    """Horizontal bars with their intervals, one group of bars per name, the first name on top.

    Args:
        names: names of the groups.
        series: bars of one colour each, drawn next to each other.
        axis: label of the values.
        title: title of the chart.
        top: the greatest value that can be drawn.
        labelled: write the values next to the bars.
    """
    breadth = 0.8 / max(len(series), 1)
    height = 0.9 + _ROW * len(names) * max(1.0, len(series) / 3)
    with plot(height=height, legend=len(series) > 1) as drawn:
        axes = drawn.axes[0]
        for number, other_series in enumerate(series):
            shift = breadth * (number - (len(series) - 1) / 2)
            places = [place + shift for place in range(len(names))]
            values = [value or 0.0 for value in other_series.values]
            ends = _ends(values, other_series) if other_series.low else None
            made = axes.barh(
                places, values, height=0.9 * breadth, xerr=ends, label=other_series.name, capsize=2
            )
            if labelled:
                axes.bar_label(made, fmt="%.2f", padding=2)
        axes.set_yticks(range(len(names)), list(names))
        axes.invert_yaxis()
        axes.set(xlim=(0, top), xlabel=axis, title=title)
    return drawn.svg


def _ends(values: Sequence[float], series: Series) -> list[list[float]]:
    """Lengths of intervals below and above, at least 0 despite rounding errors of quantiles."""
    pairs = list(zip(values, series.low, series.high, strict=True))
    return [
        [max(0.0, value - (value if low is None else low)) for value, low, _ in pairs],
        [max(0.0, (value if high is None else high) - value) for value, _, high in pairs],
    ]


def curve_chart(names: Sequence[str], series: Sequence[Series], *, title: str, axis: str) -> str:
    """Curves of macro-F1 over named positions, as in Figures 2 and 3 of EventHopNLI.

    An interval is drawn as a band around its curve.
    """
    with plot(legend=True) as drawn:
        axes, places = drawn.axes[0], range(len(names))
        for number, other_series in enumerate(series):
            known = [
                (x, y) for x, y in zip(places, other_series.values, strict=True) if y is not None
            ]
            draw_curve(
                axes, [x for x, _ in known], [y for _, y in known], other_series.name, number
            )
            band = [
                (x, bottom, top)
                for x, bottom, top in zip(places, other_series.low, other_series.high, strict=False)
                if bottom is not None and top is not None
            ]
            at, low, high = ([part[side] for part in band] for side in range(3))
            axes.fill_between(at, low, high, alpha=0.2, color=f"C{number % 10}")
        axes.set_xticks(list(places), list(names))
        axes.set_ylim(-0.02, 1.02)
        axes.set(title=title, xlabel=axis, ylabel="macro-F1")
    return drawn.svg


def draw_curve(
    axes: Axes, xs: Sequence[float], ys: Sequence[float], name: str, number: int
) -> None:
    """Draw a curve; ten colours, then the same with other dashes."""
    dash = _DASHES[number // 10 % len(_DASHES)]
    axes.plot(xs, ys, marker="o", markersize=3, label=name, color=f"C{number % 10}", linestyle=dash)


def heat_map(
    values: Sequence[Sequence[float]],
    texts: Sequence[Sequence[str]],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    title: str,
    axes_names: tuple[str, str],
) -> str:
    """A heat map of values in [0, 1]; ``axes_names`` label rows and columns."""
    with plot(height=0.9 + _ROW * max(len(rows), 8)) as drawn:
        shade(drawn.axes[0], values, texts, rows=rows, columns=columns)
        drawn.axes[0].set(title=title, ylabel=axes_names[0], xlabel=axes_names[1])
    return drawn.svg


def confusion_matrix(
    counts: Sequence[Sequence[int]],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    title: str,
    axes_names: tuple[str, str] = ("gold label", "answer"),
) -> str:
    """A confusion matrix, shaded by shares of the rows, as in Figure 4 of EventHopNLI."""
    shares = [[count / max(sum(row), 1) for count in row] for row in counts]
    texts = [[f"{count:,}" for count in row] for row in counts]
    return heat_map(shares, texts, rows=rows, columns=columns, title=title, axes_names=axes_names)


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
