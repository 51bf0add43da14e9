"""Steps shared by commands about a model's answers: warnings, output, exit status."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click

from benchmarks.eventhop.predictions import Prediction
from benchmarks.eventhop.scoring import AnswerData
from benchmarks.predictions import MatchedPredictions
from grammar.errors import ExitStatus
from solver.cli.printing import finish_run, print_unparsed


def print_notes(data: AnswerData) -> None:
    """Report on stderr what could not be used."""
    print_unparsed(data.items.unparsed)
    for note in data.notes():
        click.echo(note, err=True)


class AnswerReport(Protocol):
    """The result of a command about a model's answers."""

    @property
    def matched(self) -> MatchedPredictions[Prediction]:
        """The predictions, matched with the items."""

    @property
    def unparsed(self) -> int:
        """Number of rows of the data that cannot be parsed as items."""

    def as_json(self) -> dict[str, Any]:
        """All figures."""


Run = TypeVar("Run", bound=AnswerReport)


def finish(
    ctx: click.Context,
    run: Run,
    *,
    as_json: bool,
    report: Path | None,
    show: Callable[[], None],
    write: Callable[[Run, Path], Path],
) -> None:
    """Finish as ``finish_run``, and exit with the status."""
    finish_run(run, as_json=as_json, show=show, report=report, write=write)
    ctx.exit(ExitStatus.UNREADABLE if run.unparsed else run.matched.exit_status)
