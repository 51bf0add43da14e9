"""Tables, exhibits and drawings of documents: the contradictory cycle, and a timeline. SVG text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from html import escape
from math import cos, pi, sin
from typing import TYPE_CHECKING

from grammar.eventhop.model import Bound, Point
from grammar.links.model import Document, Step
from solver.drawing.canvas import EVENT_FILL, FAINT_INK, FONTS, INK, NAMESPACE, RULE, Role
from solver.links.messages import link_in_words, step_in_words
from solver.report.model import Exhibit, Section, Sentence, Table

if TYPE_CHECKING:
    from solver.links.outcome import Outcome

_DRAWN = 30
"""Inconsistent documents that are shown with a drawing."""


def tables(outcomes: Sequence[Outcome]) -> dict[str, Table]:
    """The table of the documents."""
    columns: tuple[str, ...] = (
        "document", "links", "consistent", "links of the shortest cycle", "double links"
    )  # fmt: skip
    rows = tuple(
        (
            outcome.document.name,
            f"{outcome.stated:,}",
            "yes" if outcome.decision.consistent else "no",
            "" if outcome.decision.consistent else f"{len(outcome.decision.links)}",
            f"{len(outcome.overlap.repeated + outcome.overlap.inverse):,}",
            *(() if outcome.redundant is None else (f"{outcome.redundant:,}",)),
        )
        for outcome in outcomes
    )
    if all(outcome.redundant is not None for outcome in outcomes):
        columns = (*columns, "follow from the others")
    return {"Documents": Table(columns=columns, rows=rows)} if rows else {}


def sections(outcomes: Sequence[Outcome]) -> Iterator[Section]:
    """The inconsistent documents, each with its cycle, its sentences and a drawing."""
    wrong = [outcome for outcome in outcomes if not outcome.decision.consistent]
    if not wrong:
        return
    left = len(wrong) - _DRAWN
    yield Section(
        title="Contradictions",
        text=f"The first {_DRAWN}; {left:,} more." if left > 0 else "",
        exhibits=tuple(exhibit(outcome) for outcome in wrong[:_DRAWN]),
    )


def exhibit(outcome: Outcome, notes: Sequence[str] = ()) -> Exhibit:
    """A document with its cycle."""
    document, decision = outcome.document, outcome.decision
    links = [document.links[n] for n in decision.links]
    names = dict.fromkeys(name for link in links for name in (link.left, link.right))
    found = dict.fromkeys(document.nodes[name].sentence for name in names)
    sentences = tuple(
        Sentence(number=n, text=text, used=True) for n, text in enumerate(filter(None, found), 1)
    )
    return Exhibit(
        id=document.name,
        claim=f"{len(links)} links contradict each other",
        labels=(f"{outcome.stated:,} links", "inconsistent"),
        wrong=True,
        tags=(),
        text="; ".join(link_in_words(document, link) for link in links),
        sentences=sentences,
        notes=tuple(notes),
        heading="The cycle",
        words=tuple(step_in_words(document, step) for step in decision.cycle),
        drawing=draw_cycle(document, decision.cycle),
        place=document.where(min((link.line for link in links), default=0)),
    )


_STRICT = "#b3261e"
_WORD = 24
_ROW = 20
_ROWS = 200
"""Events drawn on a timeline."""


def draw_cycle(document: Document, cycle: Sequence[Step]) -> str:
    """Draw a cycle: its points on a circle, an arrow for each step, strict steps in red."""
    points = list(dict.fromkeys(step.source for step in cycle))
    radius = max(90, 26 * len(points))
    width, height = 2 * radius + 420, 2 * radius + 70
    middle = (width / 2, height / 2)

    def place(number: int, scale: float = 1.0) -> tuple[float, float]:
        angle = 2 * pi * number / len(points) - pi / 2
        return middle[0] + scale * radius * cos(angle), middle[1] + scale * radius * sin(angle)

    salt = blake2b(f"{document.name}{cycle}".encode(), digest_size=6).hexdigest()
    parts = [_heads(salt)]
    index = {point: n for n, point in enumerate(points)}
    for step in cycle:
        (x1, y1), (x2, y2) = place(index[step.source]), place(index[step.target])
        length = max(1.0, ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5)
        dx, dy = (x2 - x1) / length * 8, (y2 - y1) / length * 8
        colour = _STRICT if step.strict else INK
        head = "strict" if step.strict else "loose"
        parts.append(
            f'<line x1="{x1 + dx:.1f}" y1="{y1 + dy:.1f}" x2="{x2 - dx:.1f}" y2="{y2 - dy:.1f}" '
            f'stroke="{colour}" stroke-width="1.4" marker-end="url(#{head}-{salt})"/>'
        )
        sign = "<" if step.strict else "≤"
        reason = "lasts" if step.relation is None else document.links[step.relation].id
        label = f"{sign} {reason}"
        parts.append(_text((x1 + x2) / 2, (y1 + y2) / 2 - 4, label, size=11, colour=colour))
    for point, n in index.items():
        x, y = place(n)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{INK}"/>')
        tx, ty = place(n, 1 + 16 / radius)
        anchor = "middle" if abs(tx - middle[0]) < 2 else ("start" if tx > middle[0] else "end")
        parts.append(_text(tx, ty + 4, _named(document, point), anchor=anchor))
    return _svg(width, height, f"Contradictory cycle of {document.name}", parts)


def draw_timeline(document: Document, timeline: Mapping[str, tuple[int, int]]) -> str:
    """Draw a timeline with one row for each event or time, in the order of their starts."""
    names = sorted(timeline, key=lambda name: (*timeline[name], name))[:_ROWS]
    last = max((end for _, end in timeline.values()), default=1)
    unit = min(60.0, 640 / max(1, last))
    left, height = 220, _ROW * len(names) + 40
    width = left + unit * last + 20
    parts = [
        f'<line x1="{left + unit * n:.1f}" y1="10" x2="{left + unit * n:.1f}" '
        f'y2="{height - 10}" stroke="{RULE}"/>'
        for n in range(last + 1)
    ]
    for row, name in enumerate(names):
        start, end = timeline[name]
        y = 24 + _ROW * row
        node = document.nodes[name]
        fill = EVENT_FILL[Role.RIGHT if node.is_time else Role.LEFT]
        parts.append(
            f'<rect x="{left + unit * start:.1f}" y="{y - 6}" width="{unit * (end - start):.1f}" '
            f'height="11" fill="{fill}" stroke="{FAINT_INK}" stroke-width="0.5"/>'
        )
        parts.append(_text(left - 8, y + 4, _short(f"{name} {node.word}"), anchor="end"))
    return _svg(width, height, f"Timeline of {document.name}", parts)


def _named(document: Document, point: Point) -> str:
    node = document.nodes[point.event]
    bound = "end" if point.bound is Bound.END else "start"
    return _short(f"{bound} of {node.id} {node.word}")


def _short(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _WORD + 12 else text[: _WORD + 11] + "…"


def _text(
    x: float, y: float, text: str, *, size: int = 12, colour: str = INK, anchor: str = "middle"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" '
        f'text-anchor="{anchor}">{escape(_printable(text))}</text>'
    )


def _printable(text: str) -> str:
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )


def _heads(salt: str) -> str:
    heads = "".join(
        f'<marker id="{name}-{salt}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        f'markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="{colour}"/></marker>'
        for name, colour in (("strict", _STRICT), ("loose", INK))
    )
    return f"<defs>{heads}</defs>"


def _svg(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    title = escape(_printable(title))
    body = "\n".join(parts)
    return (
        f'<svg xmlns="{NAMESPACE}" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="{escape(FONTS)}" role="img" '
        f'aria-label="{title}">\n<title>{title}</title>\n{body}\n</svg>\n'
    )
