"""``score nli``: scores of a model's answers to items."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from solver.cli.options import NewFolder, domain, spatial

if TYPE_CHECKING:
    from benchmarks.eventhop.cases import Cases
    from benchmarks.eventhop.report import ScoreReport

data = click.option(
    "--data",
    "paths",
    multiple=True,
    required=True,
    metavar="PATH",
    help="Items that were answered; may be repeated.",
)
gold = click.option(
    "--gold",
    type=click.Choice(["decided", "file"]),
    default="decided",
    show_default=True,
    help="Source of the gold labels: decided by the engines (policy local), or the file.",
)
resamples = click.option(
    "--resamples",
    type=click.IntRange(100, 100_000),
    default=1_000,
    show_default=True,
    help="Number of bootstrap resamples.",
)
seed = click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Random seed."
)
report = click.option(
    "--report",
    type=NewFolder(),
    metavar="DIR",
    help="Folder for scores, a page, plots and manifest.json.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print a single JSON object.")


@click.command()
@click.argument("predictions", metavar="PREDICTIONS")
@data
@gold
@resamples
@seed
@spatial
@domain
@report
@as_json
@click.pass_context
def nli(ctx: click.Context, /, predictions: str, **options: Any) -> None:  # noqa: ANN401
    """Score a model's answers to items: macro-F1 and accuracy, by label and by group.

    PREDICTIONS is JSONL or a table (TSV, CSV) with the columns id and answer. An answer is a label
    or a text that contains one. Unreadable and missing answers count as wrong.

    \b
    Examples:
      python -m solver baseline majority --data examples/right.tsv --out answers.jsonl
      python -m solver score nli answers.jsonl --data examples/right.tsv
      python -m solver score nli answers.jsonl --data examples/right.tsv --report reports/nli
    """  # noqa: D301 - click reads the backslash
    from benchmarks.eventhop.cli.options import finish
    from benchmarks.eventhop.report import write_report

    run = _run(predictions, options)
    _warn(run)
    finish(ctx, run, options, show=partial(_show, run), write=partial(write_report, run))


def _run(path: str, options: dict[str, Any]) -> ScoreReport:
    from benchmarks.eventhop.cases import gold_labels, groups
    from benchmarks.eventhop.cli.options import read_answer_data
    from benchmarks.eventhop.predictions import answered_labels
    from benchmarks.eventhop.report import ScoreReport
    from benchmarks.eventhop.scores import score

    data = read_answer_data(path, options)
    read, matched = data.items, data.matched
    right = read.decided if options["gold"] == "decided" else gold_labels(read)
    return ScoreReport(
        data=options["paths"],
        predictions=data.predictions,
        matched=matched,
        gold=options["gold"],
        differing=_differing(read),
        unparsed=len(read.unparsed),
        scores=score(
            right,
            answered_labels(matched),
            groups(read.cases),
            seed=options["seed"],
            resamples=options["resamples"],
        ),
        config={name: options[name] for name in ("gold", "resamples", "spatial", "domain")},
        seed=options["seed"],
    )


def _differing(read: Cases) -> int | None:
    labels = [(case.record.label, case.verdict.label) for case in read.cases]
    if all(gold is None for gold, _ in labels):
        return None
    return sum(gold is not None and gold is not decided for gold, decided in labels)


def _warn(run: ScoreReport) -> None:
    """Warn on stderr where decided labels and labels of the file differ."""
    from solver.eventhop.messages import counted

    if run.differing:
        click.echo(
            f"note: the label of {counted(run.differing, 'item')} differs from the decided one; "
            f"scored with --gold {run.gold}",
            err=True,
        )


def _show(run: ScoreReport) -> None:
    from benchmarks.eventhop.report import format_interval
    from solver.cli.printing import narrow_table, wide_console

    console = wide_console()
    scores = run.scores
    console.print(
        f"{run.predictions.name}: {scores.overall.items:,} items, gold: {run.gold}\n"
        f"macro-F1 {format_interval(scores.overall.macro_f1)}, "
        f"accuracy {format_interval(scores.overall.accuracy)}",
        markup=False,
    )
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
                format_interval(score.macro_f1),
                format_interval(score.accuracy),
                f"{score.items:,}",
            )
        console.print(shown)
