"""``verify --kind questions``: checks questions against their graph."""

from __future__ import annotations

from pathlib import Path

import click

from solver.cli.options import graph, jobs, probes, question_rules
from solver.cli.verify import checking, finish
from solver.verification.report import Kind, ProbeLevel


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@graph()
@question_rules
@jobs
@probes
@checking
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    paths: tuple[str, ...],
    graph: Path,
    rules: Path | None,
    jobs: int,
    probes: ProbeLevel,
    report: Path | None,
    show: int,
    as_json: bool,
) -> None:
    """Verify questions over a graph: queries, texts, answers and certificates.

    PATH is a folder written by generate questions, or files of questions. Answers must be exactly
    the entailed ones, choices must be earlier facts ordered by contribution, and texts must parse
    to their queries. Two engines, ASP and joins, must agree, and every certificate is checked
    independently. Probes must not predict the answers of yes-unknown and fact reasoning.

    \b
    Examples:
      python -m solver verify --kind questions DIR --data GRAPH
      python -m solver verify --kind questions DIR --data GRAPH --jobs 2 --report reports/questions
      python -m solver verify --kind questions test.jsonl --data GRAPH --rules rules.jsonl
    """  # noqa: D301 - click reads the backslash
    from solver.cli.printing import progress
    from solver.questions.verify import QuestionSettings
    from solver.verification.run import verify

    settings = QuestionSettings(data=graph, rules=rules)
    with progress("questions read and decided") as advance:
        result = verify(
            paths, Kind.QUESTIONS, config=settings, jobs=jobs, probes=probes, progress=advance
        )
    ctx.exit(finish(result, report=report, show=show, as_json=as_json))
