"""Draws an explanation of strikingness: the most expected peers per element, with the event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.rules.strikingness.explanation import ExplainedPeer, Explanation, Side
from benchmarks.rules.strikingness.settings import Element
from solver.drawing.canvas import render
from solver.report.numbers import cut
from solver.rules.notation import fact_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from solver.graph.model import Vocabulary

MOST = 12
"""Maximum number of bars per element."""

_FEWEST = 4
_ROW = 0.24
_LONG = 28


def draw(explanation: Explanation, vocabulary: Vocabulary) -> str:
    """The text of an SVG file."""
    return picture(explanation, vocabulary, form="svg").decode()


def picture(explanation: Explanation, vocabulary: Vocabulary, *, form: str) -> bytes:
    """The bytes of a file in one of ``solver.drawing.canvas.PICTURE_FORMATS``."""
    salt = fact_text(explanation.event, vocabulary)
    return render(lambda: _figure(explanation, vocabulary), salt=salt, form=form)


def shown_peers(side: Side, most: int) -> list[ExplainedPeer]:
    """The most expected peers, always including the event itself."""
    first = list(side.peers[:most])
    return first if side.own in first else [*first[: max(most - 1, 0)], side.own]


def peer_name(element: Element, peer: int, vocabulary: Vocabulary) -> str:
    """The name of a peer: of an entity or a relation."""
    if element is Element.RELATION:
        return vocabulary.relation(peer)
    return vocabulary.entity(peer)


def _figure(explanation: Explanation, vocabulary: Vocabulary) -> Figure:
    from matplotlib.figure import Figure

    rows = max(len(shown_peers(side, MOST)) for side in explanation.sides)
    figure = Figure(figsize=(13.0, 1.4 + _ROW * max(rows, _FEWEST)), layout="constrained")
    for axes, side in zip(figure.subplots(1, 3), explanation.sides, strict=True):
        _bars(axes, side, vocabulary)
    time = vocabulary.time(explanation.event[3])
    text = f"{fact_text(explanation.event, vocabulary)} at {time}"
    figure.suptitle(f"{text}: strikingness {explanation.weight:.3f}", fontsize=11)
    return figure


def _bars(axes: Axes, side: Side, vocabulary: Vocabulary) -> None:
    peers = shown_peers(side, MOST)
    names = [cut(peer_name(side.element, one.peer, vocabulary), _LONG) for one in peers]
    colours = ["C1" if one.own else "C0" for one in peers]
    places = range(len(peers))
    axes.barh(places, [one.expectation for one in peers], color=colours)
    axes.set_yticks(list(places), names, fontsize=8)
    axes.set_ylim(max(len(peers), _FEWEST) - 0.5, -0.5)
    axes.locator_params(axis="x", nbins=4)
    axes.tick_params(axis="x", labelsize=8)
    axes.set_title(
        f"other {side.element}s: {side.component:.3f}, weight {side.share:g}\n"
        f"{side.ahead:,} of {side.count:,} peers more expected",
        fontsize=9,
    )
    axes.set_xlabel("expectation; orange: the event", fontsize=8)
