"""Heuristics beside Table 7, and retrieval ceilings.

python -m benchmarks.reproduction.tkg.retrieval
"""

from __future__ import annotations

import click


@click.command()
@click.option(
    "--seeds", type=click.IntRange(1), default=5, show_default=True, help="Number of seeds."
)
@click.option("--preset", "presets", multiple=True, help="Data set; repeatable. Default: all.")
@click.option("--json", "as_values", is_flag=True, help="Print one JSON object and nothing else.")
@click.option(
    "--write", is_flag=True, help="Also write benchmarks/results/tkg-heuristics.{md,json}."
)
def main(seeds: int, presets: tuple[str, ...], as_values: bool, write: bool) -> None:
    """Generate the data sets of Table 1, evaluate the heuristics and compose prompts."""
    from benchmarks.reproduction.speed.clock import write_results
    from benchmarks.reproduction.tkg.comparison import TOLERANCE, as_json, measure, tables
    from generators.tkg.presets import Preset, config_of
    from solver.cli.printing import print_json, progress

    chosen = [Preset(preset) for preset in presets] or list(Preset)
    found = []
    with progress("data sets", len(chosen)) as advance:
        for preset in chosen:
            found.append(measure(preset, config_of(preset), seeds))
            if advance is not None:
                advance(1)
    values, page = as_json(found), tables(found)
    if write:
        write_results("tkg-heuristics", values, page)
    if as_values:
        print_json(values)
        return
    click.echo(page)
    for result in found:
        if result.preset is Preset.ENT_U_REL_U:
            click.echo(f"Ent-U Rel-U: {result.error:.4f}, expected at most {TOLERANCE}")


if __name__ == "__main__":
    main()
