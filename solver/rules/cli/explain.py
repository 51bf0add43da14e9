"""``explain --query`` and ``explain --rule``: answers of temporal rules, and single rules."""

from __future__ import annotations

from pathlib import Path

import click

from solver.cli.options import as_json, graph, number_option, read_graph, seed, svg
from solver.cli.printing import print_explanation
from solver.rules.cli.options import ApplicationOptions, applying, rules_file


@click.command()
@click.option(
    "--query",
    "asked",
    nargs=4,
    required=True,
    metavar="S R O T",
    help="Query as names or ids; S or O is a question mark.",
)
@rules_file
@graph()
@applying
@number_option("--candidates", default=5, help="Number of candidates to show.")
@number_option("--reasons", default=3, help="Number of rules to show per candidate.")
@svg
@as_json
def query(
    *,
    asked: tuple[str, str, str, str],
    rules: Path,
    graph: Path,
    applying: ApplicationOptions,
    candidates: int,
    reasons: int,
    drawing: Path | None,
    as_json: bool,
) -> None:
    """Answer a query with temporal rules and show the rules and facts behind each candidate.

    Only facts before the query's time are used; after the last time of the graph the answer is a
    forecast, and a time before the first one is refused. The latest grounding of each rule is
    shown; it is found by joins and confirmed by clingo.

    \b
    Examples:
      python -m solver explain --query Belmora visits "?" 2031-05-10 --rules rules.json \\
        --data examples/tkg
      python -m solver explain --query "?" 0 3 75 --rules rules.json --data examples/tkg --svg a.svg
    """  # noqa: D301 - click reads the backslash
    from solver.rules.application import Application
    from solver.rules.explanations import UNKNOWN, explain_query
    from solver.rules.io import read_rules

    if (asked[0] == UNKNOWN) == (asked[2] == UNKNOWN):
        raise click.UsageError("--query: exactly one of S and O must be a question mark.")
    dataset = read_graph(graph)
    table = read_rules(rules, relations=dataset.vocabulary.relations)
    applied = Application.of(table, dataset, applying.settings(), trained=applying.trained)
    explanation = explain_query(applied, dataset, asked, candidates=candidates, reasons=reasons)
    print_explanation(
        explanation,
        drawing=drawing,
        as_json=as_json,
        nothing="nothing is drawn: no rule applies",
    )


@click.command()
@click.option(
    "--rule",
    "wanted",
    required=True,
    metavar="TEXT|N",
    help="Rule such as `hosts(A, B) <- visits(B, A)`, or its number in FILE, from 0.",
)
@rules_file
@graph()
@number_option("--groundings", default=3, low=0, help="Number of groundings to show.")
@seed
@svg
@as_json
def rule(
    *,
    wanted: str,
    rules: Path,
    graph: Path,
    groundings: int,
    seed: int,
    drawing: Path | None,
    as_json: bool,
) -> None:
    """Show a temporal rule of a file with its supports and some groundings in the graph.

    Groundings are found by joins and confirmed by clingo.

    \b
    Examples:
      python -m solver explain --rule 0 --rules rules.json --data examples/tkg
      python -m solver explain --rule "hosts(A, B) <- visits(B, A)" --rules rules.json \\
        --data examples/tkg --svg rule.svg
    """  # noqa: D301 - click reads the backslash
    from solver.rules.explanations import explain_rule
    from solver.rules.io import read_rules

    dataset = read_graph(graph)
    table = read_rules(rules, relations=dataset.vocabulary.relations)
    print_explanation(
        explain_rule(table, dataset, wanted, groundings=groundings, seed=seed, where=str(rules)),
        drawing=drawing,
        as_json=as_json,
        nothing="nothing is drawn: no grounding was found",
    )
