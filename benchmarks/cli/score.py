"""``score``: metrics, one command for each kind of predictions."""

from __future__ import annotations

import click

from benchmarks.cli.score_nli import nli
from benchmarks.cli.score_quadruples import quadruples
from benchmarks.cli.score_questions import questions
from benchmarks.cli.score_ranks import ranks


@click.group()
def command() -> None:
    """Score predictions, with confidence intervals."""


command.add_command(nli)
command.add_command(ranks)
command.add_command(quadruples)
command.add_command(questions)
