"""Measures memory and time of what reads a large graph, on one of five million facts and on half.

    python -m benchmarks.reproduction.speed.large_graph [--facts N] [--only COMMAND] [--write]

The graph is synthetic, of the size of GDELT in TGB 2.0: 7,691 entities, 240 relations, 2,976 times,
frequencies after Zipf's law, half of the facts a repetition of an earlier one. Each command runs in
a process of its own. Growth is the exponent of the costs from the half to the whole graph.
``--write`` writes ``benchmarks/results/large-graph.json``, and keeps the results of other numbers
of facts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import numpy as np
from numpy.typing import NDArray

from benchmarks.reproduction.speed.clock import machine, with_earlier, write_results
from benchmarks.reproduction.speed.processes import command
from benchmarks.rules.ranking.queries import SplitQueries
from solver.cli.printing import print_json
from solver.graph.model import Dataset, Ids, Quadruples, Split, Vocabulary
from solver.graph.queries import Queries
from solver.rules.score_folders import write_scores

ENTITIES, RELATIONS, TIMES = 7_691, 240, 2_976
REPEATED = 0.5
COMMANDS = (
    *("mine --lengths 1", "apply", "strikingness", "score ranks of ranks", "score ranks of scores"),
    "generate questions",
)
_PART = 1_000


def synthetic_graph(facts: int, tested: int, seed: int = 0) -> Dataset:
    """A graph of distinct facts by time; the last ``tested`` ones are the split test.

    Args:
        facts: number of facts.
        tested: number of facts of test; valid has a tenth of the others.
        seed: random seed.
    """
    source = np.random.default_rng(seed)
    rows = np.empty((0, 4), dtype=np.int64)
    while len(rows) < facts:
        # Some are equal to others.
        lacking = (facts - len(rows)) * 11 // 10 + 8
        drawn = [_zipf(source, size, lacking) for size in (ENTITIES, RELATIONS, ENTITIES)]
        fresh = np.stack([*drawn, source.integers(0, TIMES, lacking)], axis=1)
        again = np.flatnonzero(source.random(lacking) < REPEATED)
        fresh[again, :3] = fresh[source.integers(0, lacking, len(again)), :3]
        rows = np.unique(np.concatenate([rows, fresh]), axis=0)
    kept = source.choice(len(rows), facts, replace=False)
    ordered = Quadruples.of(rows[kept]).by_time()
    valid = facts - tested - (facts - tested) // 10
    bounds = (0, _end(ordered, valid), _end(ordered, facts - tested), facts)
    splits = {
        split: ordered.take(slice(begin, end))
        for split, begin, end in zip(Split, bounds[:-1], bounds[1:], strict=True)
    }
    vocabulary = Vocabulary(entities=ENTITIES, relations=RELATIONS, times=TIMES)
    return Dataset(name="large", vocabulary=vocabulary, splits=splits)


def _end(facts: Quadruples, row: int) -> int:
    """The first row of the time of a row: a time is in one split."""
    return int(np.searchsorted(facts.time, facts.time[row]))


def _zipf(source: np.random.Generator, size: int, number: int) -> Ids:
    weights = 1 / np.arange(1, size + 1)
    found: Ids = np.searchsorted(np.cumsum(weights) / weights.sum(), source.random(number))
    return np.minimum(found, size - 1).astype(np.int64)


def _scores(graph: Dataset) -> Iterator[tuple[Ids, NDArray[np.float32]]]:
    """Random scores of the queries of test, in parts."""
    asked, _ = Queries.of(SplitQueries.of(graph, Split.TEST).asked)
    keys = np.stack((asked.head, asked.relation, asked.time), axis=1)
    source = np.random.default_rng(0)
    for begin in range(0, len(keys), _PART):
        part = keys[begin : begin + _PART]
        yield part, source.random((len(part), graph.vocabulary.entities), dtype=np.float32)


def measured(
    home: Path, facts: int, queries: int, only: Collection[str]
) -> tuple[int, dict[str, dict[str, float]]]:
    """The number of queries; peak MiB and seconds of each command."""
    home.mkdir(parents=True, exist_ok=True)
    graph = synthetic_graph(facts, queries // 2)
    names = ("graph", "rules.json", "ranks.txt", "scores", "striking.txt", "questions")
    data, rules, ranks, scores, striking, questions = (str(home / name) for name in names)
    plain = ("--format", "jsonl", "--json")
    graph.write(data)
    write_scores(Path(scores), _scores(graph), entities=ENTITIES)
    number = 2 * len(graph.splits[Split.TEST])
    del graph
    commands = (
        ("mine", data, "--lengths", "1", "--out", rules, "--json"),
        ("apply", rules, "--data", data, "--out", ranks, "--json"),
        ("strikingness", data, "--rules", rules, "--out", striking, "--json"),
        ("score", "ranks", ranks, "--data", data, "--json"),
        ("score", "ranks", scores, "--data", data, "--json"),
        ("generate", "questions", data, "--out", questions, *plain),
    )
    steps = dict(zip(COMMANDS, commands, strict=True))
    found: dict[str, dict[str, float]] = {}
    for name, arguments in steps.items():
        if name not in only:
            continue
        cost = command(*arguments)
        found[name] = {"mebibytes": round(cost.mebibytes), "process_seconds": round(cost.spent, 1)}
        click.echo(f"{name}: {found[name]}", err=True)
    return number, found


def grown(half: dict[str, float], whole: dict[str, float]) -> dict[str, float]:
    """The exponents by which costs grow with the facts, from a half of a graph to the whole."""
    return {
        f"growth of {cost}": round(float(np.log2(whole[cost] / half[cost])), 2) for cost in half
    }


@click.command()
@click.option("--facts", type=click.IntRange(1_000), default=5_000_000, show_default=True)
@click.option("--queries", type=click.IntRange(2), default=20_000, show_default=True)
@click.option("--only", type=click.Choice(COMMANDS), multiple=True, default=COMMANDS)
@click.option("--folder", type=click.Path(path_type=Path), help="Folder to keep the files in.")
@click.option("--write", is_flag=True, help="Write benchmarks/results/large-graph.json too.")
def main(
    facts: int, queries: int, only: tuple[str, ...], folder: Path | None, *, write: bool
) -> None:
    """Measure the commands on a synthetic graph."""
    with TemporaryDirectory() as temporary:
        home = folder or Path(temporary)
        _, half = measured(home / "half", facts // 2, queries, only)
        number, whole = measured(home / "whole", facts, queries, only)
    commands = {name: cost | grown(half[name], cost) for name, cost in whole.items()}
    figures = {"machine": machine(), "facts": facts, "queries": number, "commands": commands}
    if write:
        runs = with_earlier("large-graph", "runs", [figures], ["facts"])
        write_results("large-graph", {"runs": sorted(runs, key=lambda run: run["facts"])})
    print_json(figures)


if __name__ == "__main__":
    main()
