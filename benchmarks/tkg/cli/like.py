"""``like``: compares two graphs by their sizes, distributions and profiles over time."""

from __future__ import annotations

from pathlib import Path

import click

from solver.cli.options import as_json, number_option, read_graph, report


@click.command()
@click.argument("first")
@click.argument("second")
@number_option(
    "--period",
    default=7,
    high=1_000,
    help="Time steps of a period, such as the days of a week.",
)
@report
@as_json
def command(*, first: str, second: str, period: int, report: Path | None, as_json: bool) -> None:
    """Report how like the graph FIRST is to the graph SECOND.

    Each is a folder with train.txt etc., or one file. The report compares sizes, degrees, facts of
    relations and of time steps, the profile over the steps of a period, self-loops, repetition and
    novelty.

    \b
    Examples:
      python -m solver like data/synthetic data/icews14
      python -m solver like data/synthetic examples/tkg --period 1 --json
      python -m solver like data/synthetic data/icews14 --report runs/like
    """  # noqa: D301 - click reads the backslash
    from benchmarks.tkg.likeness import Likeness
    from solver.cli.printing import print_json
    from solver.graph.statistics import graph_profile
    from solver.io.terminal import print_table
    from solver.report.page import write_report

    graphs = read_graph(first), read_graph(second)
    found = Likeness(
        names=(graphs[0].name, graphs[1].name),
        profiles=(
            graph_profile(graphs[0].facts(), period),
            graph_profile(graphs[1].facts(), period),
        ),
    )
    if report is not None:
        write_report(
            report,
            found.report(),
            figures=found.as_json(),
            config={"period": period},
            encodings=(),
            inputs=[first, second],
        )
    if as_json:
        print_json(found.as_json())
    else:
        print_table(found.table(), "Likeness of two graphs")
