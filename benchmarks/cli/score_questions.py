"""``score questions``: answers to questions over a graph against the right ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchmarks.cli.score_nli import as_json, report, resamples, seed
from solver.errors import ExitStatus

if TYPE_CHECKING:
    from benchmarks.questions.report import Scored
    from solver.report.sheet import Table


@click.command()
@click.argument("predictions", metavar="PREDICTIONS")
@click.option(
    "--questions",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR|FILE",
    help="The questions that were answered, with their right answers.",
)
@click.option(
    "--split",
    type=click.Choice(["train", "valid", "test"]),
    default="test",
    show_default=True,
    help="Of DIR.",
)
@resamples
@seed
@report
@as_json
@click.pass_context
def questions(ctx: click.Context, /, predictions: str, **options: Any) -> None:  # noqa: ANN401
    """Score answers to questions over a graph, by kind, relation and month.

    PREDICTIONS is JSON Lines, an object {"id": ..., "ranking": [best, second, ...]} a question:
    entities as the graph names them; yes and unknown; letters of choices. - is standard input.

    \b
    Examples:
      python -m solver generate questions examples/questions/graph --out asked
      python -m solver answer asked --data examples/questions/graph --observe past \\
        --out answers.jsonl
      python -m solver score questions answers.jsonl --questions asked
    """  # noqa: D301 - click reads the backslash
    from benchmarks.questions.report import told_missing, write_report
    from solver.cli.printing import made_folder, print_json

    run = _run(predictions, options)
    if run.missing:
        click.echo(f"note: {told_missing(run)}", err=True)
    if options["as_json"]:
        print_json(run.as_json())
    else:
        _show(run)
    if options["report"] is not None:
        page = write_report(run, made_folder(options["report"]))
        click.echo(f"report: {page}", err=True)
    ctx.exit(ExitStatus.VIOLATIONS if run.missing else ExitStatus.OK)


def _run(path: str, options: dict[str, Any]) -> Scored:
    from benchmarks.questions.judged import judge, read_gold
    from benchmarks.questions.predictions import read_predictions
    from benchmarks.questions.report import Scored
    from benchmarks.questions.run import split_file
    from benchmarks.questions.scores import score
    from solver.tkg.dataset import Split

    file = split_file(options["questions"], Split(options["split"]))
    predictions = read_predictions(path)
    judged, missing = judge(read_gold(file), predictions)
    return Scored(
        predictions=Path(predictions.name).name,
        questions=file.name,
        scores=score(
            judged,
            details=bool(options["as_json"] or options["report"] is not None),
            seed=options["seed"],
            resamples=options["resamples"],
        ),
        missing=missing,
        config={name: options[name] for name in ("split", "resamples")},
        inputs=(str(file), path),
        seed=options["seed"],
    )


def _show(run: Scored) -> None:
    from benchmarks.questions.report import chosen, headline, labels, overall
    from benchmarks.questions.scores import RANKED, TOLD
    from solver.cli.printing import wide_console

    wide_console().print(
        f"{run.predictions}: {run.size:,} questions of {run.questions}; in percent",
        markup=False,
        soft_wrap=True,
    )
    for names in (RANKED, TOLD):
        table = overall(run.scores, names)
        if table is not None:
            _print(table)
    if run.scores.labels:
        _print(labels(run.scores))
    if run.scores.chosen:
        _print(chosen(run.scores))
    wide_console().print(headline(run.scores), markup=False, soft_wrap=True)


def _print(table: Table) -> None:
    from solver.cli.printing import narrow_table, wide_console

    shown = narrow_table("", table.columns[0], table.columns[1:])
    for row in table.rows:
        shown.add_row(*row)
    wide_console().print(shown)
