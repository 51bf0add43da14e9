"""``score questions``: scores answers to questions over a graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from benchmarks.cli.score_nli import report, resamples, seed
from solver.cli.options import as_json
from solver.cli.question_options import split
from solver.errors import ExitStatus


@click.command()
@click.argument("predictions", metavar="PREDICTIONS")
@click.option(
    "--questions",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR|FILE",
    help="Questions with gold answers.",
)
@split
@resamples
@seed
@report
@as_json
@click.pass_context
def questions(ctx: click.Context, /, predictions: str, **options: Any) -> None:  # noqa: ANN401
    """Score answers to questions over a graph, by kind, relation and month.

    PREDICTIONS is JSON Lines with one object {"id": ..., "ranking": [best, second, ...]} per
    question. Answers are names of entities, yes or unknown, or letters of choices. - is standard
    input.

    \b
    Examples:
      python -m solver generate questions examples/questions/graph --out asked
      python -m solver answer asked --data examples/questions/graph --observe past \\
        --out answers.jsonl
      python -m solver score questions answers.jsonl --questions asked
    """  # noqa: D301 - click reads the backslash
    from benchmarks.cli.question_scores import scored, show
    from benchmarks.questions.report import missing_note, write_report
    from benchmarks.questions.run import split_file
    from solver.cli.printing import make_folder, print_json, wide_console
    from solver.tkg.dataset import Split

    run = scored(
        predictions,
        split_file(options["questions"], Split(options["split"])),
        details=bool(options["as_json"] or options["report"] is not None),
        config={name: options[name] for name in ("split", "resamples")},
        seed=options["seed"],
        resamples=options["resamples"],
    )
    if run.missing:
        click.echo(f"note: {missing_note(run)}", err=True)
    if options["as_json"]:
        print_json(run.as_json())
    else:
        line = f"{run.predictions}: {run.size:,} questions of {run.questions}; in percent"
        wide_console().print(line, markup=False, soft_wrap=True)
        show(run.scores)
    if options["report"] is not None:
        page = write_report(run, make_folder(options["report"]))
        click.echo(f"report: {page}", err=True)
    ctx.exit(ExitStatus.VIOLATIONS if run.missing else ExitStatus.OK)
