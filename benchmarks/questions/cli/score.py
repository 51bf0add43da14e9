"""``score questions``: scores answers to questions over a graph."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchmarks.metrics.bootstrap import RESAMPLES
from benchmarks.predictions import match_predictions
from benchmarks.questions.predictions import read_rankings
from benchmarks.questions.report import ScoringResult, chosen, headline, labels, overall
from benchmarks.questions.scores import LABELLED, RANKED, Scores, evaluate, read_gold, score
from solver.cli.options import as_json, report, resamples, seed, split
from solver.cli.printing import wide_console
from solver.report.terminal import print_table

if TYPE_CHECKING:
    from solver.graph.model import Split


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
    from benchmarks.questions.report import write
    from benchmarks.questions.run import split_file
    from solver.cli.printing import print_json, wide_console
    from solver.io.writing import make_folder

    run = scored(
        predictions,
        split_file(questions, split),
        details=as_json or report is not None,
        config={"split": split.value, "resamples": resamples},
        seed=seed,
        resamples=resamples,
    )
    for note in run.matched.notes("question"):
        click.echo(note, err=True)
    if as_json:
        print_json(run.as_json())
    else:
        line = f"{run.predictions}: {run.size:,} questions of {run.questions}; in percent"
        wide_console().print(line, markup=False, soft_wrap=True)
        show(run.scores)
    if report is not None:
        page = write(run, make_folder(report))
        click.echo(f"report: {page}", err=True)
    ctx.exit(run.matched.exit_status)


def scored(
    predictions: str,
    questions: Path,
    *,
    details: bool,
    config: Mapping[str, object] | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> ScoringResult:
    """Score a prediction file.

    Args:
        predictions: prediction file, - for standard input.
        questions: file of questions with gold answers.
        details: also score by relation and by month.
        config: options to record with the scores.
        seed: random seed of the bootstrap.
        resamples: number of bootstrap resamples.

    Raises:
        HopcheckError: a file cannot be read, or no prediction is for one of the questions.
    """
    gold = read_gold(questions)
    matched = match_predictions(read_rankings(predictions), [one.id for one in gold], "question")
    evaluated = evaluate(gold, matched)
    return ScoringResult(
        predictions=Path(matched.predictions.name).name,
        questions=questions.name,
        scores=score(evaluated, details=details, seed=seed, resamples=resamples),
        matched=matched,
        config=config or {},
        inputs=(str(questions), predictions),
        seed=seed,
    )


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
    wide_console().print(headline(scores), markup=False, soft_wrap=True)
