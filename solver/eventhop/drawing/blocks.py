"""Timelines for a terminal, drawn with block characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grammar.eventhop.model import Item, Verdict
from solver.drawing.canvas import Role, display_names
from solver.eventhop.certificates.evidence import Chain, Evidence, Timelines
from solver.eventhop.drawing.paint import MOST_EVENTS, Span, possibilities, span
from solver.eventhop.drawing.scene import NAME_WIDTH, Bar, Scene, role, scene
from solver.eventhop.messages import APART, claimed_events, named_first

BREADTH = 56
"""Width of a timeline in characters, without the names of the events."""

WIDEST_UNIT = 8
FULL, FADED, START, END, POINT = "█", "▓▒░", "├", "┤", "●"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRow:
    """An event's name and its bar."""

    name: str
    role: Role
    bar: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextTimeline:
    """A small timeline.

    Attributes:
        title: empty if there is only one.
        note: the sentences of a cycle that the timeline does not satisfy.
    """

    title: str
    rows: tuple[TextRow, ...]
    note: str = ""


def text_timelines(item: Item, verdict: Verdict, found: Evidence) -> tuple[TextTimeline, ...]:
    """The walks of a chain or a cycle, and the timeline of a chain; two timelines for *unknown*."""
    if not isinstance(found, Timelines):
        drawn = scene(item, verdict, found, None)
        rows = tuple(_scene_rows(drawn))
        walks = TextTimeline(title="", rows=rows, note=_against(drawn))
        return (walks, _apart(item, found)) if isinstance(found, Chain) else (walks,)
    drawn_twice = possibilities(item, verdict, found)
    names = [(row.name, row.role) for row in drawn_twice.rows]
    return (
        _timeline("the claim holds:", names, [row.holds for row in drawn_twice.rows]),
        _timeline("the claim fails:", names, [row.fails for row in drawn_twice.rows]),
    )


def _apart(item: Item, chain: Chain) -> TextTimeline:
    events = named_first(item)[:MOST_EVENTS]
    names = display_names(events, NAME_WIDTH)
    rows = [(names[event], role(event, claimed_events(item))) for event in events]
    return _timeline(f"{APART}:", rows, [span(chain.apart, event) for event in events])


def _scene_rows(drawn: Scene) -> Iterator[TextRow]:
    unit = max(2, min(WIDEST_UNIT, BREADTH // max(drawn.columns, 1)))
    for bar in drawn.bars:
        yield TextRow(name=bar.name, role=bar.role, bar=_bar(bar, unit))


def _against(drawn: Scene) -> str:
    numbers = [arrow.badge for arrow in drawn.arrows if arrow.broken and arrow.badge]
    if not numbers:
        return ""
    verb, noun = ("leads", "sentence") if len(numbers) == 1 else ("lead", "sentences")
    return f"↩ {noun} {', '.join(numbers)} {verb} back"


def _bar(bar: Bar, unit: int) -> str:
    margin = len(FADED)
    start = None if bar.start is None else margin + bar.start * unit
    end = None if bar.end is None else margin + bar.end * unit
    if start is not None and end is not None:
        first, last = sorted((start, end))
        inside = ("╱" if bar.impossible else FULL) * (last - first - 1)
        return " " * first + (POINT if first == last else f"{START}{inside}{END}")
    if start is not None:
        return " " * start + START + FADED
    if end is not None:
        return " " * (end - margin) + FADED[::-1] + END
    return ""


def _timeline(
    title: str, names: Sequence[tuple[str, Role]], spans: Sequence[Span | None]
) -> TextTimeline:
    known = [span for span in spans if span is not None]
    first = min((span.start for span in known), default=0)
    last = max((span.end for span in known), default=1)
    unit = min(float(WIDEST_UNIT), BREADTH / max(last - first, 1))
    rows = tuple(
        TextRow(name=name, role=role, bar="" if span is None else _span(span, first, unit))
        for (name, role), span in zip(names, spans, strict=True)
    )
    return TextTimeline(title=title, rows=rows)


def _span(span: Span, first: int, unit: float) -> str:
    start, end = (round((instant - first) * unit) for instant in (span.start, span.end))
    if start == end:
        return f"{' ' * start}{POINT}"
    return f"{' ' * start}{START}{FULL * (end - start - 1)}{END}"
