"""Measures the cost of calibration searches.

python -m benchmarks.reproduction.tkg.calibration
"""

from __future__ import annotations

import json
from pathlib import Path

import click

from benchmarks.reproduction import RESULTS
from benchmarks.reproduction.speed.clock import write_results
from generators.tkg.presets import Preset
from solver.cli.printing import narrow_table, print_json
from solver.io.terminal import wide_console

DEFAULT = (Preset.ENT_U_REL_U.value, Preset.ICEWS14_SYNTH.value)


@click.command()
@click.argument("references", nargs=-1)
@click.option(
    "--trials", type=click.IntRange(1), default=800, show_default=True, help="Number of trials."
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=2,
    show_default=True,
    help="Number of worker processes.",
)
@click.option(
    "--work",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder of the searches, one for each reference, which resume from it.",
)
@click.option("--json", "as_values", is_flag=True, help="Print one JSON object and nothing else.")
@click.option(
    "--write",
    is_flag=True,
    help="Also write benchmarks/results/calibration.json, keeping other references.",
)
def main(
    references: tuple[str, ...],
    trials: int,
    jobs: int,
    work: Path | None,
    as_values: bool,
    write: bool,
) -> None:
    """Calibrate to REFERENCES: graph files, or presets of generate tkg, which are generated.

    Default: one data set of each size in the paper, 21 and 83 thousand facts.
    """
    from benchmarks.reproduction.tkg.costs import as_json, preset_facts, search_cost, stop_costs
    from solver.cli.printing import progress
    from solver.graph.io import read_dataset

    searches = []
    for name in references or DEFAULT:
        known = name in set(Preset)
        facts = preset_facts(Preset(name)) if known else read_dataset(name).facts()
        with progress("trials", trials) as advance:
            searches.append(
                search_cost(
                    Path(name).name,
                    facts,
                    trials=trials,
                    jobs=jobs,
                    work=None if work is None else work / Path(name).name,
                    progress=advance,
                )
            )
    stops = stop_costs()
    values = as_json(searches, stops)
    if write:
        path = RESULTS / "calibration.json"
        earlier = json.loads(path.read_bytes())["searches"] if path.exists() else []
        write_results("calibration", as_json(searches, stops, earlier))
    if as_values:
        print_json(values)
        return
    columns = ("facts", "trials", "jobs", "seconds", "user s", "best", "other seeds")
    table = narrow_table("Searches", "reference", columns)
    for search in searches:
        shown = (
            search.facts,
            search.trials,
            search.jobs,
            search.seconds,
            search.user_seconds,
            search.best,
        )
        table.add_row(search.reference, *(f"{cell:,}" for cell in (*shown, search.elsewhere)))
    wide_console().print(table)
    for stop in stops:
        click.echo(f"{stop.config}, stopped after {stop.seconds} s: {stop.message}")


if __name__ == "__main__":
    main()
