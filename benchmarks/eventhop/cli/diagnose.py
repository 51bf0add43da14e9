"""``diagnose``: the ablated reasoner that best explains a model's answers."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.cli.options import as_json, items, report, seed
from solver.eventhop.cli import reading

if TYPE_CHECKING:
    from benchmarks.eventhop.diagnosis.report import Diagnosis
    from solver.eventhop.engines import ItemSettings


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
@reading
@report
@as_json
@click.pass_context
def command(
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
    from benchmarks.eventhop.cli.options import finish, print_notes
    from benchmarks.eventhop.diagnosis.report import write
    from benchmarks.eventhop.scoring import diagnose_answers, read_answer_data
    from solver.cli.printing import progress

    data = read_answer_data(predictions, paths, settings)
    print_notes(data)
    run = diagnose_answers(data, paths, settings, seed=seed, reasoners=reasoners, progress=progress)
    finish(ctx, run, as_json=as_json, report=report, show=partial(_show, run), write=write)


def _show(run: Diagnosis) -> None:
    from benchmarks.eventhop.diagnosis.report import sentences
    from solver.cli.printing import narrow_table
    from solver.io.terminal import wide_console

    ranking = run.ranking
    console = wide_console()
    console.print(f"{run.predictions.name}: {ranking.answers:,} readable answers")
    for sentence in sentences(ranking):
        console.print(f"- {sentence}", soft_wrap=True)
    columns = ["log-likelihood", "behind", "decisive", "noise", "errors explained", "by chance"]
    table = narrow_table("", "reasoner", columns)
    for one in ranking.explanations:
        table.add_row(
            " = ".join(one.names),
            f"{one.likelihood:.4f}",
            f"{one.behind.value:.1f} ± {one.behind.error:.1f}",
            f"{one.decisive.agree:,} of {one.decisive.total:,}, ≥{one.decisive.low:.2f}",
            f"{one.noise:.3f}",
            f"{one.explained:,} of {one.errors:,}",
            f"{one.by_chance:.0%}",
        )
    guess = ranking.guessing_behind
    table.add_row("(guessing)", f"{ranking.guessing:.4f}", f"{guess.value:.1f} ± {guess.error:.1f}")
    console.print(table)
    for name, reason in run.left_out.items():
        console.print(f"left out: {name}: {reason}")
