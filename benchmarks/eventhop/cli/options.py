"""Steps shared by commands about a model's answers: reading, warnings, output, exit status."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import click

from benchmarks.eventhop.cases import Cases, read_cases
from benchmarks.eventhop.predictions import Prediction, read_label_predictions, unreadable
from benchmarks.predictions import MatchedPredictions, Predictions, match_predictions, unusable
from grammar.errors import ExitStatus
from solver.cli.printing import print_json, print_unparsed
from solver.eventhop.engines import ItemSettings
from solver.io.writing import make_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerData:
    """Predictions, items, and their matching."""

    items: Cases
    matched: MatchedPredictions[Prediction]

    @property
    def predictions(self) -> Predictions[Prediction]:
        """The predictions."""
        return self.matched.predictions


def read_answer_data(path: str, data: Sequence[str], settings: ItemSettings) -> AnswerData:
    """Read predictions and items, and report on stderr what could not be used.

    Args:
        path: file of predictions.
        data: files of items.
        settings: how the items are read and decided.
    """
    predictions = read_label_predictions(path)
    items = read_cases(data, settings)
    print_unparsed(items.unparsed)
    matched = match_predictions(predictions, [case.record.id for case in items.cases], "item")
    silent = [one.id for one in unreadable(matched)]
    for note in (*matched.notes("item"), *unusable("item", "answered without a label", silent)):
        click.echo(note, err=True)
    return AnswerData(items=items, matched=matched)


class AnswerReport(Protocol):
    """The result of a command about a model's answers."""

    @property
    def predictions(self) -> Predictions[Prediction]:
        """The predictions."""

    @property
    def matched(self) -> MatchedPredictions[Prediction]:
        """Their matching with the items."""

    @property
    def unparsed(self) -> int:
        """Number of rows of the data that cannot be parsed as items."""

    def as_json(self) -> dict[str, Any]:
        """All figures."""


def finish(
    ctx: click.Context,
    run: AnswerReport,
    *,
    as_json: bool,
    report: Path | None,
    show: Callable[[], None],
    write: Callable[[Path], Path],
) -> None:
    """Print the result, write the report if requested, and exit with the status.

    Args:
        ctx: context of the command.
        run: the result.
        as_json: whether to print one JSON object.
        report: folder of the report.
        show: prints the result as text.
        write: writes a report to a folder and returns its page.
    """
    if as_json:
        print_json(run.as_json())
    else:
        show()
    if report is not None:
        page = write(make_folder(report))
        click.echo(f"report: {page}", err=True)
    ctx.exit(ExitStatus.UNREADABLE if run.unparsed else run.matched.exit_status)
