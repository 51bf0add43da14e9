"""Scores all baselines on questions about a graph.

python -m benchmarks.reproduction.questions GRAPH
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import click
import msgspec

from benchmarks.reproduction import RESULTS
from benchmarks.reproduction.questions.entrants import (
    BEST,
    ENTRANTS,
    FORECASTS,
    ORACLE,
    OWN,
    BenchmarkData,
    baselines,
)
from benchmarks.reproduction.questions.results import (
    accuracy_with_other_rules,
    compare,
    page,
    questions_of,
)
from benchmarks.reproduction.speed.clock import machine, write_results
from benchmarks.reproduction.speed.processes import command
from grammar.errors import HopcheckError
from solver.cli.printing import print_json
from solver.graph.io import read_dataset
from solver.graph.model import Split
from solver.rules.io import read_rules

PARTS = ("questions", "compared", "costs", "answering")
MINED = ("--lengths", "1,2,3", "--method", "sample", "--seed", "0")


@click.command()
@click.argument("graph", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--part",
    "parts",
    type=click.Choice(PARTS),
    multiple=True,
    help="Parts to measure.  [default: all; other parts keep their last results]",
)
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option("--write", is_flag=True, help="Write benchmarks/results/questions.{md,json} too.")
def main(graph: Path, parts: tuple[str, ...], jobs: int, write: bool) -> None:
    """Generate questions about a graph; measure the scores and costs of all baselines."""
    path = RESULTS / "questions.json"
    values: dict[str, Any] = msgspec.json.decode(path.read_bytes()) if path.is_file() else {}
    try:
        with tempfile.TemporaryDirectory() as home:
            values |= measured(graph, Path(home), parts or PARTS, jobs)
    except HopcheckError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(error.exit_status)
    if write:
        write_results("questions", values, page(values))
    print_json(values)


def measured(graph: Path, home: Path, parts: tuple[str, ...], jobs: int) -> dict[str, Any]:
    """Measure the requested parts.

    Raises:
        HopcheckError: the graph cannot be read, or one of the commands fails.
    """
    folder, mined = home / "questions", home / "rules.jsonl"
    options = ("--out", str(folder), "--format", "jsonl")
    costs = {"generate questions": command("generate", "questions", str(graph), *options)}
    values: dict[str, Any] = {"data": graph.name, "machine": machine()}
    if "questions" in parts:
        values["questions"] = questions_of(folder)
    if "costs" in parts:
        verify = ("verify", "--kind", "questions", str(folder), "--data", str(graph))
        costs["verify --kind questions --jobs 2"] = command(*verify, "--jobs", "2")
        values["costs"] = {
            name: {"seconds": round(cost.seconds, 1), "mebibytes": round(cost.mebibytes)}
            for name, cost in costs.items()
        }
    if {"compared", "answering"} & {*parts}:
        command("mine", str(graph), *MINED, "--out", str(mined), "--json")
    if "answering" in parts:
        values["answering"] = _answering(graph, folder, mined)
    if "compared" in parts:
        dataset = read_dataset(graph)
        rules = read_rules(mined, relations=dataset.vocabulary.relations)
        values["rules"] = {"options": f"mine {' '.join(MINED)}", "rules": len(rules)}
        bench = BenchmarkData.of(folder, dataset, Split.TEST, jobs=jobs)
        values["otherwise"] = accuracy_with_other_rules(bench, dataset, rules)
        values["compared"] = compare(bench, baselines(folder, dataset, rules))
    return values


def _answering(graph: Path, folder: Path, mined: Path) -> dict[str, dict[str, float]]:
    """Costs of answering the test split, threshold tuning included."""
    ways = {BEST: ("past", "--rules", str(mined)), OWN: ("past",), ORACLE: ("all",)}
    ways |= {name: ("past", "--by", name) for name in FORECASTS}
    shared = ("answer", str(folder), "--data", str(graph), "--json")
    out = ("--out", str(folder.with_name("answers.jsonl")), "--observe")
    costs = {name: command(*shared, *out, *ways[name]) for name in ENTRANTS}
    return {
        name: {"seconds": round(cost.spent, 1), "mebibytes": round(cost.mebibytes)}
        for name, cost in costs.items()
    }


if __name__ == "__main__":
    main()
