"""``explain --event``: explains the strikingness of an event by its peers and their rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchmarks.rules.cli.strikingness import StrikingnessOptions, measuring
from solver.cli.options import as_json, graph, number_option, read_graph, svg
from solver.cli.printing import print_json, write_drawing
from solver.rules.cli.options import rules_file

if TYPE_CHECKING:
    from benchmarks.rules.strikingness.explanation import ExplainedPeer, Explanation, Reason, Side
    from benchmarks.rules.strikingness.settings import Element
    from solver.graph.model import Dataset, Vocabulary
    from solver.rules.model import RuleTable

_TIMES = 4
"""Number of times shown per chain; the rest is counted."""


@click.command()
@click.option("--event", nargs=4, required=True, metavar="S R O T", help="Fact, as names or ids.")
@rules_file
@graph()
@measuring
@number_option("--peers", default=5, help="Number of peers to show per element.")
@number_option("--reasons", default=2, low=0, help="Number of rules to show per peer.")
@svg
@as_json
def command(
    *,
    event: tuple[str, str, str, str],
    rules: Path,
    graph: Path,
    measuring: StrikingnessOptions,
    peers: int,
    reasons: int,
    drawing: Path | None,
    as_json: bool,
) -> None:
    """Explain the strikingness of an event by its peers, their expectations and their rules.

    Peers differ from the event in its object, its subject or its relation. Peers and groundings are
    found by joins and confirmed by clingo. The event may be missing from the graph.

    \b
    Examples:
      python -m solver explain --event Belmora visits Dunmarch 2031-05-10 --rules rules.json \\
        --data examples/tkg
      python -m solver explain --event 2 2 5 70 --rules rules.json --data examples/tkg --svg e.svg
    """  # noqa: D301 - click reads the backslash
    from benchmarks.rules.strikingness.explanation import explain
    from benchmarks.rules.strikingness.rulebook import Evidence
    from solver.rules.io import read_rules

    settings = measuring.settings()
    dataset = read_graph(graph)
    size = dataset.vocabulary
    table = read_rules(rules, relations=size.relations)
    explanation = explain(Evidence.of(dataset, table, settings), _event_ids(event, size))
    if drawing is not None:
        from benchmarks.rules.strikingness.drawing import draw, picture

        write_drawing(
            drawing,
            draw=lambda: draw(explanation, size),
            picture=lambda form: picture(explanation, size, form=form),
        )
    if as_json:
        print_json(_as_json(explanation, dataset, table))
        return
    click.echo(_headline(explanation, dataset, settings.name))
    for line in _lines(explanation, size, table, peers, reasons):
        click.echo(line)


def _event_ids(event: tuple[str, str, str, str], size: Vocabulary) -> tuple[int, int, int, int]:
    """The ids of an event; inverse relations are read forwards."""
    from solver.graph.model import entity_id, relation_id, time_id
    from solver.rules.notation import forwards

    head, named, tail, moment = event
    ends = entity_id(size, head), entity_id(size, tail)
    return forwards((ends[0], relation_id(size, named), ends[1], time_id(size, moment)), size)


def _in_graph(explanation: Explanation, dataset: Dataset) -> bool:
    rows = dataset.facts().rows()
    return bool((rows == explanation.event).all(axis=1).any())


def _headline(explanation: Explanation, dataset: Dataset, profile: str) -> str:
    from solver.rules.notation import fact_text

    size, time = dataset.vocabulary, explanation.event[3]
    event = f"{fact_text(explanation.event, size)} at {size.time(time)}"
    missing = "" if _in_graph(explanation, dataset) else ", not in the graph"
    since = f"evidence from {size.time(explanation.since)} on"
    return f"{event}{missing}: strikingness {explanation.weight:.3f} ({profile}; {since})"


def _lines(
    explanation: Explanation, size: Vocabulary, table: RuleTable, peers: int, reasons: int
) -> Iterator[str]:
    for side in explanation.sides:
        yield from _side_lines(side, size, table, peers, reasons)
    if not explanation.proved:
        yield "NOT confirmed by clingo"


def _side_lines(
    side: Side, size: Vocabulary, table: RuleTable, peers: int, reasons: int
) -> Iterator[str]:
    from benchmarks.rules.strikingness.drawing import shown_peers

    summary = f"{side.ahead:,} of {side.count:,} peers more expected"
    if not any(one.expectation for one in side.peers):
        summary = f"{side.count:,} peers, none expected"
    yield f"other {side.element}s: {side.component:.3f}, weight {side.share:g}; {summary}"
    places = {one.peer: place for place, one in enumerate(side.peers, 1)}
    shown = shown_peers(side, peers)
    for one in shown:
        yield _peer_line(one, places[one.peer], side.element, size)
        for reason in one.reasons[:reasons]:
            yield f"        {_reason_text(reason, size, table)}"
        if len(one.reasons) > reasons > 0:
            more = len(one.reasons) - reasons
            yield f"        and {more:,} more rule{'s' * (more != 1)}"
    if len(side.peers) > len(shown):
        more = len(side.peers) - len(shown)
        yield f"     and {more:,} more peer{'s' * (more != 1)}"


def _peer_line(one: ExplainedPeer, place: int, element: Element, size: Vocabulary) -> str:
    from benchmarks.rules.strikingness.drawing import peer_name

    name = peer_name(element, one.peer, size)
    peer = f"{place:>4}. {name}: expectation {one.expectation:.4f}"
    if one.own:
        return f"{peer}, the event itself"
    return f"{peer}, adds {one.adds:.4f}" if one.adds else peer


def _reason_text(reason: Reason, size: Vocabulary, table: RuleTable) -> str:
    from benchmarks.rules.strikingness.explanation import ITSELF
    from solver.rules.notation import rule_text

    times = ", ".join(size.time(one) for one in reason.times[:_TIMES])
    if len(reason.times) > _TIMES:
        times += f" and {len(reason.times) - _TIMES:,} earlier"
    if reason.rule == ITSELF:
        return f"{reason.expectation:.4f} by its own facts: {times}"
    rule = f"rule {reason.rule}, confidence {reason.confidence:.3f}"
    text = rule_text(table.rule(reason.rule), size)
    return f"{reason.expectation:.4f} {rule}: {text}; body at {times}"


def _as_json(explanation: Explanation, dataset: Dataset, table: RuleTable) -> dict[str, Any]:
    return {
        "event": list(explanation.event),
        "in_graph": _in_graph(explanation, dataset),
        "since": explanation.since,
        "strikingness": explanation.weight,
        "proved": explanation.proved,
        "sides": {
            side.element.value: {
                "component": side.component,
                "share": side.share,
                "count": side.count,
                "more_expected": side.ahead,
                "peers": [
                    _peer_json(one, side.element, dataset.vocabulary, table) for one in side.peers
                ],
            }
            for side in explanation.sides
        },
    }


def _peer_json(
    one: ExplainedPeer, element: Element, size: Vocabulary, table: RuleTable
) -> dict[str, Any]:
    from benchmarks.rules.strikingness.drawing import peer_name
    from benchmarks.rules.strikingness.explanation import ITSELF
    from solver.rules.notation import rule_text

    return {
        "peer": one.peer,
        "name": peer_name(element, one.peer, size),
        "own": one.own,
        "expectation": one.expectation,
        "normalised": one.value,
        "adds": one.adds,
        "rules": [
            {
                "rule": None if reason.rule == ITSELF else reason.rule,
                "text": None if reason.rule == ITSELF else rule_text(table.rule(reason.rule), size),
                "confidence": reason.confidence,
                "times": list(reason.times),
                "expectation": reason.expectation,
            }
            for reason in one.reasons
        ],
    }
