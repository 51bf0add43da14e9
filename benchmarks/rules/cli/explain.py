"""``explain --event``: explains the strikingness of an event by its peers and their rules."""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks.rules.cli.strikingness import StrikingnessOptions, measuring
from solver.cli.options import as_json, graph, number_option, read_graph, svg
from solver.cli.printing import print_explanation
from solver.rules.cli.options import rules_file


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
    from benchmarks.rules.strikingness.explanations import explain_event
    from solver.rules.io import read_rules

    settings = measuring.settings()
    dataset = read_graph(graph)
    table = read_rules(rules, relations=dataset.vocabulary.relations)
    explanation = explain_event(dataset, table, event, settings, peers=peers, reasons=reasons)
    print_explanation(explanation, drawing=drawing, as_json=as_json)
