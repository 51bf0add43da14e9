"""``score quadruples``: scores facts extracted from texts against reference facts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchmarks.texts.elements import Profile, ScoreConfig
from grammar.errors import printable
from solver.cli.options import (
    as_json,
    choice_option,
    number_option,
    option_group,
    report,
    resamples,
    seed,
)

if TYPE_CHECKING:
    from benchmarks.texts.report import ScoredRun

_SHOWN = 20


@click.command()
@click.argument("predictions", metavar="PREDICTIONS")
@option_group(
    "config",
    ScoreConfig,
    click.option("--references", required=True, metavar="FILE", help="File of reference facts."),
    choice_option(
        "--profile",
        values=Profile,
        default=Profile.EXACT,
        help="Procedure: exact optima without limits (exact), or the released script (released).",
    ),
    click.option(
        "--against", metavar="FILE", help="Predictions of another run, for a significance test."
    ),
    click.option(
        "--against-references",
        metavar="FILE",
        help="References of the other run, if its texts differ; the test is then unpaired.",
    ),
    click.option("--texts", metavar="FILE", help="Texts, one per line; adds scores by date style."),
    resamples,
    number_option(
        "--permutations",
        default=9_999,
        low=99,
        high=1_000_000,
        help="Number of resamples of the permutation test.",
    ),
    seed,
)
@report
@as_json
@click.pass_context
def quadruples(
    ctx: click.Context,
    /,
    *,
    predictions: str,
    config: ScoreConfig,
    report: Path | None,
    as_json: bool,
) -> None:
    """Score extracted facts (subject, relation, object, date) in four modes.

    PREDICTIONS and references have one Python literal per line: a list of facts, each a list of
    four strings. The files are aligned by line; plain or gzip, - is standard input.

    \b
    Examples:
      python -m solver score quadruples examples/quadruples/careful.predictions.txt \\
        --references examples/quadruples/club.references.txt
      python -m solver score quadruples examples/quadruples/careful.predictions.txt \\
        --references examples/quadruples/club.references.txt \\
        --against examples/quadruples/hasty.predictions.txt --report reports/quadruples
    """  # noqa: D301 - click reads the backslash
    from benchmarks.texts.report import write
    from benchmarks.texts.run import score_run
    from solver.cli.printing import finish_run

    if config.against_references and not config.against:
        raise click.UsageError("--against-references needs --against.")
    run = score_run(predictions, config)
    _print_notes(run)
    finish_run(run, as_json=as_json, show=lambda: _show(run), report=report, write=write)
    ctx.exit(run.exit_status)


def _print_notes(run: ScoredRun) -> None:
    for fault in run.faults[:_SHOWN]:
        click.echo(f"fault: {printable(str(fault))}", err=True)
    if len(run.faults) > _SHOWN:
        click.echo(f"fault: {len(run.faults) - _SHOWN:,} more", err=True)
    for note in run.notes:
        click.echo(f"note: {note}", err=True)


def _show(run: ScoredRun) -> None:
    from benchmarks.texts.report import against, describe_test, grouped, headline, overall
    from solver.io.sources import counted
    from solver.io.terminal import print_table, wide_console

    found = run.extraction
    console = wide_console()
    console.print(
        f"{run.predictions}: {counted(len(found.items), 'item')}, "
        f"{counted(len(found.item), 'pair')} of facts, profile {found.profile}; in percent",
        soft_wrap=True,
    )
    if run.scores:
        print_table(overall(run.scores))
        print_table(grouped(run.relations, "relation"), "F1 by relation")
    if run.styles:
        print_table(grouped(run.styles, "date style"), "F1 by date style")
    if run.against is not None:
        console.print(describe_test(run.against), soft_wrap=True)
        table = against(run)
        if table is not None:
            print_table(table)
    console.print(headline(run), soft_wrap=True)
