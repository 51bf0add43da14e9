"""``verify --kind patterns``: checks lists of patterns against their declared flags and hops."""

from __future__ import annotations

from typing import Any

import click

from solver.cli.options import EnumChoice, WholeNumbers
from solver.cli.verification import checking, finish
from solver.patterns.cli.options import FLAGS_HELP, READING_HELP, FlagsType
from solver.patterns.model import MOST_HOPS, CycleReading


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
def command(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401
    """Check that lists of patterns are valid, canonical, duplicate-free and complete.

    \b
    Examples:
      python -m solver verify --kind patterns patterns.jsonl
      python -m solver verify --kind patterns patterns.jsonl --flags 1100 --hops 1,2
    """  # noqa: D301 - click reads the backslash
    from solver.patterns.engine import PATTERN_ENCODINGS
    from solver.patterns.verify import check

    checked = check(
        paths,
        hops=options["hops"],
        flags=options["flags"],
        reading=options["cycle_reading"],
    )
    config = {"declared": checked.figures["declared"]}
    ctx.exit(finish(checked, options, config=config, encodings=PATTERN_ENCODINGS))
