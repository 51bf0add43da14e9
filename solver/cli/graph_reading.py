"""Reads the graph a command was given, and tells which rows of its files are no facts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.wording import counted

if TYPE_CHECKING:
    from solver.tkg.dataset import Dataset


def read_graph(path: str | Path) -> Dataset:
    """Read a graph in any format; what was left out is told on stderr, a line a reason.

    Raises:
        InputError: the files cannot be read, or do not fit each other.
    """
    from solver.tkg.files import read_dataset

    dataset = read_dataset(path)
    for reason, rows in sorted(dataset.left_out.items()):
        click.echo(f"left out of {dataset.name}: {counted(rows, 'row')}, {reason}", err=True)
    return dataset
