"""``explain --question``: the query of a question and the evidence for its answers."""

from __future__ import annotations

from pathlib import Path

import click

from solver.cli.options import as_json, graph, question_rules, svg
from solver.cli.printing import print_explanation


@click.command()
@click.option("--question", "name", required=True, metavar="ID", help="Id of the question.")
@click.argument("path", metavar="PATH")
@graph()
@question_rules
@svg
@as_json
def command(
    *,
    name: str,
    path: str,
    graph: Path,
    rules: Path | None,
    drawing: Path | None,
    as_json: bool,
) -> None:
    """Explain a question: its query, and the facts and rules that support its answers.

    PATH is a folder written by generate questions, or a file of questions. Findings of the
    question by itself are reported too. The drawing of a fact-reasoning question shows the choice
    that contributes most.

    \b
    Examples:
      python -m solver explain --question test-2-hop-000000 DIR --data GRAPH
      python -m solver explain --question test-fact-reasoning-000003 DIR --data GRAPH --svg q.svg
    """  # noqa: D301 - click reads the backslash
    from solver.questions.explain import explain
    from solver.questions.rows import Source

    print_explanation(
        explain(Source.of((path,), graph, rules), name),
        drawing=drawing,
        as_json=as_json,
        nothing="note: nothing to draw: no choice contributes to a fact",
    )
