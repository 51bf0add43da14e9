"""Measures the questions generated from a graph, and the cost of generating them.

    python -m benchmarks.speed.asking FOLDER [--write]

FOLDER is a graph such as ICEWS14. Seconds are process time of the whole command, from the files of
the graph to the folder of questions; memory is its peak memory.
"""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np

from benchmarks.speed.clock import machine
from benchmarks.speed.processes import command
from generators.questions.graph import CAP, MIN_SUPPORT, QuestionFormat
from solver.cli.printing import print_json
from solver.io.writing import write_json
from solver.questions.io import STATISTICS, TWO_HOP_RULES
from solver.questions.two_hop import read_two_hop_rules

RESULTS = Path(__file__).parents[1] / "results" / "generated-questions.json"
SUPPORTS = (2, 3, 4, 5, 6)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--write", is_flag=True, help="Write benchmarks/results/generated-questions.json.")
def main(folder: Path, *, write: bool) -> None:
    """Measure question generation on a graph."""
    with TemporaryDirectory() as place:
        home = Path(place)
        costs = {form.value: _cost(folder, home / form, form) for form in QuestionFormat}
        statistics = json.loads((home / QuestionFormat.BOTH / STATISTICS).read_bytes())
        rules = read_two_hop_rules(home / QuestionFormat.BOTH / TWO_HOP_RULES)
        figures = {
            "data": statistics["graph"]["name"],
            "machine": machine() | {"numpy": np.__version__},
            "cap": CAP,
            "min_support": MIN_SUPPORT,
            "questions": statistics["questions"],
            "total": statistics["total"],
            "answers": {
                kind: {split: one["mean"] for split, one in splits.items()}
                for kind, splits in statistics["answers"].items()
            },
            "yes": statistics["yes"],
            "left_out": statistics["left_out"],
            "splits": statistics["graph"]["splits"],
            "rules": statistics["rules"],
            "mean_rule_confidence": round(float(np.mean([r.confidence for r in rules])), 4),
            "supports": [_support(folder, home / str(least), least) for least in SUPPORTS],
            "costs": costs,
        }
    if write:
        write_json(RESULTS, figures)
    print_json(figures)


def _cost(folder: Path, out: Path, form: QuestionFormat) -> dict[str, float]:
    process = command(
        *("generate", "questions", str(folder), "--out", str(out), "--format", form, "--json")
    )
    return {"seconds": round(process.spent, 1), "mebibytes": round(process.mebibytes)}


def _support(folder: Path, out: Path, least: int) -> dict[str, Any]:
    """Numbers of rules and questions with another minimum support of 2-hop rules."""
    options = ("--kinds", "2-hop", "--min-support", str(least), "--format", "jsonl", "--json")
    command("generate", "questions", str(folder), "--out", str(out), *options)
    statistics = json.loads((out / STATISTICS).read_bytes())
    return {
        "min_support": least,
        "rules": statistics["rules"]["two_hop"],
        "questions": statistics["total"],
    }


if __name__ == "__main__":
    main()
