"""Options of the commands that read questions over a graph."""

from __future__ import annotations

from pathlib import Path

import click

data = click.option(
    "--data",
    type=click.Path(path_type=Path),
    required=True,
    metavar="GRAPH",
    help="Graph that the questions are about.",
)
rules = click.option(
    "--rules",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Rules for fact reasoning.  [default: rules.jsonl of the folder]",
)
split = click.option(
    "--split",
    type=click.Choice(["train", "valid", "test"]),
    default="test",
    show_default=True,
    help="Split of DIR to read.",
)
