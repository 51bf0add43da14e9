"""Reads the graph passed to a command and reports the rows that were skipped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.eventhop.messages import counted

if TYPE_CHECKING:
    from solver.graph.model import Dataset


def read_graph(path: str | Path) -> Dataset:
    """Read a graph in any supported format; report skipped rows on stderr, one line per reason.

    Raises:
        InputError: the files cannot be read or are inconsistent.
    """
    from solver.graph.io import read_dataset

    dataset = read_dataset(path)
    for reason, rows in sorted(dataset.left_out.items()):
        click.echo(f"left out of {dataset.name}: {counted(rows, 'row')}, {reason}", err=True)
    return dataset
