"""Trains neural forecasters on a graph with some seeds, and ranks the answers of its split test.

    python -m benchmarks.reproduction.forecasters GRAPH --work DIR --model cygnet --write

Finished steps leave their output in DIR, and an interrupted training goes on from its last epoch.
``--write`` keeps the results of other models and seeds.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from benchmarks.forecasting.cli import MODELS
from benchmarks.metrics.ranking import mrr
from benchmarks.reproduction.speed.clock import with_earlier, write_results
from benchmarks.reproduction.speed.processes import step
from benchmarks.rules.ranking.files import read_ranks
from benchmarks.rules.ranking.queries import Filter, SplitQueries
from grammar.errors import HopcheckError
from solver.cli.printing import print_json
from solver.graph.io import read_dataset
from solver.graph.model import Dataset, Split
from solver.report.model import Report, Section, Table
from solver.report.page import markdown

NAME = "forecasters"
PUBLISHED: Mapping[str, float] = {"cygnet": 34.68, "re-gcn": 39.48}
"""Raw MRR of one step on ICEWS14, in percent: Zhu et al. 2021, and Li et al. 2021."""

SETTINGS: Mapping[str, str] = {
    "cygnet": "one step, vocabulary of train",
    "re-net": "one step, true snapshots before each day",
    "re-gcn": "one step, true snapshots before each day, no static graph",
}
FILTERS = (Filter.RAW, Filter.TIME_AWARE)


@click.command()
@click.argument("graph", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--work", type=click.Path(file_okay=False, path_type=Path), required=True, help="Work folder."
)
@click.option("--model", "models", type=click.Choice(MODELS), multiple=True, required=True)
@click.option("--seed", "seeds", type=click.IntRange(0), multiple=True, default=(0, 1, 2))
@click.option("--write", is_flag=True, help="Write benchmarks/results/forecasters.{md,json} too.")
def main(
    graph: Path, work: Path, models: tuple[str, ...], seeds: tuple[int, ...], write: bool
) -> None:
    """Train each model with each seed."""
    try:
        work.mkdir(parents=True, exist_ok=True)
        dataset = read_dataset(graph)
        rows = [measured(graph, dataset, work, model, seed) for model in models for seed in seeds]
        if write:
            rows = with_earlier(NAME, "models", rows, ["model", "seed"])
            rows.sort(key=lambda row: (MODELS.index(row["model"]), row["seed"]))
    except HopcheckError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(error.exit_status)
    values = {"graph": graph.name, "models": rows}
    if write:
        write_results(NAME, values, page(values))
    print_json(values)


def measured(graph: Path, dataset: Dataset, work: Path, model: str, seed: int) -> dict[str, Any]:
    """The course of a training, and the MRR of the test split in percent.

    Raises:
        HopcheckError: an input cannot be read, or one of the commands fails.
    """
    name, data = f"{model}-{seed}", ("--data", str(graph))
    out = work / name
    given = ("--model", model, "--seed", str(seed), "--out", str(out), "--json")
    course = step(work / f"{name}.json", "train", "forecaster", *data, *given)
    found = {}
    for kept in FILTERS:
        ranks = work / f"{name}-{kept}.txt"
        if not ranks.is_file():
            asked = ("baseline", "forecaster", str(out), *data, "--filter", kept.value)
            step(None, *asked, "--out", str(ranks))
        found[kept.value] = mrr(read_ranks(str(ranks), SplitQueries.of(dataset, Split.TEST)))
    return {
        "model": model,
        "seed": seed,
        "setting": SETTINGS.get(model, "one step"),
        "epochs": len(course["losses"]),
        "best": course["best"],
        "loss": [round(loss, 3) for loss in course["losses"]],
        "validation": [round(100 * figure, 2) for figure in course["validation"]],
        "test": {name: round(100 * figure, 2) for name, figure in found.items()},
    }


def page(values: Mapping[str, Any]) -> str:
    """The table in Markdown."""
    rows = tuple(
        (
            row["model"],
            row["setting"],
            str(row["seed"]),
            f"{row['best']} of {row['epochs']}",
            f"{max(row['validation']):.2f}",
            f"{row['test']['raw']:.2f}",
            f"{PUBLISHED[row['model']]:.2f}" if row["model"] in PUBLISHED else "–",
            f"{row['test']['time-aware']:.2f}",
        )
        for row in values["models"]
    )
    columns = ("model", "setting", "seed", "epoch", "raw, valid", "raw, test", "published raw")
    shown = Report(
        title=f"Neural forecasters on {values['graph']}",
        lead="MRR in percent, by the published settings; the epoch with the best raw MRR on valid.",
        sections=(
            Section(
                title="Test split", tables=(Table(columns=(*columns, "time-aware"), rows=rows),)
            ),
        ),
    )
    return markdown(shown)


if __name__ == "__main__":
    main()
