"""``generate patterns``: every valid pattern of some hops, with its shapes."""

from __future__ import annotations

from pathlib import Path

import click

from solver.cli.options import as_json
from solver.cli.outputs import NewFile
from solver.cli.pattern_options import HopsType, cycle_reading, flags
from solver.tkg.pattern import CycleReading, PatternFlags


@click.command()
@click.option(
    "--hops",
    type=HopsType(),
    default="1,2,3",
    show_default=True,
    metavar="HOPS",
    help="Numbers of antecedents, joined by commas.",
)
@flags
@cycle_reading
@click.option(
    "--out",
    type=NewFile(),
    metavar="FILE",
    help="Write the list there (JSONL), and a manifest beside it; else it is printed.",
)
@as_json
def patterns(
    hops: tuple[int, ...],
    flags: PatternFlags,
    cycle_reading: CycleReading,
    out: Path | None,
    as_json: bool,
) -> None:
    """List every valid pattern in canonical form, with its shapes (Algorithms 3 and 8-11).

    \b
    Examples:
      python -m solver generate patterns --hops 1 --flags unique,no-self
      python -m solver generate patterns --hops 1,2,3 --flags 1100 --out patterns.jsonl
      python -m solver generate patterns --hops 3 --flags 1100 --cycle-reading literal --json
    """  # noqa: D301 - click reads the backslash
    from solver.cli.pattern_table import counts, shape_table
    from solver.cli.printing import print_json, wide_console
    from solver.tkg.pattern_files import Declared, row, write_list
    from solver.tkg.patterns import enumerate_patterns, judge

    declared = Declared(hops=hops, flags=flags, reading=cycle_reading)
    found = [one for n in hops for one in enumerate_patterns(n, flags, cycle_reading)]
    verdicts = judge(found, flags, cycle_reading)
    if out is not None:
        beside = write_list(out, verdicts, declared)
        click.echo(f"made: {len(verdicts):,} patterns in {out}, with {beside.name}", err=True)
    if as_json:
        told = declared.as_json() | {"counts": counts(verdicts)}
        print_json(told if out is not None else told | {"patterns": [row(one) for one in verdicts]})
        return
    if out is None:
        for one in verdicts:
            click.echo(f"{one.pattern}  {' '.join(one.shapes)}")
        click.echo()
    wide_console().print(shape_table(verdicts))
