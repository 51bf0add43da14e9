"""Options of the commands that rank."""

from __future__ import annotations

from pathlib import Path

import click

graph = click.option(
    "--data",
    "folder",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FOLDER",
    help="The graph: train.txt, valid.txt and test.txt with `s r o t`, entity2id.json and so on.",
)
split = click.option(
    "--split",
    type=click.Choice(["train", "valid", "test"]),
    default="test",
    show_default=True,
    help="Whose facts are asked for.",
)
filtering = click.option(
    "--filter",
    "filter",
    type=click.Choice(["raw", "static", "time-aware"]),
    default="time-aware",
    show_default=True,
    help="Other right answers left out of a ranking: none, those of any time, of the same time.",
)
ties = click.option(
    "--ties",
    type=click.Choice(["optimistic", "realistic", "pessimistic"]),
    default="realistic",
    show_default=True,
    help="The rank among equal scores: the best, the mean or the worst.",
)
