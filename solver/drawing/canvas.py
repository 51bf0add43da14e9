"""A canvas measured in inches from its upper left corner, and drawing primitives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from solver.drawing.palette import INK, PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LineStyle: TypeAlias = str | tuple[float, tuple[float, ...]]
FADES = 8
FADE_LENGTH = 0.55
BAR_HEIGHT = 0.16


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A position on the canvas, in inches from the left and from the top."""

    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Canvas:
    """One figure with one set of axes whose units are inches."""

    figure: Figure
    axes: Axes

    def write(
        self,
        at: Spot,
        text: str,
        *,
        size: float = 9.5,
        colour: str = INK,
        align: Literal["left", "center", "right"] = "left",
        bold: bool = False,
    ) -> None:
        """Write one line, vertically centred at ``at``; ``$`` is not special."""
        weight = "bold" if bold else "normal"
        self.axes.text(
            at.x, at.y, text, size=size, color=colour, ha=align, va="center_baseline",
            weight=weight, parse_math=False, zorder=6,
        )  # fmt: skip

    def badge(self, at: Spot, text: str, colour: str) -> None:
        """Write a short text in a small round box that hides what is behind it."""
        shape = "circle,pad=0.22" if len(text) < 3 else "round,pad=0.28,rounding_size=0.75"
        box = {"boxstyle": shape, "facecolor": PAPER, "edgecolor": colour, "linewidth": 1.0}
        self.axes.text(
            at.x, at.y, text, size=7.5, color=colour, ha="center", va="center_baseline",
            weight="bold", bbox=box, parse_math=False, zorder=7,
        )  # fmt: skip

    def stamp(self, at: Spot, text: str, colour: str) -> None:
        """Write a word in a filled box that starts at a spot."""
        box = {"boxstyle": "round,pad=0.34", "facecolor": colour, "edgecolor": colour}
        self.axes.text(
            at.x + 0.05, at.y, text, size=7.5, color=PAPER, ha="left", va="center_baseline",
            weight="bold", bbox=box, parse_math=False, zorder=7,
        )  # fmt: skip

    def rule(self, start: Spot, end: Spot, colour: str, *, style: LineStyle = "solid") -> None:
        """Draw a thin straight line."""
        xs, ys = (start.x, end.x), (start.y, end.y)
        self.axes.plot(
            xs, ys, color=colour, linewidth=0.8, linestyle=style, zorder=1, clip_on=False
        )

    def bar(self, left: Spot, right: float, colour: str, *, alpha: float = 1.0) -> None:
        """Draw a bar from a spot to ``right``, vertically centred at the spot."""
        from matplotlib.patches import Rectangle

        self.axes.add_patch(
            Rectangle(
                (left.x, left.y - BAR_HEIGHT / 2), right - left.x, BAR_HEIGHT, linewidth=0,
                facecolor=colour, alpha=alpha, zorder=2, clip_on=False,
            )
        )  # fmt: skip

    def hatched(self, left: Spot, right: float, colour: str) -> None:
        """Draw the bar of an event that would end before it starts."""
        from matplotlib.patches import Rectangle

        self.axes.add_patch(
            Rectangle(
                (left.x, left.y - BAR_HEIGHT / 2), right - left.x, BAR_HEIGHT, linewidth=1.0,
                facecolor=PAPER, edgecolor=colour, hatch="//////", zorder=2, clip_on=False,
            )
        )  # fmt: skip

    def fade(self, at: Spot, colour: str, *, to_left: bool) -> None:
        """Draw a bar that fades out from a spot to one side."""
        slice_ = FADE_LENGTH / FADES
        for number in range(FADES):
            x = at.x - (number + 1) * slice_ if to_left else at.x + number * slice_
            self.bar(
                Spot(x=x, y=at.y), x + slice_, colour, alpha=0.85 * (1 - (number + 0.5) / FADES)
            )

    def point(self, at: Spot, colour: str) -> None:
        """Mark a point that a link touches."""
        from matplotlib.patches import Circle

        self.axes.add_patch(
            Circle(
                (at.x, at.y), 0.055, facecolor=PAPER, edgecolor=colour, linewidth=1.6, zorder=5,
                clip_on=False,
            )
        )  # fmt: skip


def canvas(width: float, height: float) -> Canvas:
    """Create a canvas; width and height in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), facecolor=PAPER)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0.0, width)
    axes.set_ylim(height, 0.0)
    axes.set_axis_off()
    return Canvas(figure=figure, axes=axes)
