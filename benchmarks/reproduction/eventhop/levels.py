"""Measures how difficult the levels of ``generate eventhop`` are.

``python -m benchmarks.reproduction.eventhop.levels [--write]`` prints the accuracy of reasoners
that combine at most k sentences, by level; chance is a third.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from benchmarks.eventhop.ablations.reasoners import answer
from benchmarks.eventhop.ablations.report import table
from benchmarks.eventhop.cases import read_cases
from benchmarks.reproduction.speed.clock import write_results
from generators.eventhop.config import LEVELS, Config, Split
from generators.eventhop.run import generate

SIZE = 600
STEPS = (1, 2, 3, 4, 5, 6, 8)


def measure(level: int, size: int = SIZE, seed: int = 0) -> dict[str, float]:
    """The accuracy of limited reasoners on a generated test split, by reasoner."""
    with TemporaryDirectory() as folder:
        generate(Config(sizes={Split.TEST: size}, seed=seed, **LEVELS[level]), Path(folder))
        read = read_cases([str(Path(folder) / "test.jsonl")])
    answers = answer([case.item for case in read.cases], read.decided)
    rows = {row.reasoner: row.overall for row in table(answers, read.decided, ())}
    return {name: round(rows[name].accuracy, 3) for name in (f"hops-{k}" for k in STEPS)}


def shown(found: dict[int, dict[str, float]]) -> str:
    """The accuracies as a table."""
    head = "| level | events x relations | hops | " + " | ".join(f"{k}" for k in STEPS) + " |"
    lines = [head, "|---" * (3 + len(STEPS)) + "|"]
    for level, row in found.items():
        chosen = LEVELS[level]
        sizes = ", ".join(map(str, chosen["shapes"]))
        hops = ", ".join(map(str, chosen["hops"]))
        figures = " | ".join(f"{accuracy:.2f}".removeprefix("0") for accuracy in row.values())
        lines.append(f"| {level} | {sizes} | {hops} | {figures} |")
    return "\n".join(lines) + "\n"


@click.command()
@click.option("--write", is_flag=True, help="Also write benchmarks/results/levels.{md,json}.")
def main(*, write: bool) -> None:
    """Print the accuracies of limited reasoners by level."""
    found = {level: measure(level) for level in LEVELS}
    click.echo(shown(found), nl=False)
    if write:
        rows = {str(level): row for level, row in found.items()}
        write_results("levels", {"size": SIZE, "levels": rows}, shown(found))


if __name__ == "__main__":
    main()
