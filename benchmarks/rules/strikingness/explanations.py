"""The explanation of an event's strikingness as text, JSON, a table and a drawing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmarks.rules.strikingness.explanation import (
    ITSELF,
    ExplainedPeer,
    Explanation,
    Reason,
    Side,
    explain,
)
from benchmarks.rules.strikingness.peers import Evidence
from benchmarks.rules.strikingness.settings import Element, Settings
from solver.drawing.canvas import render
from solver.graph.model import Dataset, Vocabulary, entity_id, relation_id, time_id
from solver.report.explanation import WrittenExplanation
from solver.report.numbers import cut
from solver.rules.model import RuleTable
from solver.rules.notation import fact_text, forwards, rule_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from solver.graph.model import Vocabulary


MOST = 12
"""Maximum number of bars per element."""

_FEWEST = 4
_ROW = 0.24
_LONG = 28


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
    names = [
        cut(peer_name(side.element, explained_peer.peer, vocabulary), _LONG)
        for explained_peer in peers
    ]
    colours = ["C1" if peer.own else "C0" for peer in peers]
    places = range(len(peers))
    axes.barh(places, [peer.expectation for peer in peers], color=colours)
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


_TIMES = 4
"""Number of times shown per chain; the rest is counted."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EventExplanation(WrittenExplanation):
    """The strikingness of an event, with its peers, their expectations and their rules.

    Attributes:
        found: the explanation, by ids.
        graph: the graph.
        table: the rules.
        profile: name of the definition.
        peers: number of peers to print for each element.
        reasons: number of rules to print for each peer.
    """

    found: Explanation
    graph: Dataset
    table: RuleTable
    profile: str
    peers: int = 5
    reasons: int = 2

    @property
    def strikingness(self) -> float:
        """The weight of the event, in [0, 1]."""
        return self.found.weight

    @property
    def in_graph(self) -> bool:
        """Whether the event is a fact of the graph."""
        rows = self.graph.facts().rows()
        return bool((rows == self.found.event).all(axis=1).any())

    def lines(self) -> Iterator[str]:
        """The weight and the peers in words."""
        found, size = self.found, self.graph.vocabulary
        event = f"{fact_text(found.event, size)} at {size.time(found.event[3])}"
        missing = "" if self.in_graph else ", not in the graph"
        since = f"evidence from {size.time(found.since)} on"
        yield f"{event}{missing}: strikingness {found.weight:.3f} ({self.profile}; {since})"
        for side in found.sides:
            yield from _side_lines(side, size, self.table, self.peers, self.reasons)
        if not found.proved:
            yield "NOT confirmed by clingo"

    def as_json(self) -> dict[str, Any]:
        """The weight and all peers as JSON values."""
        found = self.found
        return {
            "event": list(found.event),
            "in_graph": self.in_graph,
            "since": found.since,
            "strikingness": found.weight,
            "proved": found.proved,
            "sides": {
                side.element.value: {
                    "component": side.component,
                    "share": side.share,
                    "count": side.count,
                    "more_expected": side.ahead,
                    "peers": [
                        _peer_json(peer, side.element, self.graph.vocabulary, self.table)
                        for peer in side.peers
                    ],
                }
                for side in found.sides
            },
        }

    def columns(self) -> Sequence[str]:
        """The replaced element, the peer, its expectation, and what it adds."""
        return ("element", "peer", "own", "expectation", "adds")

    def rows(self) -> list[Mapping[str, object]]:
        """All peers."""
        size = self.graph.vocabulary
        return [
            {
                "element": side.element.value,
                "peer": peer_name(side.element, explained_peer.peer, size),
                "own": explained_peer.own,
                "expectation": explained_peer.expectation,
                "adds": explained_peer.adds,
            }
            for side in self.found.sides
            for explained_peer in side.peers
        ]

    def picture(self, form: str = "svg") -> bytes | None:
        """The expectations of the peers as bars."""
        return picture(self.found, self.graph.vocabulary, form=form)


