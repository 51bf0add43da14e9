"""Steps shared by commands about a model's answers: reading, warnings, output, exit status."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import click

from benchmarks.eventhop.cases import Cases, read_cases
from benchmarks.eventhop.predictions import MatchedAnswers, Predictions, match, read_predictions
from grammar.errors import ExitStatus
from solver.cli.printing import print_json, print_unparsed
from solver.eventhop.messages import counted
from solver.io.writing import make_folder
from solver.verification.settings import Settings

_SHOWN = 10
_MESSAGES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerData:
    """Predictions, items, and their matching."""

    predictions: Predictions
    items: Cases
    matched: MatchedAnswers


def read_answer_data(path: str, options: dict[str, Any]) -> AnswerData:
    """Read predictions and items, and report on stderr what could not be used.

    Args:
        path: file of predictions.
        options: the options ``paths``, ``spatial`` and ``domain`` of the items.
    """
    predictions = read_predictions(path)
    settings = Settings(spatial=options["spatial"], domain=options["domain"])
    items = read_cases(options["paths"], settings)
    print_unparsed(items.unparsed)
    matched = match(items.cases, predictions)
    report_unused(predictions, matched)
    return AnswerData(predictions=predictions, items=items, matched=matched)


class AnswerReport(Protocol):
    """The result of a command about a model's answers."""

    @property
    def predictions(self) -> Predictions:
        """The predictions."""

    @property
    def matched(self) -> MatchedAnswers:
        """Their matching with the items."""

    @property
    def unparsed(self) -> int:
        """Number of rows of the data that cannot be parsed as items."""

    def as_json(self) -> dict[str, Any]:
        """All figures."""


def finish(
    ctx: click.Context,
    run: AnswerReport,
    options: dict[str, Any],
    *,
    show: Callable[[], None],
    write: Callable[[Path], Path],
) -> None:
    """Print the result, write the report if requested, and exit with the status.

    Args:
        ctx: context of the command.
        run: the result.
        options: the options ``as_json`` and ``report``.
        show: prints the result as text.
        write: writes a report to a folder and returns its page.
    """
    if options["as_json"]:
        print_json(run.as_json())
    else:
        show()
    if options["report"] is not None:
        page = write(make_folder(options["report"]))
        click.echo(f"report: {page}", err=True)
    flawed = run.unparsed or incomplete(run.predictions, run.matched)
    ctx.exit(ExitStatus.UNREADABLE if flawed else ExitStatus.OK)


def report_unused(predictions: Predictions, matched: MatchedAnswers) -> None:
    """Report on stderr which predictions and items were not used."""
    unused = {
        "without an answer": matched.missing,
        "answered, but not in the data": matched.unknown,
        "answered more than once; the first answer counts": predictions.doubled,
        "answered without a label": [one.id for one in matched.unreadable],
    }
    for what, ids in unused.items():
        if ids:
            more = ", …" if len(ids) > _SHOWN else ""
            named = ", ".join(ids[:_SHOWN])
            click.echo(f"{counted(len(ids), 'item')} {what}: {named}{more}", err=True)
    for message in predictions.broken[:_MESSAGES]:
        click.echo(f"not a prediction: {message}", err=True)


def incomplete(predictions: Predictions, matched: MatchedAnswers) -> bool:
    """Whether something could not be read or matched, other than unreadable answers."""
    unused = (matched.missing, matched.unknown, predictions.doubled, predictions.broken)
    return any(unused)
