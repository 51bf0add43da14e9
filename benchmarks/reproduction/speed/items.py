"""Measures single items: every preset and cell of ``eventhop``, and questions about a graph.

    python -m benchmarks.reproduction.speed.items [--graph FOLDER] [--write]

One call warms up; then items are generated one by one, with new groups, so that nothing of one is
kept for another. ``--write`` writes ``benchmarks/results/items.json``.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np

from benchmarks.reproduction.speed.clock import machine, rounded_figures, write_results
from generators.eventhop.config import Config, Preset, Split
from generators.eventhop.layout import LABELS, layout
from generators.eventhop.shards import MAKERS, make_item
from generators.questions.graph import Settings, question_graph
from generators.questions.run import Plan
from generators.questions.run import make as make_questions
from solver.cli.printing import print_json
from solver.graph.io import read_dataset
from solver.graph.model import Split as GraphSplit
from solver.questions.io import question_line

_TURNS = 256
"""Groups of each shape and claim that are searched for new cells."""
_LIMIT = 50
"""Milliseconds above which a group is measured again."""
_WARM = 0
"""The item of the first call, whose group is not measured."""
_QUESTIONS = 300
"""Questions of each split that are drawn."""


@click.command()
@click.option("--graph", type=click.Path(exists=True, path_type=Path), help="Also ask about this.")
@click.option("--write", is_flag=True, help="Write benchmarks/results/items.json too.")
def main(graph: Path | None, *, write: bool) -> None:
    """Measure the milliseconds of one item."""
    figures: dict[str, Any] = {"machine": machine(), "eventhop": [*_items()]}
    if graph is not None:
        figures["questions"] = [*_questions(graph)]
    figures = rounded_figures(figures, 2)
    if write:
        write_results("items", figures)
    print_json(figures)


def _items() -> Iterator[dict[str, Any]]:
    # The test split of some presets is made from that of train, so that it takes longer.
    for preset in Preset:
        groups = _covering(preset)
        config = Config(preset=preset)
        # A group is generated with its first item.
        calls = ((number * LABELS, cells) for number, cells in groups.items())

        def make(index: int, config: Config = config) -> object:
            return make_item(config, Split.TEST, index)

        warm_up, spent = _measured(make, (index for index, _ in calls))
        slowest = max(zip(spent, groups.items(), strict=True), key=lambda pair: pair[0])
        number, cells = slowest[1]
        yield {
            "preset": preset.value,
            "cells": sum(map(len, groups.values())),
            "warm_up_milliseconds": warm_up,
            **_summary(spent),
            "slowest": cells,
            **({"again_milliseconds": _again(config, number)} if slowest[0] > _LIMIT else {}),
        }


def _again(config: Config, number: int) -> float:
    """Least time of a group in three rounds; the first time may include a garbage collection."""
    spent = []
    for seed in range(1, 4):
        # Another config in between, as groups are kept.
        for other in range(seed, seed + MAKERS):
            make_item(replace(config, seed=other), Split.TEST, _WARM)
        make_item(config, Split.TEST, _WARM)
        gc.collect()
        spent.append(_spent(partial(make_item, config, Split.TEST), LABELS * number))
    return min(spent)


def _covering(preset: Preset) -> dict[int, list[str]]:
    """Numbers of groups with all cells of the test split, and the cells that each adds."""
    found = layout(Config(preset=preset), Split.TEST)
    seen: set[str] = set()
    groups = {}
    for number in range(1, _TURNS * len(found.blocks)):
        new = {cell.key for cell in found.cells(number)} - seen
        if new:
            seen |= new
            groups[number] = sorted(new)
    return groups


def _questions(folder: Path) -> Iterator[dict[str, Any]]:
    begun = time.process_time()
    made = make_questions(Plan(graph=question_graph(read_dataset(folder)), settings=Settings()))
    drafted = 1000 * (time.process_time() - begun)
    for split in made.drafts:
        lines = [question_line(question) for question in made.questions(split)]
        places = Random(0).sample(range(len(lines)), min(_QUESTIONS, len(lines)))

        def make(index: int, split: GraphSplit = split, lines: list[bytes] = lines) -> None:
            if question_line(made.question(split, index)) != lines[index]:
                raise AssertionError(f"{split} {index} differs")

        warm_up, spent = _measured(make, places)
        yield {
            "graph": folder.name,
            "split": split.value,
            "questions": len(lines),
            "warm_up_milliseconds": drafted + warm_up,
            **_summary(spent),
        }


def _measured(make: Callable[[int], object], indices: Iterable[int]) -> tuple[float, list[float]]:
    """Process time of a first call, and of the calls, in milliseconds."""
    warm_up = _spent(make, _WARM)
    return warm_up, [_spent(make, index) for index in indices]


def _spent(make: Callable[[int], object], index: int) -> float:
    begun = time.process_time()
    make(index)
    return 1000 * (time.process_time() - begun)


def _summary(spent: list[float]) -> dict[str, Any]:
    return {
        "calls": len(spent),
        "median_milliseconds": float(np.median(spent)),
        "p95_milliseconds": float(np.quantile(spent, 0.95)),
        "most_milliseconds": max(spent),
    }


if __name__ == "__main__":
    main()
