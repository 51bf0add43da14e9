"""Plots as SVG files: the same figures give the same bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from matplotlib.axes import Axes

from solver.report.plot import HEIGHT, plot, shade
from solver.writing.atomic import atomic

_DASHES = ("-", "--", "-.", ":")


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Values in [0, 1] over the names on the horizontal axis; None for missing values.

    ``low`` and ``high`` are the bounds of an optional band around the curve.
    """

    name: str
    values: Sequence[float | None]
    low: Sequence[float | None] = ()
    high: Sequence[float | None] = ()


def plot_curves(
    path: Path, curves: Sequence[Curve], *, names: Sequence[str], title: str, axis: str
) -> None:
    """Plot curves over named positions, as in Figures 2 and 3 of EventHopNLI."""
    with _figure(path, legend=True) as axes:
        places = range(len(names))
        for number, curve in enumerate(curves):
            color, dash = f"C{number % 10}", _DASHES[number // 10 % len(_DASHES)]
            known = [(x, y) for x, y in zip(places, curve.values, strict=True) if y is not None]
            xs, ys = [x for x, _ in known], [y for _, y in known]
            axes.plot(xs, ys, marker="o", label=curve.name, color=color, linestyle=dash)
            band = [
                (x, low, high)
                for x, low, high in zip(places, curve.low, curve.high, strict=False)
                if low is not None and high is not None
            ]
            sides = [[part[side] for part in band] for side in range(3)]
            axes.fill_between(sides[0], sides[1], sides[2], alpha=0.2, color=color)
        axes.set_xticks(list(places), list(names))
        axes.set_ylim(-0.02, 1.02)
        axes.set(title=title, xlabel=axis, ylabel="macro-F1")


def plot_bars(
    path: Path, values: Mapping[str, float], *, title: str, axis: str = "macro-F1"
) -> None:
    """Plot a bar in [0, 1] for each name."""
    with _figure(path, height=0.9 + 0.26 * len(values)) as axes:
        names = list(values)
        drawn = axes.barh(names, [values[name] for name in names])
        axes.bar_label(drawn, fmt="%.2f", padding=2)
        axes.invert_yaxis()
        axes.set_xlim(0, 1.1)
        axes.set(title=title, xlabel=axis)


def plot_confusion(
    path: Path,
    counts: Sequence[Sequence[int]],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    title: str,
    axes_names: tuple[str, str] = ("gold label", "answer"),
) -> None:
    """Plot a confusion matrix, shaded by shares of the rows, as in Figure 4 of EventHopNLI."""
    shares = [[count / max(sum(row), 1) for count in row] for row in counts]
    with _figure(path) as axes:
        texts = [[f"{count:,}" for count in row] for row in counts]
        shade(axes, shares, texts, rows=rows, columns=columns)
        axes.set(title=title, ylabel=axes_names[0], xlabel=axes_names[1])


def plot_grid(
    path: Path,
    values: Sequence[Sequence[float]],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    title: str,
    axis: str,
) -> None:
    """Plot values in [0, 1] as a heat map."""
    with _figure(path, height=0.9 + 0.26 * len(rows)) as axes:
        texts = [[f"{one:.2f}" for one in row] for row in values]
        shade(axes, values, texts, rows=rows, columns=columns)
        axes.set(title=title, xlabel=axis)


@contextmanager
def _figure(path: Path, *, height: float = HEIGHT, legend: bool = False) -> Iterator[Axes]:
    """A figure that is written to the path at the end."""
    with plot(height=height, legend=legend) as drawn:
        yield drawn.axes[0]
    with atomic(path) as file:
        file.write(drawn.svg.encode())
