"""``verify`` of items."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grammar.errors import ExitStatus, printable
from solver.cli.options import EnumChoice, KindChoice, NewFile, jobs, on_cluster, probes
from solver.cli.program import DelegatingCommand
from solver.cli.settings import setting_options
from solver.cli.verify import by_kind, result_options
from solver.eventhop.engines import EngineName, ItemSettings
from solver.io.sources import output_name
from solver.verification.report import Kind

if TYPE_CHECKING:
    from solver.eventhop.report import ItemReport


@click.command(cls=DelegatingCommand, chooser=by_kind)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--kind",
    type=KindChoice(lambda kind: kind.verifier),
    expose_value=False,
    help="Kind of data; detected by default. --kind KIND --help shows the options of that kind.",
)
@setting_options("settings", ItemSettings)
@click.option(
    "--engine",
    type=EnumChoice(EngineName),
    help="Use only this engine, without cross-check.",
)
@jobs
@on_cluster
@probes
@result_options("items.jsonl", 3, 50)
@click.option(
    "--shard-size",
    type=click.IntRange(1),
    metavar="N",
    help="Write numbered files of N items each to the report, instead of one items.jsonl.",
)
@click.option("--fail-fast", is_flag=True, help="Stop soon after the first finding.")
@click.option(
    "--fixed",
    type=NewFile(),
    metavar="FILE",
    help="Write a corrected copy of the file in its format, and FILE.changes.tsv, which lists what "
    "was changed: labels, declared consistency and hops; rows that cannot be verified are removed.",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    paths: tuple[str, ...],
    settings: ItemSettings,
    engine: EngineName | None,
    report: Path | None,
    show: int,
    as_json: bool,
    fixed: Path | None,
    **running: Any,  # noqa: ANN401 - arguments of the run
) -> None:
    """Verify files of labelled items, or folders made by generate; - reads standard input.

    At least two engines decide every verdict, and an independent checker checks its certificate.
    For a folder, checksums, cell counts and overlaps between splits are also compared with its
    manifest. Probes test whether labels can be predicted without reasoning.

    \b
    Examples:
      python -m solver verify examples/right.tsv
      python -m solver verify examples/flawed.tsv --policy global --json
      python -m solver verify examples/flawed.tsv --report reports/flawed
      python -m solver verify examples/flawed.tsv --fixed fixed.tsv
    """  # noqa: D301 - click reads the backslash
    if engine is not None:
        settings = replace(settings, engines=(engine,))
    if fixed is not None and len(paths) != 1:
        raise click.UsageError("--fixed takes one file.")
    if running["shard_size"] is not None and report is None:
        raise click.UsageError("--shard-size needs --report.")
    result = _verify(paths, settings, report, **running)
    page = None if report is None or result.failure is not None else result.write(report)
    _print(result, shown=show, as_json=as_json)
    if result.failure is not None:
        raise result.failure
    if page is not None:
        click.echo(f"report: {output_name(page)}", err=True)
    if fixed is not None and result.exit_status == ExitStatus.UNREADABLE:
        click.echo(f"not written: {output_name(fixed)} (not every row can be read)", err=True)
    elif fixed is not None:
        from solver.eventhop.correction import correct
        from solver.io.sources import counted

        changes = correct(paths[0], fixed, settings)
        click.echo(f"{counted(len(changes), 'change')}: {fixed}.changes.tsv", err=True)
    ctx.exit(result.exit_status)


def _verify(
    paths: tuple[str, ...],
    settings: ItemSettings,
    folder: Path | None,
    **running: Any,  # noqa: ANN401 - arguments of the run
) -> ItemReport:
    """Verify items; an interruption reports how many were decided."""
    from solver.cli.printing import progress
    from solver.eventhop.outcomes import ROWS, SHARDED_ROWS
    from solver.eventhop.report import ItemReport
    from solver.verification.run import verify

    decided = 0
    with progress("items", files=paths) as advance:

        def count(number: int) -> None:
            nonlocal decided
            decided += number
            if advance is not None:
                advance(number)

        try:
            result = verify(
                paths,
                Kind.EVENTHOP,
                config=settings,
                progress=count,
                folder=folder,
                **running,
            )
        except KeyboardInterrupt:
            rows = ROWS if running["shard_size"] is None else SHARDED_ROWS
            kept = f"; see {folder / rows}.partial" if folder else ""
            click.echo(f"stopped after {decided:,} items{kept}", err=True)
            raise
    assert isinstance(result, ItemReport)
    return result


def _print(result: ItemReport, *, shown: int, as_json: bool) -> None:
    from solver.eventhop.outcomes import FindingCode

    for error in result.errors:
        click.echo(printable(error), err=True)
    errors = result.tally.unparsed + result.tally.findings[FindingCode.SELF_CLAIM]
    if errors > len(result.errors):
        click.echo(f"and {errors - len(result.errors):,} more", err=True)
    if as_json:
        from solver.cli.printing import print_json

        print_json(result.as_json())
    else:
        from solver.eventhop.screen import show_run

        show_run(result, shown)