def explain_event(
    graph: Dataset,
    table: RuleTable,
    event: Sequence[str],
    settings: Settings,
    *,
    peers: int,
    reasons: int,
) -> EventExplanation:
    """Explain the strikingness of an event, by joins confirmed by clingo.

    Args:
        graph: the graph.
        table: the rules.
        event: subject, relation, object and time, as names or ids; it may be missing in the graph.
        settings: the definition.
        peers: number of peers to print for each element.
        reasons: number of rules to print for each peer.

    Raises:
        UnknownNameError: the graph has no such name.
    """
    found = explain(Evidence.of(graph, table, settings), _event_ids(event, graph.vocabulary))
    return EventExplanation(
        found=found,
        graph=graph,
        table=table,
        profile=settings.name,
        peers=peers,
        reasons=reasons,
    )


def _event_ids(event: Sequence[str], size: Vocabulary) -> tuple[int, int, int, int]:
    """The ids of an event; inverse relations are read forwards."""
    head, named, tail, moment = event
    ends = entity_id(size, head), entity_id(size, tail)
    return forwards((ends[0], relation_id(size, named), ends[1], time_id(size, moment)), size)


def _side_lines(
    side: Side, size: Vocabulary, table: RuleTable, peers: int, reasons: int
) -> Iterator[str]:
    summary = f"{side.ahead:,} of {side.count:,} peers more expected"
    if not any(peer.expectation for peer in side.peers):
        summary = f"{side.count:,} peers, none expected"
    yield f"other {side.element}s: {side.component:.3f}, weight {side.share:g}; {summary}"
    places = {explained_peer.peer: place for place, explained_peer in enumerate(side.peers, 1)}
    shown = shown_peers(side, peers)
    for explained_peer in shown:
        yield _peer_line(explained_peer, places[explained_peer.peer], side.element, size)
        for reason in explained_peer.reasons[:reasons]:
            yield f"        {_reason_text(reason, size, table)}"
        if len(explained_peer.reasons) > reasons > 0:
            more = len(explained_peer.reasons) - reasons
            yield f"        and {more:,} more rule{'s' * (more != 1)}"
    if len(side.peers) > len(shown):
        more = len(side.peers) - len(shown)
        yield f"     and {more:,} more peer{'s' * (more != 1)}"


def _peer_line(
    explained_peer: ExplainedPeer, place: int, element: Element, size: Vocabulary
) -> str:
    name = peer_name(element, explained_peer.peer, size)
    peer = f"{place:>4}. {name}: expectation {explained_peer.expectation:.4f}"
    if explained_peer.own:
        return f"{peer}, the event itself"
    return f"{peer}, adds {explained_peer.adds:.4f}" if explained_peer.adds else peer


def _reason_text(reason: Reason, size: Vocabulary, table: RuleTable) -> str:
    times = ", ".join(size.time(number) for number in reason.times[:_TIMES])
    if len(reason.times) > _TIMES:
        times += f" and {len(reason.times) - _TIMES:,} earlier"
    if reason.rule == ITSELF:
        return f"{reason.expectation:.4f} by its own facts: {times}"
    rule = f"rule {reason.rule}, confidence {reason.confidence:.3f}"
    text = rule_text(table.rule(reason.rule), size)
    return f"{reason.expectation:.4f} {rule}: {text}; body at {times}"


def _peer_json(
    explained_peer: ExplainedPeer, element: Element, size: Vocabulary, table: RuleTable
) -> dict[str, Any]:
    return {
        "peer": explained_peer.peer,
        "name": peer_name(element, explained_peer.peer, size),
        "own": explained_peer.own,
        "expectation": explained_peer.expectation,
        "normalised": explained_peer.value,
        "adds": explained_peer.adds,
        "rules": [
            {
                "rule": None if reason.rule == ITSELF else reason.rule,
                "text": None if reason.rule == ITSELF else rule_text(table.rule(reason.rule), size),
                "confidence": reason.confidence,
                "times": list(reason.times),
                "expectation": reason.expectation,
            }
            for reason in explained_peer.reasons
        ],
    }
