"""What commands about a model's answers do alike: take them in, tell, and end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import click

from benchmarks.nli.cases import Cases, read_cases
from benchmarks.nli.matching import Matched, match
from benchmarks.nli.predictions import Predictions, read_predictions
from solver.cli.printing import make_folder, print_json, print_unparsed
from solver.errors import ExitStatus
from solver.verify.settings import Settings
from solver.wording import counted

_SHOWN = 10
_MESSAGES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """Answers, the items that they are matched with, and how."""

    predictions: Predictions
    read: Cases
    matched: Matched


def take(path: str, options: dict[str, Any]) -> Taken:
    """Read answers and items, and say on stderr what could not be used.

    Args:
        path: of the answers.
        options: ``paths``, ``spatial`` and ``domain``, of the items.
    """
    predictions = read_predictions(path)
    settings = Settings(spatial=options["spatial"], domain=options["domain"])
    read = read_cases(options["paths"], settings)
    print_unparsed(read.unparsed)
    matched = match(read.cases, predictions)
    tell_unusable(predictions, matched)
    return Taken(predictions=predictions, read=read, matched=matched)


class Judged(Protocol):
    """What came out of a run about answers."""

    @property
    def predictions(self) -> Predictions:
        """The answers."""

    @property
    def matched(self) -> Matched:
        """How they go with the items."""

    @property
    def unparsed(self) -> int:
        """Rows of the data that did not read as items."""

    def as_json(self) -> dict[str, Any]:
        """All figures."""


def finish(
    ctx: click.Context,
    run: Judged,
    options: dict[str, Any],
    *,
    show: Callable[[], None],
    write: Callable[[Path], Path],
) -> None:
    """Print, write the report that was asked for, and end the command with its status.

    Args:
        ctx: of the command.
        run: what came out.
        options: ``as_json`` and ``report``.
        show: prints for a terminal.
        write: writes a report into a folder and gives its page.
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


def tell_unusable(predictions: Predictions, matched: Matched) -> None:
    """Say on stderr which answers and items could not be used."""
    told = {
        "without an answer": matched.missing,
        "answered, but not in the data": matched.unknown,
        "answered more than once; the first answer counts": predictions.doubled,
        "answered without a label": [one.id for one in matched.unreadable],
    }
    for what, ids in told.items():
        if ids:
            more = ", …" if len(ids) > _SHOWN else ""
            named = ", ".join(ids[:_SHOWN])
            click.echo(f"{counted(len(ids), 'item')} {what}: {named}{more}", err=True)
    for message in predictions.broken[:_MESSAGES]:
        click.echo(f"no prediction: {message}", err=True)


def incomplete(predictions: Predictions, matched: Matched) -> bool:
    """Whether something in the files could not be read or matched; unreadable answers may be."""
    left = (matched.missing, matched.unknown, predictions.doubled, predictions.broken)
    return any(left)
