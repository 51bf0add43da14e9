"""``generate patterns``: enumerates valid patterns with their shapes."""

from __future__ import annotations

from pathlib import Path

import click

from solver.cli.options import WholeNumbers, as_json, out_file
from solver.patterns.cli import cycle_reading, flags
from solver.patterns.model import MOST_HOPS, CycleReading, PatternFlags


@click.command()
@click.option(
    "--hops",
    type=WholeNumbers(1, MOST_HOPS),
    default="1,2,3",
    show_default=True,
    metavar="HOPS",
    help="Comma-separated numbers of antecedents.",
)
@flags
@cycle_reading
@out_file("File to write the list to (JSONL), with a manifest; the list is printed by default.")
@as_json
def command(
    hops: tuple[int, ...],
    flags: PatternFlags,
    cycle_reading: CycleReading,
    out: Path | None,
    as_json: bool,
) -> None:
    """List all valid patterns in canonical form, with their shapes (Algorithms 3 and 8-11).

    \b
    Examples:
      python -m solver generate patterns --hops 1 --flags unique,no-self
      python -m solver generate patterns --hops 1,2,3 --flags 1100 --out patterns.jsonl
      python -m solver generate patterns --hops 3 --flags 1100 --cycle-reading literal --json
    """  # noqa: D301 - click reads the backslash
    from solver.cli.printing import print_json
    from solver.io.terminal import wide_console
    from solver.patterns.cli import counts, shape_table
    from solver.patterns.engine import PATTERN_ENCODINGS, enumerate_patterns, judge
    from solver.patterns.io import ListDeclaration, manifest_path, row

    declared = ListDeclaration(hops=hops, flags=flags, reading=cycle_reading)
    found = [pattern for n in hops for pattern in enumerate_patterns(n, flags, cycle_reading)]
    verdicts = judge(found, flags, cycle_reading)
    if out is not None:
        from generators.dataset import DatasetFolder

        folder = DatasetFolder(out.parent, manifest=manifest_path(out).name)
        folder.add_lines(out.name, map(row, verdicts))
        *_, manifest = folder.finish(config=declared.as_json(), encodings=PATTERN_ENCODINGS)
        click.echo(f"made: {len(verdicts):,} patterns in {out}, with {manifest.name}", err=True)
    if as_json:
        summary = declared.as_json() | {"counts": counts(verdicts)}
        print_json(
            summary
            if out is not None
            else summary | {"patterns": [row(verdict) for verdict in verdicts]}
        )
        return
    if out is None:
        for verdict in verdicts:
            click.echo(f"{verdict.pattern}  {' '.join(verdict.shapes)}")
        click.echo()
    wide_console().print(shape_table(verdicts))
