"""``score``: metrics, one command for each kind of predictions."""

from __future__ import annotations

import click

from benchmarks.eventhop.cli.score import nli
from benchmarks.questions.cli.score import questions
from benchmarks.rules.cli.score import ranks
from benchmarks.texts.cli import quadruples


@click.group()
def command() -> None:
    """Score predictions, with confidence intervals."""


command.add_command(nli)
command.add_command(ranks)
command.add_command(quadruples)
command.add_command(questions)
