"""Draws a chain or a cycle: bars for events, numbered arrows, the sentences below."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grammar.eventhop.model import Bound, Item, Point, Status, Verdict
from solver.drawing.canvas import (
    EVENT_FILL,
    EVENT_INK,
    FADE_LENGTH,
    FAINT_INK,
    RULE,
    Canvas,
    Role,
    Spot,
    canvas,
    display_names,
    isolate,
    width,
)
from solver.drawing.canvas import ROW as ROW_PALETTE
from solver.eventhop.certificates.evidence import Timeline, Timelines
from solver.eventhop.drawing.arrows import draw_arrow
from solver.eventhop.drawing.scene import NAME_WIDTH, Bar, Caption, Scene, caption, role
from solver.eventhop.messages import APART, claimed_events, named_first
from solver.io.sources import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure


STATUS_COLOUR = {
    Status.ENTAILED: "#007a5a",
    Status.REFUTED: "#a8447f",
    Status.UNKNOWN: "#57606a",
    Status.CONTRADICTORY: "#c24e00",
}

MARGIN = 0.3
HEAD = 0.95
LINE = 0.27
SMALL_LINE = 0.2
LETTER = 0.078
NARROWEST = 7.4


def paint(scene: Scene, apart: Sequence[Row] = ()) -> Figure:
    """Draw a chain or a cycle, and below it the timeline that completes the proof of a chain."""
    bars = [(bar.name, bar.role) for bar in scene.bars]
    names = names_width([*bars, *((row.name, row.role) for row in apart)])
    left = MARGIN + names + 0.25 + FADE_LENGTH
    steps = max(scene.columns - 1, 1)
    narrowest = max(NARROWEST, _text_width(scene))
    unit = min(2.4, max(0.36, (narrowest - left - FADE_LENGTH - MARGIN) / steps))
    right = left + unit * steps
    sheet_width = max(narrowest, right + FADE_LENGTH + MARGIN)
    bottom = HEAD + ROW_PALETTE * len(scene.bars)
    foot = LINE * (len(scene.sentences) + len(scene.conclusions)) + SMALL_LINE * len(scene.notes)
    panel = 0.95 + ROW * len(apart) if apart else 0.0
    sheet = canvas(sheet_width, bottom + foot + 0.3 + panel)
    head(sheet, scene.caption)
    spots = _Places(left=left, unit=unit)
    for row, bar in enumerate(scene.bars):
        y = spots.at(0, row).y
        sheet.rule(
            Spot(x=MARGIN, y=y + ROW_PALETTE / 2),
            Spot(x=sheet_width - MARGIN, y=y + ROW_PALETTE / 2),
            RULE,
        )
        event_name(sheet, Spot(x=MARGIN + names, y=y), bar.name, bar.role)
        _bar(sheet, bar, row, spots, right)
    _arrows(sheet, scene, spots)
    _foot(sheet, scene, bottom + 0.2)
    if apart:
        _timeline(sheet, apart, MARGIN + names, bottom + foot + 0.3)
    return sheet.figure


def timeline_rows(item: Item, timeline: Timeline) -> tuple[Row, ...]:
    """The rows of a timeline, the claimed events first."""
    events = named_first(item)[:MOST_EVENTS]
    names, claimed = display_names(events, NAME_WIDTH), claimed_events(item)
    return tuple(
        Row(name=names[event], role=role(event, claimed), holds=span(timeline, event), fails=None)
        for event in events
    )


def _timeline(sheet: Canvas, rows: Sequence[Row], right: float, top: float) -> None:
    for number, row in enumerate(rows):
        event_name(sheet, Spot(x=right, y=_height(number, top)), row.name, row.role)
    _panel(sheet, rows, [row.holds for row in rows], right + 0.3, APART, top)


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
        return Spot(x=self.left + column * self.unit, y=HEAD + (row + 0.5) * ROW_PALETTE)


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


MOST_EVENTS = 16
PANEL = 3.6
BETWEEN = 0.45
ROW = 0.32
TICKS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An event and its position in the two timelines; None if it has none."""

    name: str
    role: Role
    holds: Span | None
    fails: Span | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The instants of an event's two points."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelinePair:
    """A drawing of two timelines."""

    caption: Caption
    rows: tuple[Row, ...]
    notes: tuple[str, ...]


