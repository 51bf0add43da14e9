"""``verify --kind patterns``: checks lists of patterns against what they declare."""

from __future__ import annotations

from typing import Any

import click

from solver.cli.checking import checking, finish
from solver.cli.options import EnumChoice
from solver.cli.pattern_options import FLAGS_HELP, READING_HELP, FlagsType, HopsType
from solver.tkg.pattern import CycleReading


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--hops",
    type=HopsType(),
    metavar="HOPS",
    help="Numbers of antecedents that the lists hold in full; from the manifest beside each, or "
    "those that occur, by default.",
)
@click.option(
    "--flags",
    type=FlagsType(),
    metavar="FLAGS",
    help=f"{FLAGS_HELP} From the manifest by default.",
)
@click.option(
    "--cycle-reading",
    type=EnumChoice(CycleReading),
    help=f"{READING_HELP} From the manifest, or fixed, by default.",
)
@checking
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401
    """Check lists of patterns: each valid, canonical, listed once; none missing.

    \b
    Examples:
      python -m solver verify --kind patterns patterns.jsonl
      python -m solver verify --kind patterns patterns.jsonl --flags 1100 --hops 1,2
    """  # noqa: D301 - click reads the backslash
    from solver.tkg.patterns import ASKED
    from solver.verify.patterns import check

    checked = check(
        paths,
        hops=options["hops"],
        flags=options["flags"],
        reading=options["cycle_reading"],
    )
    config = {"declared": checked.figures["declared"]}
    ctx.exit(finish(checked, options, config=config, encodings=ASKED))
