"""``verify --kind questions``: checks questions against their graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from solver.cli.options import graph, jobs
from solver.cli.verification import checking, finish
from solver.questions.cli.explain import rules_file


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@graph()
@rules_file
@jobs
@checking
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401
    """Verify questions over a graph: queries, texts, answers and certificates.

    PATH is a folder written by generate questions, or files of questions. Answers must be exactly
    the entailed ones, choices must be earlier facts ordered by contribution, and texts must parse
    to their queries. Two engines, ASP and joins, must agree, and every certificate is checked
    independently.

    \b
    Examples:
      python -m solver verify --kind questions DIR --data GRAPH
      python -m solver verify --kind questions DIR --data GRAPH --jobs 2 --report reports/questions
      python -m solver verify --kind questions test.jsonl --data GRAPH --rules rules.jsonl
    """  # noqa: D301 - click reads the backslash
    from solver.cli.printing import progress
    from solver.questions.encode import ENCODINGS
    from solver.questions.rows import Source
    from solver.questions.verify import ENGINES, check

    source = Source.of(paths, options["graph"], options["rules"])
    with progress("questions read and decided") as advance:
        checked = check(source, jobs=options["jobs"], progress=advance)
    config = {
        "engines": list(ENGINES),
        "data": options["graph"],
        "rules": Path(source.rules).name,
        "two_hop_rules": Path(source.two_hop).name,
    }
    ctx.exit(finish(checked, options, config=config, encodings=ENCODINGS))
