"""Draws links: arrows for *before*, double lines for *simultaneous*, bars for durations.

A double line with the head of an arrow is *at or before*.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from solver.drawing.canvas import (
    PAPER,
    ROW,
    WALK_STYLE,
    Canvas,
    Spot,
    draw_curve,
    stroke,
)
from solver.eventhop.drawing.scene import Arrow, LinkKind

if TYPE_CHECKING:
    from matplotlib.path import Path

CLEAR = 0.075
"""Distance of an arrow's ends from the centre of its points."""
TURN = 0.26
"""Distance of a link that goes back in time from its points and bars."""
NEXT_LANE = 0.07
ROUND = 0.12


def draw_arrow(canvas: Canvas, arrow: Arrow, source: Spot, target: Spot, colour: str) -> None:
    """Draw one link with its sentence number."""
    style = WALK_STYLE[arrow.walk % len(WALK_STYLE)]
    path = _route(source, target, arrow.lane)
    match arrow.kind:
        case LinkKind.DURATION if not arrow.broken:
            _along_bar(canvas, source, target, colour)
        case LinkKind.EQUAL:
            _double_line(canvas, path, colour)
        case LinkKind.WEAK:
            draw_curve(canvas, path, colour, style)
            stroke(canvas, path, PAPER, 0.8, 4.5)
        case LinkKind.GAP:
            stroke(canvas, path, colour, 1.9, 4, (0, (1, 2)))
        case _:
            draw_curve(canvas, path, colour, style)
    if arrow.badge:
        canvas.badge(_middle(source, target, arrow.lane), arrow.badge, colour)


def _along_bar(canvas: Canvas, source: Spot, target: Spot, colour: str) -> None:
    from matplotlib.patches import FancyArrowPatch

    canvas.add(
        FancyArrowPatch(
            (source.x, source.y), (target.x, target.y), arrowstyle="-|>", mutation_scale=9,
            color=colour, alpha=0.6, linewidth=1.4, shrinkA=5, shrinkB=5, zorder=3, clip_on=False,
        )
    )  # fmt: skip


def _double_line(canvas: Canvas, path: Path, colour: str) -> None:
    stroke(canvas, path, colour, 4.4, 3.5)
    stroke(canvas, path, PAPER, 1.8, 3.6)


def _route(source: Spot, target: Spot, lane: int) -> Path:
    """Route a link: down a column, forwards in a curve, else around."""
    if _same_column(source, target) and not _same_row(source, target):
        return _down(source, target)
    return _forwards(source, target) if target.x > source.x else _backwards(source, target, lane)


def _down(source: Spot, target: Spot) -> Path:
    """Go straight to the next row; bend around points in the rows between."""
    from matplotlib.path import Path

    x = source.x + _aside(source, target) * 4 / 3
    return Path(
        [(source.x, source.y), (x, source.y), (x, target.y), (target.x, target.y)],
        [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4],
    )


def _aside(source: Spot, target: Spot) -> float:
    return 0.7 * TURN if abs(source.y - target.y) > ROW * 1.5 else 0.0


def _forwards(source: Spot, target: Spot) -> Path:
    """Leave to the right, arrive from the left; within one row, pass above the bar."""
    from matplotlib.path import Path

    reach = (target.x - source.x) * 0.5
    lift = 1.3 * TURN if _same_row(source, target) else 0.0
    return Path(
        [
            (source.x + CLEAR, source.y),
            (source.x + reach, source.y - lift),
            (target.x - reach, target.y - lift),
            (target.x - CLEAR, target.y),
        ],
        [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4],
    )


def _backwards(source: Spot, target: Spot, number: int) -> Path:
    """Leave to the right, go back on a lane next to the target's row, arrive from the left."""
    lane = _lane(source, target, number)
    aside = TURN + NEXT_LANE * number
    right, left = source.x + aside, target.x - aside
    return _rounded(
        [
            Spot(x=source.x + CLEAR, y=source.y),
            Spot(x=right, y=source.y),
            Spot(x=right, y=lane),
            Spot(x=left, y=lane),
            Spot(x=left, y=target.y),
            Spot(x=target.x - CLEAR, y=target.y),
        ]
    )


def _rounded(corners: Sequence[Spot]) -> Path:
    from matplotlib.path import Path

    points, codes = [(corners[0].x, corners[0].y)], [int(Path.MOVETO)]
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        enter, leave = _towards(corner, before), _towards(corner, after)
        points += [(enter.x, enter.y), (corner.x, corner.y), (leave.x, leave.y)]
        codes += [int(Path.LINETO), int(Path.CURVE3), int(Path.CURVE3)]
    return Path([*points, (corners[-1].x, corners[-1].y)], [*codes, int(Path.LINETO)])


def _towards(corner: Spot, other: Spot) -> Spot:
    length = abs(other.x - corner.x) + abs(other.y - corner.y)
    share = min(ROUND / max(length, ROUND), 0.5)
    return Spot(
        x=corner.x + (other.x - corner.x) * share, y=corner.y + (other.y - corner.y) * share
    )


def _lane(source: Spot, target: Spot, number: int) -> float:
    aside = TURN + NEXT_LANE * number
    return target.y + aside if source.y < target.y - 1e-9 else target.y - aside


def _middle(source: Spot, target: Spot, lane: int) -> Spot:
    """Position of a badge: about the middle of the link, between two rows rather than on one."""
    if _same_column(source, target) and not _same_row(source, target):
        return Spot(x=source.x + _aside(source, target), y=(source.y + target.y) / 2)
    if target.x <= source.x:
        return Spot(x=(source.x + target.x) / 2, y=_lane(source, target, lane))
    if _same_row(source, target):
        return Spot(x=(source.x + target.x) / 2, y=source.y - TURN)
    rows = max(round(abs(target.y - source.y) / ROW), 1)
    return _on_curve(source, target, 0.5 if rows % 2 else 0.5 - 0.5 / rows)


def _on_curve(source: Spot, target: Spot, share: float) -> Spot:
    """The spot of a forward curve at a given share of its vertical distance."""
    low, high = 0.0, 1.0
    for _ in range(30):
        t = (low + high) / 2
        low, high = (t, high) if t * t * (3 - 2 * t) < share else (low, t)
    along = 1.5 * low * (1 - low) + low**3
    return Spot(
        x=source.x + (target.x - source.x) * along, y=source.y + (target.y - source.y) * share
    )


def _same_column(source: Spot, target: Spot) -> bool:
    return abs(source.x - target.x) < 1e-9


def _same_row(source: Spot, target: Spot) -> bool:
    return abs(source.y - target.y) < 1e-9
