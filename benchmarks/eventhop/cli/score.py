"""``score nli``: scores of a model's answers to items."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.cli.options import as_json, gold, items, report, resamples, seed
from solver.eventhop.cli import reading

if TYPE_CHECKING:
    from benchmarks.eventhop.scoring import ScoreReport
    from solver.eventhop.engines import ItemSettings


@click.command()
@click.argument("predictions", metavar="PREDICTIONS")
@items
@gold
@resamples
@seed
@reading
@report
@as_json
@click.pass_context
def nli(
    ctx: click.Context,
    /,
    *,
    predictions: str,
    paths: tuple[str, ...],
    gold: str,
    resamples: int,
    seed: int,
    settings: ItemSettings,
    report: Path | None,
    as_json: bool,
) -> None:
    """Score a model's answers to items: macro-F1 and accuracy, by label and by group.

    PREDICTIONS is JSONL or a table (TSV, CSV) with the columns id and answer. An answer is a label
    or a text that contains one. Unreadable and missing answers count as wrong.

    \b
    Examples:
      python -m solver baseline majority --data examples/right.tsv --out answers.jsonl
      python -m solver score nli answers.jsonl --data examples/right.tsv
      python -m solver score nli answers.jsonl --data examples/right.tsv --report reports/nli
    """  # noqa: D301 - click reads the backslash
    from benchmarks.eventhop.cases import Gold
    from benchmarks.eventhop.cli.options import finish, print_notes
    from benchmarks.eventhop.scoring import ScoreConfig, read_answer_data, score_answers, write
    from solver.io.sources import counted

    data = read_answer_data(predictions, paths, settings)
    print_notes(data)
    config = ScoreConfig(gold=Gold(gold), settings=settings, resamples=resamples, seed=seed)
    run = score_answers(data, paths, config)
    if run.differing:
        click.echo(
            f"note: the label of {counted(run.differing, 'item')} differs from the decided one; "
            f"scored with --gold {run.gold}",
            err=True,
        )
    finish(ctx, run, as_json=as_json, report=report, show=partial(_show, run), write=write)


def _show(run: ScoreReport) -> None:
    from solver.cli.printing import narrow_table
    from solver.io.terminal import wide_console
    from solver.report.numbers import decimal_interval

    console = wide_console()
    scores = run.scores
    console.print(
        f"{run.predictions.name}: {scores.overall.items:,} items, gold: {run.gold}\n"
        f"macro-F1 {decimal_interval(scores.overall.macro_f1)}, "
        f"accuracy {decimal_interval(scores.overall.accuracy)}",
    )
    if scores.minimal is not None:
        console.print(str(scores.minimal))
    answers = list(next(iter(scores.confusion.values())))
    table = narrow_table("", "label", ["precision", "recall", "F1", *answers])
    for label, one in scores.labels.items():
        figures = [f"{figure:.3f}" for figure in (one.precision, one.recall, one.f1)]
        counts = [f"{count:,}" for count in one.predicted.values()]
        table.add_row(label, *figures, *counts)
    console.print(table)
    for dimension, by in scores.by_group.items():
        shown = narrow_table("", dimension.value, ["macro-F1", "accuracy", "items"])
        for name, score in by.items():
            shown.add_row(
                name,
                decimal_interval(score.macro_f1),
                decimal_interval(score.accuracy),
                f"{score.items:,}",
            )
        console.print(shown)
