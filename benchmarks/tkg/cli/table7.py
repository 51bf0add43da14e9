"""``reproduce table7``: Table 7 of the synthetic graphs, with experiments on its protocol."""

from __future__ import annotations

from pathlib import Path

import click

from generators.tkg.presets import Preset
from solver.cli.options import EnumChoice, as_json, number_option, report


@click.command()
@click.option(
    "--preset",
    "presets",
    type=EnumChoice(Preset),
    multiple=True,
    metavar="PRESET",
    help="Data set of generate tkg; repeatable. Default: all but icews14-synth.",
)
@number_option("--seeds", default=5, help="Number of graphs of each data set.")
@click.option(
    "--lengths",
    type=click.Choice(["1", "1,2"]),
    default="1,2",
    show_default=True,
    help="Lengths of the mined rules.",
)
@report
@as_json
def command(
    *, presets: tuple[Preset, ...], seeds: int, lengths: str, report: Path | None, as_json: bool
) -> None:
    """Reproduce Table 7 of the synthetic temporal knowledge graphs.

    Generates the data sets, runs the heuristics, temporal rules and the planted patterns, and
    composes prompts for the retrieval ceilings. Means over seeds have 95% intervals. Experiments
    vary the facts that rules are applied to, and the contexts of prompts. The report has Figures 5
    to 7 and results by shape, hops and lag.

    \b
    Examples:
      python -m solver reproduce table7 --preset ent-u-rel-u --seeds 1
      python -m solver reproduce table7 --report runs/table7
    """  # noqa: D301 - click reads the backslash
    from benchmarks.tkg.table7 import as_json as as_values
    from benchmarks.tkg.table7 import measure_row
    from benchmarks.tkg.table7 import report as page
    from generators.tkg.presets import config_of
    from solver.cli.printing import narrow_table, print_json, progress
    from solver.io.terminal import wide_console
    from solver.report.page import write_report

    chosen = presets or tuple(one for one in Preset if one is not Preset.ICEWS14_SYNTH)
    used = tuple(map(int, lengths.split(",")))
    with progress("graphs", seeds * len(chosen)) as advance:
        found = [
            measure_row(one, config_of(one), seeds, lengths=used, progress=advance)
            for one in chosen
        ]
    values, shown = as_values(found), page(found)
    if report is not None:
        config = {"presets": [one.value for one in chosen], "seeds": seeds, "lengths": list(used)}
        write_report(report, shown, figures=values, config=config)
    if as_json:
        print_json(values)
        return
    console = wide_console()
    for section in shown.sections:
        for one in section.tables:
            columns = [str(column) for column in one.columns]
            table = narrow_table(section.title, columns[0], columns[1:])
            for row in one.rows:
                table.add_row(*map(str, row))
            console.print(table)
