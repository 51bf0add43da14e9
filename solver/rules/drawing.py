"""Draws a rule grounding: one line per entity, time from left to right, facts as arrows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.drawing.canvas import (
    EVENT_INK,
    FAINT_INK,
    INK,
    ROW,
    RULE,
    WALK_STYLE,
    Canvas,
    Role,
    Spot,
    canvas,
    draw_curve,
    render,
)
from solver.rules.notation import forwards, rule_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from solver.graph.model import Vocabulary
    from solver.rules.encode import Fact
    from solver.rules.model import Rule

_TOP = 1.0
_LINE = 1.6 * ROW
_STEP = 1.9
"""Inches between arrows: the drawing shows their order, not the time between them."""
_ARROW = 0.25
"""Position of an arrow within its step; its relation is written to the right."""
_LETTER = 0.085
_MARGIN = 0.35


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrow:
    """A fact to draw: names of its entities, its relation and its time."""

    head: str
    relation: str
    tail: str
    time: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnGrounding:
    """A drawing of a grounding.

    Attributes:
        title: heading of the drawing.
        note: a fainter line below the heading.
        body: facts in chronological order.
        head: the derived fact, dashed.
    """

    title: str
    note: str
    body: tuple[Arrow, ...]
    head: Arrow


def arrow(fact: Fact, vocabulary: Vocabulary) -> Arrow:
    """A fact with its names; a fact of an inverse relation is turned around."""
    head, relation, tail, time = forwards(fact, vocabulary)
    return Arrow(
        head=vocabulary.entity(head),
        relation=vocabulary.relation(relation),
        tail=vocabulary.entity(tail),
        time=vocabulary.time(time),
    )


def picture(grounding: DrawnGrounding, form: str = "svg") -> bytes:
    """Draw a grounding in one of ``PICTURE_FORMATS``."""
    title = grounding.title
    return render(lambda: _figure(grounding), salt=title, form=form, title=title)


def picture_of(
    rule: Rule, vocabulary: Vocabulary, *, note: str, body: Sequence[Fact], head: Fact, form: str
) -> bytes:
    """Draw a rule with the facts that match its body, and the head."""
    drawn = DrawnGrounding(
        title=rule_text(rule, vocabulary),
        note=note,
        body=tuple(arrow(fact, vocabulary) for fact in body),
        head=arrow(head, vocabulary),
    )
    return picture(drawn, form)


def _figure(grounding: DrawnGrounding) -> Figure:
    arrows = (*grounding.body, grounding.head)
    names = list(dict.fromkeys(name for arrow in arrows for name in (arrow.head, arrow.tail)))
    left = _MARGIN + _LETTER * max(map(len, names)) + 0.2
    widest = max(len(text) for arrow in arrows for text in (arrow.relation, arrow.time))
    step = max(_STEP, (_LETTER * widest + 0.2) / (1 - _ARROW))
    right = left + step * len(arrows)
    words = max(len(grounding.title), len(grounding.note))
    width = max(right + _MARGIN, 2 * _MARGIN + 1.15 * _LETTER * words)
    bottom = _TOP + _LINE * (len(names) - 1)
    sheet = canvas(width, bottom + 0.75)
    sheet.write(Spot(x=_MARGIN, y=0.3), grounding.title, size=10.5, bold=True)
    sheet.write(Spot(x=_MARGIN, y=0.58), grounding.note, size=8.5, colour=FAINT_INK)
    heights = {name: _TOP + _LINE * row for row, name in enumerate(names)}
    for name, y in heights.items():
        sheet.write(Spot(x=left - 0.15, y=y), name, align="right")
        sheet.rule(Spot(x=left, y=y), Spot(x=right, y=y), RULE)
    for place, arrow in enumerate(arrows):
        x = left + step * (place + _ARROW)
        _paint(sheet, arrow, heights, x, derived=place == len(grounding.body))
        sheet.write(Spot(x=x, y=bottom + 0.42), arrow.time, size=8.5, align="center", colour=INK)
    return sheet.figure


def _paint(
    sheet: Canvas, arrow: Arrow, heights: dict[str, float], x: float, *, derived: bool
) -> None:
    from matplotlib.path import Path

    colour = EVENT_INK[Role.RIGHT if derived else Role.LEFT]
    start, end = heights[arrow.head], heights[arrow.tail]
    sheet.point(Spot(x=x, y=start), colour)
    points = [(x, start), (x, end)]
    codes = [Path.MOVETO, Path.LINETO]
    # Between two lines, even if the arrow crosses several.
    middle = start + _LINE / 2 if start < end else start - _LINE / 2
    if start == end:
        points = [(x, start), (x + 0.3, start - 0.3), (x - 0.3, start - 0.3), (x, end)]
        codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
        middle = start - 0.3
    draw_curve(sheet, Path(points, codes), colour, WALK_STYLE[1 if derived else 0])
    sheet.write(Spot(x=x + 0.1, y=middle), arrow.relation, size=8.5, colour=colour)
