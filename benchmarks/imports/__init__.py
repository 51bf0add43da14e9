"""Data in the formats of others: a graph becomes the standard folder (ids, names, splits)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from generators.dataset import DatasetFolder
from solver.graph.io import read_dataset
from solver.graph.io.intervals import read_intervals
from solver.graph.io.named import Granularity
from solver.graph.model import Dataset, Split
from solver.graph.splitting import SplitGraph
from solver.io.sources import counted


def import_graph(
    path: Path, out: Path, *, granularity: Granularity | None = None, intervals: bool = False
) -> tuple[tuple[Path, ...], list[str]]:
    """Read a graph in any format, and write the standard folder.

    Args:
        path: a file or folder of facts.
        out: output folder.
        granularity: unit to which times are rounded down.
        intervals: whether facts hold for intervals, whose two ends become a fact each.

    Returns:
        The files, the manifest last, and notes on the rows that were left out.

    Raises:
        HopcheckError: the graph cannot be read, or a file not be written.
    """
    if intervals:
        read = read_intervals(path, granularity)
    else:
        read = read_dataset(path, ordered=False, granularity=granularity)
    read = read.counted_once()
    splits = {split: facts.by_time() for split, facts in read.splits.items()}
    graph = Dataset(name=read.name, vocabulary=read.vocabulary, splits=splits)
    folder = DatasetFolder(out)
    folder.add(*graph.write(out))
    unit = None if granularity is None else granularity.value
    config = {"format": "graph", "graph": read.name, "granularity": unit}
    if intervals:
        config["intervals"] = "ends"
    files = folder.finish(config=config, encodings=())
    notes = [
        f"left out {counted(n, 'row')}, {reason}" for reason, n in sorted(read.left_out.items())
    ]
    return files, notes


def write_split(made: SplitGraph, out: Path, options: Mapping[str, str]) -> tuple[Path, ...]:
    """Write a graph that is split by time, with the figures of its splits.

    Args:
        made: the graph.
        out: output folder.
        options: how it was split, for the manifest.

    Raises:
        OutputError: a file cannot be written.
    """
    folder = DatasetFolder(out)
    if Split.VALID not in made.graph.splits:
        folder.remove("valid.txt")
    folder.add(*made.graph.write(out))
    folder.add_json("splits.json", made.as_json())
    config = {"format": "graph", "graph": made.graph.name, **options}
    return folder.finish(config=config, encodings=())