def possibilities(item: Item, verdict: Verdict, timelines: Timelines) -> TimelinePair:
    """Lay out two timelines."""
    events = named_first(item)
    claimed = claimed_events(item)
    names = display_names(events, NAME_WIDTH)
    shown = events[:MOST_EVENTS]
    rows = tuple(
        Row(
            name=names[event],
            role=role(event, claimed),
            holds=span(timelines.holds, event),
            fails=span(timelines.fails, event),
        )
        for event in shown
    )
    notes = ["Both timelines satisfy every sentence of the premise, so no sentence decides."]
    if not verdict.consistent:
        notes = [
            "The premise is contradictory elsewhere; each contradiction is drawn as one instant."
        ]
    if len(events) > len(shown):
        notes.append(f"And {counted(len(events) - len(shown), 'more event')}.")
    return TimelinePair(caption=caption(item, verdict, None), rows=rows, notes=tuple(notes))


def span(timeline: Timeline, event: str) -> Span | None:
    """The instants of an event; None if it has none."""
    instants = [timeline.get(Point(event=event, bound=bound)) for bound in Bound]
    known = [instant for instant in instants if instant is not None]
    return Span(start=known[0], end=known[-1]) if known else None


def paint_possibilities(drawn: TimelinePair) -> Figure:
    """Draw two timelines side by side."""
    names = names_width((row.name, row.role) for row in drawn.rows)
    left = MARGIN + names + 0.3
    bottom = HEAD + 0.3 + ROW * len(drawn.rows)
    sheet = canvas(
        max(left + 2 * PANEL + BETWEEN + MARGIN, head_width(drawn.caption)),
        bottom + 0.6 + LINE * len(drawn.notes),
    )
    head(sheet, drawn.caption)
    for number, row in enumerate(drawn.rows):
        event_name(sheet, Spot(x=MARGIN + names, y=_height(number)), row.name, row.role)
    holds = [row.holds for row in drawn.rows]
    fails = [row.fails for row in drawn.rows]
    _panel(sheet, drawn.rows, holds, left, "Possible: the claim holds")
    _panel(sheet, drawn.rows, fails, left + PANEL + BETWEEN, "Also possible: it does not")
    for line, note in enumerate(drawn.notes):
        sheet.write(Spot(x=MARGIN, y=bottom + 0.55 + LINE * line), note, size=8, colour=FAINT_INK)
    return sheet.figure


def _height(row: int, top: float = HEAD) -> float:
    return top + 0.3 + (row + 0.5) * ROW


def _panel(
    sheet: Canvas,
    rows: Sequence[Row],
    spans: Sequence[Span | None],
    left: float,
    title: str,
    top: float = HEAD,
) -> None:
    known = [span for span in spans if span is not None]
    first = min((span.start for span in known), default=0)
    last = max((span.end for span in known), default=1)
    scale = PANEL / max(last - first, 1)
    instants = sorted({instant for span in known for instant in (span.start, span.end)})
    places = {instant: left + (instant - first) * scale for instant in instants}
    sheet.write(Spot(x=left, y=top + 0.12), title, bold=True)
    bottom = _height(len(rows) - 1, top) + ROW / 2
    _axis(sheet, places, bottom)
    for number, (row, span) in enumerate(zip(rows, spans, strict=True)):
        y = _height(number, top)
        sheet.rule(Spot(x=left, y=y + ROW / 2), Spot(x=left + PANEL, y=y + ROW / 2), RULE)
        if span is not None:
            _span_bar(sheet, row, Spot(x=places[span.start], y=y), places[span.end], bottom)


def _axis(sheet: Canvas, places: Mapping[int, float], bottom: float) -> None:
    every = -(-len(places) // TICKS)
    for number, (instant, x) in enumerate(places.items()):
        if number % max(every, 1) == 0:
            at = Spot(x=x, y=bottom + 0.13)
            sheet.write(at, str(instant), size=7.5, colour=FAINT_INK, align="center")


def _span_bar(sheet: Canvas, row: Row, start: Spot, end: float, bottom: float) -> None:
    fill = EVENT_FILL[row.role]
    sheet.bar(start, end, fill, alpha=0.85 if row.role is Role.OTHER else 1.0)
    if row.role is not Role.OTHER:
        for x in (start.x, end):
            sheet.rule(Spot(x=x, y=start.y), Spot(x=x, y=bottom), fill, style=(0, (2, 2)))
    if end == start.x or row.role is not Role.OTHER:
        for x in dict.fromkeys((start.x, end)):
            sheet.point(Spot(x=x, y=start.y), EVENT_INK[row.role])
