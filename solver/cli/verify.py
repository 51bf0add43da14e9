"""``verify``: checks files and reports what is wrong with them."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grammar.errors import ExitStatus, HopcheckError
from solver.cli.options import (
    CommaSeparated,
    EnumChoice,
    NewFolder,
    as_json,
    crosscheck,
    domain,
    jobs,
    policy,
    spatial,
)
from solver.cli.program import DelegatingCommand, by_value
from solver.eventhop.engines import EngineName
from solver.eventhop.published import Fault
from solver.verification.settings import Kind, Settings

if TYPE_CHECKING:
    from solver.verification.run import Run


MODULES = {
    Kind.PATTERNS.value: "solver.patterns.cli.verify",
    Kind.TKG.value: "solver.tkg.cli",
    Kind.FACTS.value: "solver.facts.cli",
    Kind.TEXT.value: "solver.texts.cli",
    Kind.QUESTIONS.value: "solver.questions.cli.verify",
}
"""Kinds with their own options, and the module of each."""


@click.command(cls=DelegatingCommand, chooser=by_value("--kind", MODULES))
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--kind",
    type=EnumChoice(Kind),
    default=Kind.EVENTHOP.value,
    show_default=True,
    help="Kind of data; --kind KIND --help shows the options of that kind.",
)
@policy
@click.option(
    "--repair",
    type=CommaSeparated(Fault),
    default=(),
    metavar="FAULTS",
    help=f"Faults of the published procedure to repair, of {', '.join(Fault)}, or all; requires "
    "--policy published.",
)
@spatial
@domain
@crosscheck
@click.option(
    "--engine",
    type=EnumChoice(EngineName),
    help="Use only this engine, without cross-check.",
)
@jobs
@click.option(
    "--report",
    type=NewFolder(),
    metavar="DIR",
    help="Write manifest.json, summary.json, items.jsonl and report.html to DIR.",
)
@click.option("--fail-fast", is_flag=True, help="Stop soon after the first finding.")
@click.option(
    "--show",
    type=click.IntRange(0, 50),
    default=3,
    show_default=True,
    help="Number of flawed items to print with their certificates.",
)
@as_json
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401
    """Verify files of labelled items, or folders made by generate; - reads standard input.

    At least two engines decide every verdict, and an independent checker checks its certificate.
    For a folder, checksums, cell counts and overlaps between splits are also compared with its
    manifest, and the labels are tested for leakage.

    \b
    Examples:
      python -m solver verify examples/right.tsv
      python -m solver verify examples/flawed.tsv --policy global --json
      python -m solver verify examples/flawed.tsv --report reports/flawed
    """  # noqa: D301 - click reads the backslash
    run = _run(paths, options)
    report = options["report"]
    failure = _go(run, jobs=options["jobs"], fail_fast=options["fail_fast"], report=report)
    _print(run, shown=options["show"], as_json=options["as_json"])
    if failure is not None:
        raise failure
    if run.datasets or report is not None:
        from solver.cli.printing import note_skipped
        from solver.probes.guess import LIBRARIES

        note_skipped("label leakage is not checked", *LIBRARIES)
    if report is not None:
        _write_report(run, report)
    ctx.exit(_status(run))


def _run(paths: tuple[str, ...], options: dict[str, Any]) -> Run:
    from solver.eventhop.dataset import dataset, files
    from solver.verification.run import Run, Samples

    engine = options["engine"]
    named = {path: files(path) for path in paths}
    return Run(
        files=tuple(chain.from_iterable(named[path] for path in paths)),
        settings=Settings(
            policy=options["policy"],
            repaired=frozenset(options["repair"]),
            spatial=options["spatial"],
            domain=options["domain"],
            engines=(engine,) if engine else options["crosscheck"],
        ),
        samples=Samples() if options["report"] else None,
        datasets=tuple(data for pair in named.items() if (data := dataset(*pair)) is not None),
    )


def _go(run: Run, *, jobs: int, fail_fast: bool, report: Path | None) -> HopcheckError | None:
    """Run to the end, or until the input becomes unreadable; return that error."""
    from contextlib import nullcontext

    from solver.cli.printing import progress
    from solver.eventhop.crosscheck import DisagreementError, write_reproducer
    from solver.io.sources import InputError
    from solver.io.writing import OutputError, json_lines

    if report is not None:
        try:
            report.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"cannot be made: {error.strerror}", where=str(report)) from None
    rows = nullcontext() if report is None else json_lines(report / "items.jsonl")
    try:
        with rows as file, progress("items") as advance:
            lines = None if file is None else file.write_lines
            run.go(jobs=jobs, fail_fast=fail_fast, lines=lines, progress=advance)
    except DisagreementError as found:
        reproducer = write_reproducer(found, report or Path())
        found.hint = f"reproduce it with {reproducer}"
        raise
    except InputError as failure:
        if not run.tally.items:
            raise
        return failure
    except KeyboardInterrupt:
        kept = f"; see {report / 'items.jsonl.partial'}" if report else ""
        click.echo(f"stopped after {run.tally.items:,} items{kept}", err=True)
        raise
    return None


def _print(run: Run, *, shown: int, as_json: bool) -> None:
    from solver.eventhop.verify import Finding

    for error in run.errors:
        click.echo(error, err=True)
    errors = run.tally.unparsed + run.tally.findings[Finding.SELF_CLAIM]
    if errors > len(run.errors):
        click.echo(f"and {errors - len(run.errors):,} more", err=True)
    figures = run.figures()
    if as_json:
        import msgspec

        encoded = msgspec.json.encode(figures, order="sorted")
        click.echo(msgspec.json.format(encoded, indent=2))
    else:
        from solver.eventhop.screen import show_run

        show_run(figures, [outcome for outcome in run.flawed if outcome.item][:shown])


def _write_report(run: Run, folder: Path) -> None:
    from solver.verification.run import write_report

    page = write_report(run, folder)
    click.echo(f"report: {page}", err=True)


def _status(run: Run) -> ExitStatus:
    if run.tally.unparsed:
        return ExitStatus.UNREADABLE
    return ExitStatus.OK if run.faultless else ExitStatus.VIOLATIONS
