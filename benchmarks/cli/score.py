"""``score``: metrics, one command for each kind of answers."""

from __future__ import annotations

import click

from benchmarks.cli.score_nli import nli


@click.group()
def command() -> None:
    """Score answers: macro-F1 and accuracy, each with its interval."""


command.add_command(nli)
