"""``ablate``: scores of ablated reasoners on a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchmarks.eventhop.cases import Dimension
from grammar.errors import ExitStatus
from solver.cli.options import as_json, choice_option, report
from solver.eventhop.cli import reading

if TYPE_CHECKING:
    from benchmarks.eventhop.ablations.report import Ablations
    from solver.eventhop.engines import ItemSettings


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@choice_option(
    "--by",
    values=Dimension,
    default=Dimension.HOPS,
    help="Groups to show in the table; --report and --json contain all.",
)
@reading
@report
@as_json
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    paths: tuple[str, ...],
    by: Dimension,
    settings: ItemSettings,
    report: Path | None,
    as_json: bool,
) -> None:
    """Score ablated reasoners, which lack a piece of the logic; - reads standard input.

    Answers are scored by macro-F1 against the decided labels (policy local). The full reasoner,
    which is correct by construction, is listed for comparison.

    \b
    Examples:
      python -m solver ablate examples/right.tsv
      python -m solver ablate examples/right.tsv --by simultaneity --json
      python -m solver ablate examples/right.tsv --report reports/ablations
    """  # noqa: D301 - click reads the backslash
    from benchmarks.eventhop.ablations.report import score_reasoners, write
    from benchmarks.eventhop.cases import read_cases
    from solver.cli.printing import finish_run, print_unparsed, progress

    read = read_cases(paths, settings)
    print_unparsed(read.unparsed)
    run = score_reasoners(read, paths, settings, progress)
    finish_run(run, as_json=as_json, show=lambda: _show(run, by), report=report, write=write)
    ctx.exit(ExitStatus.UNREADABLE if run.unparsed else ExitStatus.OK)


def _show(run: Ablations, by: Dimension) -> None:
    from solver.cli.printing import narrow_table
    from solver.io.terminal import wide_console

    groups = run.rows[0].by_group[by]
    title = f"macro-F1 on {run.items:,} items, overall and by {by}"
    shown = narrow_table(title, "reasoner", ["all", *groups])
    for row in run.rows:
        figures = (row.overall, *row.by_group[by].values())
        shown.add_row(row.reasoner, *(f"{figure.macro_f1:.2f}" for figure in figures))
    shown.add_section()
    shown.add_row("items", f"{run.items:,}", *(f"{figure.items:,}" for figure in groups.values()))
    console = wide_console()
    console.print(shown)
    for name, reason in run.answers.left_out.items():
        console.print(f"left out: {name}: {reason}")
