"""Measures the cost of applying rules, and compares the ranks with published ones.

    python -m benchmarks.reproduction.speed.application FOLDER [--write]

FOLDER contains ICEWS14 and the rules and ranks of TLogic's program. Times are process times of one
core, the minimum over the rounds, from facts and rules in memory to ranks; memory is that of the
whole command. With ``--jobs 2``, the wall time of the whole command is measured in the same rounds
as with one process; the speed-up is the ratio of the medians.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

import click
import numpy as np

from benchmarks.reproduction.speed.clock import fastest, machine, write_results
from benchmarks.reproduction.speed.processes import command
from solver.cli.printing import print_json
from solver.graph.io import read_dataset
from solver.graph.model import Dataset, Quadruples, Split
from solver.graph.queries import Ranks, Tie
from solver.rules.application import Application, rank_answers, rows_by_time
from solver.rules.graph import RuleGraph
from solver.rules.io import read_rules
from solver.rules.model import MiningSettings, RuleTable
from solver.rules.sampled import mine_sampled

RULES = {"1": "tlogic_rules_len1_seed12.json.gz", "1-3": "tlogic_rules_len123_seed12.json.gz"}
RANKS = "tlogic_ranks_seed12.tsv.gz"
PUBLISHED_SECONDS = {"1": 394, "1-3": 5400}
"""Seconds of the published program on a machine of this class: wall time and CPU time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplicationCost:
    """The cost of applying rules to the test split in both directions.

    Attributes:
        equal: share of ranks equal to those of the published program, by tie-breaking.
        mebibytes: memory of the whole command; None for rules without a file.
    """

    lengths: str
    rules: int
    facts: int
    seconds: float
    figures: dict[str, dict[str, float]]
    equal: dict[str, float] | None = None
    published_seconds: int | None = None
    mebibytes: int | None = None


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--rounds", type=click.IntRange(1), default=3, show_default=True, help="Timing rounds."
)
@click.option("--write", is_flag=True, help="Write benchmarks/results/application.json too.")
def main(folder: Path, rounds: int, *, write: bool) -> None:
    """Measure the cost of applying rules to a graph."""
    dataset = read_dataset(folder)
    figures = {
        "data": dataset.name,
        "rounds": rounds,
        "machine": machine() | {"numpy": np.__version__},
        "published_rules": [asdict(_published(dataset, folder, rule, rounds)) for rule in RULES],
        "own_rules": asdict(_own(dataset, rounds)),
        "jobs": _speed_up(folder, rounds),
    }
    if write:
        write_results("application", figures)
    print_json(figures)


def _published(dataset: Dataset, folder: Path, lengths: str, rounds: int) -> ApplicationCost:
    path = folder / RULES[lengths]
    rules = read_rules(path, relations=dataset.vocabulary.relations)
    seconds, ranks, kept = _timed(dataset, rules, rounds)
    process = command("apply", str(path), "--data", str(folder), "--json")
    return ApplicationCost(
        lengths=lengths,
        rules=kept,
        facts=len(ranks),
        seconds=round(seconds, 2),
        figures=ranks.figures(),
        equal=_equal(ranks, _asked(dataset), folder / RANKS, lengths),
        published_seconds=PUBLISHED_SECONDS[lengths],
        mebibytes=round(process.mebibytes),
    )


def _own(dataset: Dataset, rounds: int) -> ApplicationCost:
    """Sampled rules of lengths 1 to 3, mined here."""
    graph = RuleGraph.of(dataset.facts(Split.TRAIN), dataset.vocabulary.relations)
    mined = mine_sampled(graph, MiningSettings(lengths=(1, 2, 3)))
    rules = RuleTable.joined(*(result.rules for result in mined))
    seconds, ranks, kept = _timed(dataset, rules, rounds)
    return ApplicationCost(
        lengths="1-3",
        rules=kept,
        facts=len(ranks),
        seconds=round(seconds, 2),
        figures=ranks.figures(),
    )


def _speed_up(folder: Path, rounds: int) -> dict[str, Any]:
    """Wall seconds of the command with one process and with two, over the rounds."""
    arguments = ("apply", str(folder / RULES["1-3"]), "--data", str(folder), "--json")
    seconds: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for jobs, taken in seconds.items():
            taken.append(command(*arguments, "--jobs", str(jobs)).seconds)
    return {
        "lengths": "1-3",
        "seconds": {
            str(jobs): [round(value, 2) for value in taken] for jobs, taken in seconds.items()
        },
        "speed_up": round(median(seconds[1]) / median(seconds[2]), 2),
    }


def _timed(dataset: Dataset, rules: RuleTable, rounds: int) -> tuple[float, Ranks, int]:
    def run() -> tuple[Ranks, int]:
        applied = Application(
            rules, dataset.facts(), dataset.vocabulary, learned=dataset.facts(Split.TRAIN)
        )
        facts = _asked(dataset)
        found = [rank_answers(applied, facts, rows) for rows in rows_by_time(facts)]
        ranks = Ranks.joined(
            [answers.ranks for answers in found], [answers.rows for answers in found]
        )
        return ranks, len(applied.rules)

    seconds, (ranks, kept) = fastest(run, rounds)
    return seconds, ranks, kept


def _asked(dataset: Dataset) -> Quadruples:
    return dataset.facts(Split.TEST).both_ways(dataset.vocabulary.relations)


def _equal(ranks: Ranks, facts: Quadruples, path: Path, lengths: str) -> dict[str, float]:
    """Shares of equal ranks; columns are s, r, o, t, then a rank by length and tie-breaking."""
    published = np.loadtxt(path)
    if not np.array_equal(published[:, :4], facts.rows()):
        raise click.ClickException(
            f"{path}: rows are not the test split's facts in both directions"
        )
    first = 4 + 3 * list(RULES).index(lengths)
    return {
        tie.value: float((ranks.values(tie) == published[:, first + place]).mean())
        for place, tie in enumerate(Tie)
    }


if __name__ == "__main__":
    main()
