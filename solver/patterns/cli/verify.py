"""``verify --kind patterns``: checks lists of patterns against their declared flags and hops."""

from __future__ import annotations

from pathlib import Path

import click

from solver.cli.options import EnumChoice, WholeNumbers
from solver.cli.verify import checking, finish
from solver.patterns.cli.options import FLAGS_HELP, READING_HELP, FlagsType
from solver.patterns.model import MOST_HOPS, CycleReading, PatternFlags
from solver.verification.report import Kind


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--hops",
    type=WholeNumbers(1, MOST_HOPS),
    metavar="HOPS",
    help="Numbers of hops for which the lists must be complete. Default: from the manifest, or "
    "those that occur.",
)
@click.option(
    "--flags",
    type=FlagsType(),
    metavar="FLAGS",
    help=f"{FLAGS_HELP} Default: from the manifest.",
)
@click.option(
    "--cycle-reading",
    type=EnumChoice(CycleReading),
    help=f"{READING_HELP} Default: from the manifest, or fixed.",
)
@checking
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    paths: tuple[str, ...],
    hops: tuple[int, ...] | None,
    flags: PatternFlags | None,
    cycle_reading: CycleReading | None,
    report: Path | None,
    show: int,
    as_json: bool,
) -> None:
    """Check that lists of patterns are valid, canonical, duplicate-free and complete.

    \b
    Examples:
      python -m solver verify --kind patterns patterns.jsonl
      python -m solver verify --kind patterns patterns.jsonl --flags 1100 --hops 1,2
    """  # noqa: D301 - click reads the backslash
    from solver.patterns.verify import PatternSettings
    from solver.verification.run import verify

    settings = PatternSettings(hops=hops, flags=flags, reading=cycle_reading)
    result = verify(paths, Kind.PATTERNS, config=settings)
    ctx.exit(finish(result, report=report, show=show, as_json=as_json))
