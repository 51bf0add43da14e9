"""Commands about answers to items: ``score nli``, ``diagnose`` and ``compare``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from grammar.errors import ExitStatus
from solver.cli.options import as_json, gold, items, report, resamples, seed
from solver.eventhop.cli import labelled

if TYPE_CHECKING:
    from benchmarks.eventhop.comparison import Comparison
    from benchmarks.eventhop.diagnosis.report import Diagnosis
    from benchmarks.eventhop.scoring import AnswerData, ScoreReport
    from solver.eventhop.engines import ItemSettings

DIMENSIONS = ("hops", "event-distance", "events", "relations", "status", "claim")


def _print_notes(data: AnswerData) -> None:
    """Report on stderr what could not be used."""
    from solver.cli.printing import print_unparsed

    print_unparsed(data.items.unparsed)
    for note in data.notes():
        click.echo(note, err=True)


Run = TypeVar("Run", "ScoreReport", "Diagnosis")


def _finish(
    ctx: click.Context,
    run: Run,
    *,
    as_json: bool,
    report: Path | None,
    show: Callable[[], None],
    write: Callable[[Run, Path], Path],
) -> None:
    """Finish as ``finish_run``, and exit with the status."""
    from solver.cli.printing import finish_run

    finish_run(run, as_json=as_json, show=show, report=report, write=write)
    ctx.exit(ExitStatus.UNREADABLE if run.unparsed else run.matched.exit_status)


@click.command()
@click.argument("predictions", metavar="PREDICTIONS")
@items
@gold
@resamples
@seed
@labelled
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
    settings: ItemSettings,
    report: Path | None,
    as_json: bool,
    **sampling: int,
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
    from benchmarks.eventhop.scoring import ScoreConfig, read_answer_data, score_answers, write
    from solver.io.sources import counted

    data = read_answer_data(predictions, paths, settings)
    _print_notes(data)
    config = ScoreConfig(gold=Gold(gold), settings=settings, **sampling)
    run = score_answers(data, paths, config)
    if run.differing:
        click.echo(
            f"note: the label of {counted(run.differing, 'item')} differs from the decided one; "
            f"scored with --gold {run.gold}",
            err=True,
        )
    _finish(ctx, run, as_json=as_json, report=report, show=partial(_show_scores, run), write=write)


def _show_scores(run: ScoreReport) -> None:
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
    for label, score in scores.labels.items():
        figures = [f"{figure:.3f}" for figure in (score.precision, score.recall, score.f1)]
        counts = [f"{count:,}" for count in score.predicted.values()]
        table.add_row(label, *figures, *counts)
    console.print(table)
    for dimension, by in scores.by_group.items():
        shown = narrow_table("", dimension.value, ["macro-F1", "accuracy", "items"])
        for name, group in by.items():
            shown.add_row(
                name,
                decimal_interval(group.macro_f1),
                decimal_interval(group.accuracy),
                f"{group.items:,}",
            )
        console.print(shown)


@click.command()
@click.argument("predictions", metavar="PREDICTIONS")
@items
@click.option(
    "--reasoner",
    "reasoners",
    multiple=True,
    metavar="FILE.lp",
    help="Program of another reasoner; deriving label(Item,Label) for each item. May be repeated.",
)
@seed
@labelled
@report
@as_json
@click.pass_context
def diagnose(
    ctx: click.Context,
    /,
    *,
    predictions: str,
    paths: tuple[str, ...],
    reasoners: tuple[str, ...],
    seed: int,
    settings: ItemSettings,
    report: Path | None,
    as_json: bool,
) -> None:
    """Find the ablated reasoner that best explains a model's answers.

    PREDICTIONS has the format of `score nli`. Noisy reasoners are compared by held-out likelihood.
    One is named only if the answers exclude all others and leave no cluster of errors.

    \b
    Examples:
      python -m solver baseline claim-only --data examples/right.tsv --out answers.jsonl
      python -m solver diagnose answers.jsonl --data examples/right.tsv
      python -m solver diagnose answers.jsonl --data examples/right.tsv --report reports/diagnosis
    """  # noqa: D301 - click reads the backslash
    from benchmarks.eventhop.diagnosis.report import write
    from benchmarks.eventhop.scoring import diagnose_answers, read_answer_data
    from solver.cli.printing import progress

    data = read_answer_data(predictions, paths, settings)
    _print_notes(data)
    run = diagnose_answers(data, paths, settings, seed=seed, reasoners=reasoners, progress=progress)
    _finish(
        ctx, run, as_json=as_json, report=report, show=partial(_show_diagnosis, run), write=write
    )


def _show_diagnosis(run: Diagnosis) -> None:
    from benchmarks.eventhop.diagnosis.report import sentences
    from solver.cli.printing import narrow_table
    from solver.io.terminal import folded, wide_console

    ranking = run.ranking
    console = wide_console()
    console.print(f"{run.predictions.name}: {ranking.answers:,} readable answers")
    for sentence in sentences(ranking):
        for line in folded(f"- {sentence}"):
            console.print(line, soft_wrap=True)
    columns = ["log-likelihood", "behind", "decisive", "noise", "errors explained", "by chance"]
    table = narrow_table("", "reasoner", columns)
    for explanation in ranking.explanations:
        table.add_row(
            " = ".join(explanation.names),
            f"{explanation.likelihood:.4f}",
            f"{explanation.behind.value:.1f} ± {explanation.behind.error:.1f}",
            f"{explanation.decisive.agree:,} of {explanation.decisive.total:,}, "
            f"≥{explanation.decisive.low:.2f}",
            f"{explanation.noise:.3f}",
            f"{explanation.explained:,} of {explanation.errors:,}",
            f"{explanation.by_chance:.0%}",
        )
    guess = ranking.guessing_behind
    table.add_row("(guessing)", f"{ranking.guessing:.4f}", f"{guess.value:.1f} ± {guess.error:.1f}")
    console.print(table)
    for name, reason in run.left_out.items():
        console.print(f"left out: {name}: {reason}")


@click.command()
@click.argument("predictions", nargs=-1, required=True, metavar="[MODEL=]FILE...")
@items
@gold
@click.option(
    "--by",
    type=click.Choice(DIMENSIONS),
    default="hops",
    show_default=True,
    help="Dimension of the second table.",
)
@seed
@labelled
@report
@as_json
@click.pass_context
def compare(
    ctx: click.Context,
    /,
    *,
    predictions: tuple[str, ...],
    paths: tuple[str, ...],
    gold: str,
    by: str,
    seed: int,
    settings: ItemSettings,
    report: Path | None,
    as_json: bool,
) -> None:
    """Compare models by their answers: mean and standard deviation over seeds, and paired tests.

    Files are those of `score nli`. Files of one model are its seeds: t5.0.jsonl and t5.1.jsonl, or
    T5=FILE named twice. The tests permute the accuracies of the items; p is corrected as by Holm.

    \b
    Examples:
      python -m solver compare t5.0.jsonl t5.1.jsonl bert.0.jsonl bert.1.jsonl --data test.jsonl
      python -m solver compare A=a.jsonl B=b.jsonl --data test.jsonl --report reports/ab
    """  # noqa: D301 - click reads the backslash
    from benchmarks.eventhop.cases import Gold
    from benchmarks.eventhop.comparison import by_model, write
    from benchmarks.eventhop.comparison import compare as compare_models
    from solver.cli.printing import finish_run

    found = compare_models(by_model(predictions), paths, settings, gold=Gold(gold), seed=seed)
    for note in found.notes:
        click.echo(note, err=True)
    show = partial(_show_comparison, found, by)
    finish_run(found, as_json=as_json, show=show, report=report, write=write)
    ctx.exit(found.exit_status)


def _show_comparison(found: Comparison, by: str) -> None:
    from benchmarks.eventhop.cases import Dimension
    from solver.cli.printing import narrow_table
    from solver.io.terminal import wide_console

    console = wide_console()
    console.print(f"{found.items:,} items, in percent, mean ± standard deviation over seeds")
    table = narrow_table("", "model", ["seeds", "macro-F1", "accuracy"])
    for model in found.models:
        table.add_row(model.name, str(model.seeds), str(model.macro_f1), str(model.accuracy))
    console.print(table)
    dimension = Dimension(by.replace("-", " "))
    names = list(found.models[0].by_group[dimension])
    shown = narrow_table(f"macro-F1 by {by}", "model", names)
    for model in found.models:
        shown.add_row(model.name, *(str(model.by_group[dimension][name]) for name in names))
    console.print(shown)
    tests = narrow_table("accuracy", "models", ["difference", "p", "corrected p"])
    for test in found.tests:
        difference = f"{100 * test.difference:+.2f}"
        tests.add_row(
            f"{test.model} - {test.other}", difference, f"{test.p:.4f}", f"{test.corrected:.4f}"
        )
    console.print(tests)
