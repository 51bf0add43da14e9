"""Compares the presets with Table 1 and times their generation.

python -m benchmarks.reproduction.tkg
"""

from __future__ import annotations

import click

from benchmarks.reproduction.speed.clock import write_results
from benchmarks.reproduction.tkg.table1 import as_json, compare_presets, table
from solver.cli.printing import print_json


@click.command()
@click.option(
    "--seeds", type=click.IntRange(1), default=5, show_default=True, help="Number of seeds, from 0."
)
@click.option("--json", "as_values", is_flag=True, help="Print one JSON object and nothing else.")
@click.option("--write", is_flag=True, help="Also write benchmarks/results/tkg-table1.{md,json}.")
def main(seeds: int, as_values: bool, write: bool) -> None:
    """Generate every preset with several seeds and compare it with the published row."""
    found = compare_presets(range(seeds))
    values = as_json(found)
    if write:
        write_results("tkg-table1", values, table(found))
    if as_values:
        print_json(values)
        return
    click.echo(table(found), nl=False)
    for comparison in found:
        click.echo(
            f"{comparison.row.name}: forced {comparison.forced:.1f} ms, forward "
            f"{comparison.forward:.1f} ms"
        )


if __name__ == "__main__":
    main()
