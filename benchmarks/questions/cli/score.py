"""``score questions``: scores answers to questions over a graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchmarks.questions.report import ScoringResult, chosen, headline, labels, overall, write
from benchmarks.questions.run import score_file
from benchmarks.questions.scores import LABELLED, RANKED, Scores
from solver.cli.options import as_json, path_option, report, resamples, seed, split
from solver.cli.printing import finish_run
from solver.io.terminal import print_table, wide_console

if TYPE_CHECKING:
    from solver.graph.model import Split


@click.command()
@click.argument("predictions", metavar="PREDICTIONS")
@path_option("--questions", metavar="DIR|FILE", required=True, help="Questions with gold answers.")
@split
@resamples
@seed
@report
@as_json
@click.pass_context
def questions(
    ctx: click.Context,
    /,
    *,
    predictions: str,
    questions: Path,
    split: Split,
    resamples: int,
    seed: int,
    report: Path | None,
    as_json: bool,
) -> None:
    """Score answers to questions over a graph, by kind, relation and month.

    PREDICTIONS is JSON Lines with one object {"id": ..., "ranking": [best, second, ...]} per
    question, or a table of ids and answers. Answers are names of entities, yes or unknown, or
    letters of choices. Missing answers count as wrong. - is standard input.

    \b
    Examples:
      python -m solver generate questions examples/questions/graph --out asked
      python -m solver answer asked --data examples/questions/graph --observe past \\
        --out answers.jsonl
      python -m solver score questions answers.jsonl --questions asked
    """  # noqa: D301 - click reads the backslash
    run = score_file(
        predictions,
        questions,
        split,
        details=as_json or report is not None,
        seed=seed,
        resamples=resamples,
    )
    for note in run.matched.notes("question"):
        click.echo(note, err=True)
    finish_run(run, as_json=as_json, show=lambda: _show(run), report=report, write=write)
    ctx.exit(run.matched.exit_status)


def _show(run: ScoringResult) -> None:
    line = f"{run.predictions}: {run.size:,} questions of {run.questions}; in percent"
    wide_console().print(line, soft_wrap=True)
    show(run.scores)


def show(scores: Scores) -> None:
    """Print all tables and the figures in one sentence."""
    for names in (RANKED, LABELLED):
        table = overall(scores, names)
        if table is not None:
            print_table(table)
    if scores.labels:
        print_table(labels(scores))
    if scores.chosen:
        print_table(chosen(scores))
    wide_console().print(headline(scores), soft_wrap=True)
