"""``python -m benchmarks.reproduction.patterns``: counts patterns and times their enumeration."""

from __future__ import annotations

import click

from benchmarks.reproduction.patterns.costs import (
    EVERY_FLAGS,
    EVERY_HOPS,
    as_json,
    costs,
    seconds,
    table,
)
from benchmarks.reproduction.speed.clock import write_results
from solver.cli.options import WholeNumbers
from solver.cli.printing import print_json
from solver.patterns.model import MOST_HOPS


@click.command()
@click.option(
    "--hops",
    type=WholeNumbers(1, MOST_HOPS),
    default=EVERY_HOPS,
    help="Comma-separated numbers of hops.",
)
@click.option(
    "--rounds", type=click.IntRange(1), default=3, show_default=True, help="Timing rounds."
)
@click.option("--json", "as_values", is_flag=True, help="Print one JSON object and nothing else.")
@click.option("--write", is_flag=True, help="Also write benchmarks/results/patterns.{md,json}.")
def main(hops: tuple[int, ...], rounds: int, as_values: bool, write: bool) -> None:
    """Count the patterns of all 16 combinations of flags, and time their enumeration."""
    from solver.cli.printing import progress

    size = len(hops) * len(EVERY_FLAGS) * 2 * (rounds + 1)
    with progress("enumerations", size) as advance:
        step = None if advance is None else lambda _: advance(1)
        found = costs(hops=hops, rounds=rounds, each=step)
    values = as_json(found, rounds)
    if write:
        write_results("patterns", values, table(found))
    if as_values:
        print_json(values)
        return
    click.echo(table(found))
    for reading, taken in seconds(found).items():
        click.echo(f"{max(hops)} hops, all 16 combinations, {reading}: {taken} s of process time")


if __name__ == "__main__":
    main()
