"""Draws a chain or a cycle: bars for events, numbered arrows, the sentences below."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from solver.drawing.arrows import draw_arrow
from solver.drawing.canvas import FADE_LENGTH, Canvas, Spot, canvas
from solver.drawing.caption import Caption
from solver.drawing.names import isolate, width
from solver.drawing.palette import EVENT_FILL, EVENT_INK, FAINT_INK, ROW, RULE, STATUS_COLOUR
from solver.drawing.scene import Bar, Role, Scene

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARGIN = 0.3
HEAD = 0.95
LINE = 0.27
SMALL_LINE = 0.2
LETTER = 0.078
NARROWEST = 7.4


def paint(scene: Scene) -> Figure:
    """Draw a chain or a cycle."""
    names = names_width((bar.name, bar.role) for bar in scene.bars)
    left = MARGIN + names + 0.25 + FADE_LENGTH
    steps = max(scene.columns - 1, 1)
    narrowest = max(NARROWEST, _text_width(scene))
    unit = min(2.4, max(0.36, (narrowest - left - FADE_LENGTH - MARGIN) / steps))
    right = left + unit * steps
    sheet_width = max(narrowest, right + FADE_LENGTH + MARGIN)
    bottom = HEAD + ROW * len(scene.bars)
    foot = LINE * (len(scene.sentences) + len(scene.conclusions)) + SMALL_LINE * len(scene.notes)
    sheet = canvas(sheet_width, bottom + foot + 0.3)
    head(sheet, scene.caption)
    spots = _Places(left=left, unit=unit)
    for row, bar in enumerate(scene.bars):
        y = spots.at(0, row).y
        sheet.rule(Spot(x=MARGIN, y=y + ROW / 2), Spot(x=sheet_width - MARGIN, y=y + ROW / 2), RULE)
        event_name(sheet, Spot(x=MARGIN + names, y=y), bar.name, bar.role)
        _bar(sheet, bar, row, spots, right)
    _arrows(sheet, scene, spots)
    _foot(sheet, scene, bottom + 0.2)
    return sheet.figure


def names_width(names: Iterable[tuple[str, Role]]) -> float:
    """Estimate the width of a column of event names, in inches."""
    return max((width(name) * LETTER * _boldness(role) for name, role in names), default=0.0)


def head_width(caption: Caption) -> float:
    """Estimate the width of a heading, in inches."""
    stamp = len(caption.status) * 0.083 + 0.2
    return 2 * MARGIN + max(
        width(caption.claim) * LETTER * 1.36, stamp + width(caption.explained) * LETTER
    )


def _text_width(scene: Scene) -> float:
    sentences = (width(sentence.text) + 5 for sentence in scene.sentences)
    conclusions = (width(conclusion) * 1.12 for conclusion in scene.conclusions)
    lines = max((*sentences, *conclusions), default=0.0) * LETTER * 0.95
    return max(head_width(scene.caption), 2 * MARGIN + lines)


def _boldness(role: Role) -> float:
    return 1.0 if role is Role.OTHER else 1.15


class _Places:
    """Maps columns and rows to spots."""

    def __init__(self, left: float, unit: float) -> None:
        self.left = left
        self.unit = unit

    def at(self, column: int, row: int) -> Spot:
        return Spot(x=self.left + column * self.unit, y=HEAD + (row + 0.5) * ROW)


def head(sheet: Canvas, caption: Caption) -> None:
    """Write the heading: the claim, its status as a badge, the reason."""
    colour = STATUS_COLOUR[caption.status]
    sheet.write(Spot(x=MARGIN, y=0.32), caption.claim, size=12, bold=True)
    sheet.stamp(Spot(x=MARGIN, y=0.64), caption.status.upper(), colour)
    reach = len(caption.status) * 0.083 + 0.2
    sheet.write(Spot(x=MARGIN + reach, y=0.64), caption.explained, colour=colour)


def event_name(sheet: Canvas, at: Spot, name: str, role: Role) -> None:
    """Write an event's name, right-aligned at a spot."""
    sheet.write(
        at, isolate(name), colour=EVENT_INK[role], align="right", bold=role is not Role.OTHER
    )


def _bar(sheet: Canvas, bar: Bar, row: int, spots: _Places, right: float) -> None:
    fill = EVENT_FILL[bar.role]
    if bar.start is None and bar.end is None:
        middle = Spot(x=(spots.left + right) / 2, y=spots.at(0, row).y)
        sheet.fade(middle, fill, to_left=True)
        sheet.fade(middle, fill, to_left=False)
        return
    if bar.start is not None and bar.end is not None:
        first, last = sorted((bar.start, bar.end))
        draw = sheet.hatched if bar.impossible else sheet.bar
        draw(spots.at(first, row), spots.at(last, row).x, fill)
    elif bar.end is not None:
        sheet.fade(spots.at(bar.end, row), fill, to_left=True)
    elif bar.start is not None:
        sheet.fade(spots.at(bar.start, row), fill, to_left=False)
    for column in (bar.start, bar.end):
        if column is not None:
            sheet.point(spots.at(column, row), EVENT_INK[bar.role])


def _arrows(sheet: Canvas, scene: Scene, spots: _Places) -> None:
    colour = STATUS_COLOUR[scene.caption.status]
    for arrow in scene.arrows:
        source = spots.at(arrow.source_column, arrow.source_row)
        target = spots.at(arrow.target_column, arrow.target_row)
        draw_arrow(sheet, arrow, source, target, colour)


def _foot(sheet: Canvas, scene: Scene, top: float) -> None:
    colour = STATUS_COLOUR[scene.caption.status]
    y = top
    for sentence in scene.sentences:
        sheet.badge(Spot(x=MARGIN + 0.12, y=y), str(sentence.number), colour)
        sheet.write(Spot(x=MARGIN + 0.36, y=y), sentence.text, size=9)
        y += LINE
    for conclusion in scene.conclusions:
        sheet.write(Spot(x=MARGIN, y=y), conclusion, size=9, colour=colour, bold=True)
        y += LINE
    for note in scene.notes:
        sheet.write(Spot(x=MARGIN, y=y), note, size=8, colour=FAINT_INK)
        y += SMALL_LINE
