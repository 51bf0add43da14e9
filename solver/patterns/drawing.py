"""Draws a pattern: entities as nodes, steps as numbered arrows, the consequence dashed."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING

from solver.drawing.canvas import (
    EVENT_INK,
    FAINT_INK,
    INK,
    PAPER,
    WALK_STYLE,
    Canvas,
    Role,
    Spot,
    canvas,
    draw_curve,
    render,
)
from solver.patterns.model import Pattern, Triple

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.path import Path

NODE = 0.19
"""Radius of an entity, in inches."""
_GAP = 0.05
_MARGIN = 0.5
_WIDE_MARGIN = 1.1
"""Margin where loops or bent arrows extend beyond the circle of entities."""
_HEADING = 0.75
_BEND = 0.5
"""Distance between arrows of the same two entities, as a share of the entities' distance."""
_LOOP = 0.55
_LABEL = 0.23


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edge:
    """A step of the pattern; ``lane`` counts the steps between the same two entities."""

    number: int
    triple: Triple
    consequence: bool
    lane: float

    @property
    def colour(self) -> str:
        return EVENT_INK[Role.RIGHT if self.consequence else Role.LEFT]


def picture(pattern: Pattern, form: str = "svg") -> bytes:
    """Draw a pattern in one of ``PICTURE_FORMATS``."""
    text = str(pattern)
    return render(lambda: _figure(pattern), salt=text, form=form, title=f"Pattern {text}")


def _figure(pattern: Pattern) -> Figure:
    entities = sorted({e for step in pattern.steps for e in (step.head, step.tail)})
    text = str(pattern)
    ring = 0.0 if len(entities) == 1 else max(0.95, 0.28 * len(entities))
    loops = any(step.head == step.tail for step in pattern.steps)
    reach = ring + (_WIDE_MARGIN if loops else _MARGIN)
    width = max(2 * reach, 0.5 + 0.092 * len(text), 3.6)
    # Two entities lie on a line; only the bent arrows between them extend above and below.
    half = reach if loops or len(entities) > 2 else _WIDE_MARGIN
    sheet = canvas(width, _HEADING + 2 * half)
    middle = Spot(x=width / 2, y=_HEADING + half)
    spots = {entity: _on_ring(n, len(entities), ring, middle) for n, entity in enumerate(entities)}
    sheet.write(Spot(x=0.25, y=0.3), text, size=10.5, bold=True)
    last = len(pattern.steps)
    solid = f"solid: antecedents 1 to {last - 1}" if last > 2 else "solid: the antecedent, 1"
    legend = f"{solid}; dashed: the consequence, {last}"
    sheet.write(Spot(x=0.25, y=0.58), legend, size=8.5, colour=FAINT_INK)
    for edge in _edges(pattern):
        _paint(sheet, edge, spots, middle)
    for entity, spot in spots.items():
        _node(sheet, spot, str(entity))
    return sheet.figure


def _on_ring(number: int, entities: int, ring: float, middle: Spot) -> Spot:
    """Position of an entity on the circle, clockwise from the left."""
    turn = pi - 2 * pi * number / entities
    return Spot(x=middle.x + ring * cos(turn), y=middle.y - ring * sin(turn))


def _edges(pattern: Pattern) -> list[_Edge]:
    last = len(pattern.steps)
    parallel: defaultdict[frozenset[int], list[int]] = defaultdict(list)
    for number, step in enumerate(pattern.steps, start=1):
        parallel[frozenset((step.head, step.tail))].append(number)
    edges = []
    for number, step in enumerate(pattern.steps, start=1):
        group = parallel[frozenset((step.head, step.tail))]
        lane = group.index(number) - (len(group) - 1) / 2
        if step.head == step.tail:
            lane = float(group.index(number))
        edges.append(_Edge(number=number, triple=step, consequence=number == last, lane=lane))
    return edges


def _paint(sheet: Canvas, edge: _Edge, spots: dict[int, Spot], middle: Spot) -> None:
    start, end = spots[edge.triple.head], spots[edge.triple.tail]
    if edge.triple.head == edge.triple.tail:
        path, badge, label = _loop(start, edge.lane, middle)
    else:
        path, badge, label = _bow(start, end, edge)
    draw_curve(sheet, path, edge.colour, WALK_STYLE[1 if edge.consequence else 0])
    sheet.badge(badge, str(edge.number), edge.colour)
    sheet.write(label, f"r{edge.triple.relation}", size=8.0, colour=edge.colour, align="center")


def _bow(start: Spot, end: Spot, edge: _Edge) -> tuple[Path, Spot, Spot]:
    """A bent arrow between two nodes, and the positions of its number and its relation."""
    from matplotlib.path import Path

    # The side depends on the pair, not on the direction, so that opposite arrows do not overlap.
    side = 1.0 if edge.triple.head < edge.triple.tail else -1.0
    dx, dy = end.x - start.x, end.y - start.y
    bend = side * _BEND * edge.lane
    control = Spot(x=(start.x + end.x) / 2 - bend * dy, y=(start.y + end.y) / 2 + bend * dx)
    leave, enter = _outside(start, control), _outside(end, control)
    points = [(leave.x, leave.y), (control.x, control.y), (enter.x, enter.y)]
    length = hypot(dx, dy)
    badge = Spot(
        x=(leave.x + 2 * control.x + enter.x) / 4, y=(leave.y + 2 * control.y + enter.y) / 4
    )
    away = side if edge.lane >= 0 else -side
    label = Spot(x=badge.x - away * _LABEL * dy / length, y=badge.y + away * _LABEL * dx / length)
    return Path(points, [Path.MOVETO, Path.CURVE3, Path.CURVE3]), badge, label


def _loop(node: Spot, lane: float, middle: Spot) -> tuple[Path, Spot, Spot]:
    """A loop on the outer side of a node; each further loop is rotated a little."""
    from matplotlib.path import Path

    dx, dy = node.x - middle.x, node.y - middle.y
    length = hypot(dx, dy)
    ux, uy = (dx / length, dy / length) if length else (0.0, -1.0)
    turn = 1.15 * (-1) ** int(lane) * ((int(lane) + 1) // 2)
    ux, uy = ux * cos(turn) - uy * sin(turn), ux * sin(turn) + uy * cos(turn)

    def at(along: float, across: float) -> Spot:
        return Spot(x=node.x + along * ux - across * uy, y=node.y + along * uy + across * ux)

    made_spot, other = at(1.35 * _LOOP, -_LOOP), at(1.35 * _LOOP, _LOOP)
    leave, enter = _outside(node, made_spot), _outside(node, other)
    points = [(spot.x, spot.y) for spot in (leave, made_spot, other, enter)]
    codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
    return Path(points, codes), at(1.07 * _LOOP, 0.0), at(1.07 * _LOOP + _LABEL * 0.9, 0.0)


def _outside(node: Spot, towards: Spot) -> Spot:
    """The spot just outside a node on the way to another spot."""
    dx, dy = towards.x - node.x, towards.y - node.y
    share = (NODE + _GAP) / hypot(dx, dy)
    return Spot(x=node.x + dx * share, y=node.y + dy * share)


def _node(sheet: Canvas, spot: Spot, text: str) -> None:
    from matplotlib.patches import Circle

    sheet.add(
        Circle(
            (spot.x, spot.y), NODE, facecolor=PAPER, edgecolor=INK, linewidth=1.4, zorder=5,
            clip_on=False,
        )
    )  # fmt: skip
    sheet.write(spot, text, size=9.5, align="center", bold=True)
