"""Draws *unknown*: a timeline in which the claim holds next to one in which it fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.drawing.canvas import Canvas, Spot, canvas
from solver.drawing.caption import Caption, caption
from solver.drawing.intervals import HEAD, LINE, MARGIN, event_name, head, head_width, names_width
from solver.drawing.names import display_names
from solver.drawing.palette import EVENT_FILL, EVENT_INK, FAINT_INK, RULE
from solver.drawing.scene import NAME_WIDTH, Role, role
from solver.model import Bound, Item, Point, Timeline, Timelines, Verdict
from solver.wording import claimed_events, counted, named_first

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
            holds=_span(timelines.holds, event),
            fails=_span(timelines.fails, event),
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


def _span(timeline: Timeline, event: str) -> Span | None:
    instants = [timeline.get(Point(event=event, bound=bound)) for bound in Bound]
    known = [instant for instant in instants if instant is not None]
    return Span(start=known[0], end=known[-1]) if known else None


def paint(drawn: TimelinePair) -> Figure:
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


def _height(row: int) -> float:
    return HEAD + 0.3 + (row + 0.5) * ROW


def _panel(
    sheet: Canvas, rows: Sequence[Row], spans: Sequence[Span | None], left: float, title: str
) -> None:
    known = [span for span in spans if span is not None]
    first = min((span.start for span in known), default=0)
    last = max((span.end for span in known), default=1)
    scale = PANEL / max(last - first, 1)
    instants = sorted({instant for span in known for instant in (span.start, span.end)})
    places = {instant: left + (instant - first) * scale for instant in instants}
    sheet.write(Spot(x=left, y=HEAD + 0.12), title, bold=True)
    bottom = _height(len(rows) - 1) + ROW / 2
    _axis(sheet, places, bottom)
    for number, (row, span) in enumerate(zip(rows, spans, strict=True)):
        y = _height(number)
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
