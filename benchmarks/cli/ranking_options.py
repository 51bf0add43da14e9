"""Shared options of the ranking commands."""

from __future__ import annotations

from pathlib import Path

import click

graph = click.option(
    "--data",
    "folder",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FOLDER",
    help="Graph folder: train.txt, valid.txt, test.txt with `s r o t`; optional entity2id.json "
    "etc.",
)
split = click.option(
    "--split",
    type=click.Choice(["train", "valid", "test"]),
    default="test",
    show_default=True,
    help="Split to evaluate.",
)
filtering = click.option(
    "--filter",
    "filter",
    type=click.Choice(["raw", "static", "time-aware"]),
    default="time-aware",
    show_default=True,
    help="Filtered setting: keep other true answers (raw), or remove those of any time (static) or "
    "of the query's time (time-aware).",
)
ties = click.option(
    "--ties",
    type=click.Choice(["optimistic", "realistic", "pessimistic"]),
    default="realistic",
    show_default=True,
    help="Tie-breaking: best, mean or worst rank of equal scores.",
)
