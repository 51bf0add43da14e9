"""``calibrate``: fits the config of the graph generator to a reference graph."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchmarks.tkg.calibration.objective import Objective, named_values
from generators.tkg.config import read_config
from solver.cli.options import (
    as_json,
    jobs,
    number_option,
    on_cluster,
    out_folder,
    read_graph,
    seed,
)
from solver.cli.printing import print_json, progress
from solver.cli.program import as_called
from solver.cli.settings import converted, setting_options
from solver.extras import require
from solver.io.sources import output_name
from solver.io.terminal import print_table
from solver.io.writing import make_folder
from solver.report.page import PAGE

if TYPE_CHECKING:
    from benchmarks.tkg.calibration.report import Calibration

_SHOWN = 3


@click.command()
@click.argument("path", metavar="REFERENCE")
@out_folder("Output folder; an interrupted search resumes from it.")
@number_option("--trials", default=800, help="Number of trials.")
@setting_options("objective", Objective)
@click.option(
    "--fix",
    "fixed",
    multiple=True,
    metavar="NAME=VALUE",
    help="Fix a parameter instead of searching it; repeatable.",
    callback=partial(converted, partial(named_values, "value such as mode=forced", str)),
)
@click.option(
    "--base",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Config file with options that are not searched, such as the guards.",
)
@number_option(
    "--period",
    default=7,
    high=1_000,
    help="Time steps of a period, such as the days of a week; 1 for none.",
)
@number_option(
    "--check-seeds",
    default=5,
    low=0,
    help="Number of other seeds at which to evaluate the best config.",
)
@seed
@jobs
@on_cluster
@as_json
def command(
    *,
    path: str,
    out: Path,
    trials: int,
    objective: Objective,
    fixed: dict[str, str],
    base: Path | None,
    period: int,
    check_seeds: int,
    seed: int,
    jobs: int,
    as_json: bool,
) -> None:
    """Fit the config of `generate tkg` to REFERENCE by Bayesian optimisation.

    REFERENCE is a graph: a folder with train.txt etc., or one file. The result depends only on the
    seed, not on --jobs or interruptions. The best config is written to DIR/best.json, for
    `generate tkg --config`, and a report to DIR/report.html.

    \b
    Examples:
      python -m solver calibrate examples/tkg --trials 40 --out runs/small
      python -m solver calibrate data/icews14 --trials 800 --jobs 2 --out runs/icews14
      python -m solver calibrate examples/tkg --fix mode=forced --fix lags=1,3 --out runs/forced
    """  # noqa: D301 - click reads the backslash
    require("calibrate", "optuna")
    from benchmarks.tkg.calibration.report import evaluate_best, write_calibration
    from benchmarks.tkg.calibration.search import claim, open_journal, search
    from benchmarks.tkg.calibration.trial import problem_of

    dataset = read_graph(path)
    problem = problem_of(
        dataset.facts(),
        seed=seed,
        period=period,
        objective=objective,
        base=None if base is None else read_config(base),
        fixed=fixed,
    )
    with open_journal(claim(make_folder(out), problem)) as journal:
        with progress("trials", trials) as advance:
            outcomes = search(problem, journal, trials, jobs=jobs, progress=advance)
        found = evaluate_best(dataset.name, problem, outcomes, check_seeds)
        write_calibration(out, found, [path])
    if as_json:
        print_json({"out": out.name, **found.as_json()})
        return
    _show(found, out)


def _show(found: Calibration, out: Path) -> None:
    from benchmarks.tkg.calibration.report import BEST, elsewhere, figures_table

    print_table(figures_table(found), f"Best of {len(found.outcomes):,} trials")
    score = found.outcomes[found.best].score
    click.echo(f"objective: {score.total:.3f} in trial {found.best}")
    if found.elsewhere:
        click.echo(f"objective elsewhere: {elsewhere(found)}")
    _print_failures(found)
    click.echo(f"made: {output_name(out / BEST)} and {output_name(out / PAGE)}; to make the graph:")
    seed = found.problem.seed
    command = as_called("python -m solver generate tkg")
    click.echo(f"  {command} --config {output_name(out / BEST)} --seed {seed} --out DIR")


def _print_failures(found: Calibration) -> None:
    failures = found.failures()
    if failures:
        click.echo(f"without a graph: {len(failures):,} trials, such as")
        for number, reason in failures[:_SHOWN]:
            click.echo(f"  trial {number}: {reason}")
