"""``verify --kind facts``: checks dated facts for temporal coherency and schema conformance."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.cli.options import path_option
from solver.cli.verify import checking, finish
from solver.verification.report import Kind

if TYPE_CHECKING:
    from solver.facts.model import Window

_DATE = click.DateTime(["%Y-%m-%d"])


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@path_option(
    "--schema",
    metavar="DIR|FILE",
    help="Schema: folder with relations.csv and classes.csv, such a table, or SHACL shapes (.ttl).",
)
@path_option(
    "--types",
    metavar="FILE",
    help="Classes of entities: entity, tab, classes separated by |. Default: DIR/types.tsv.",
)
@click.option(
    "--history",
    multiple=True,
    metavar="FILE",
    help="Earlier facts: used as context, not checked themselves. Repeatable.",
)
@click.option(
    "--certificates",
    multiple=True,
    metavar="FILE",
    help="Certificates of the facts (facts.jsonl of forecast) to check. Repeatable.",
)
@click.option(
    "--window", nargs=2, type=_DATE, metavar="FROM TO", help="First and last allowed day."
)
@click.option("--exclusive", is_flag=True, help="Enforce one object at a time.")
@click.option(
    "--exclusive-column",
    metavar="NAME",
    help="Column that marks exclusive relations. Default: exclusive, else exclusive_in_code.",
)
@click.option(
    "--require-types", is_flag=True, help="Report entities without a class as violations."
)
@click.option(
    "--whole-history",
    is_flag=True,
    help="Treat the history as complete: an end without a start is a violation.",
)
@checking
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    paths: tuple[str, ...],
    schema: Path | None,
    types: Path | None,
    history: tuple[str, ...],
    certificates: tuple[str, ...],
    window: tuple[datetime, datetime] | None,
    exclusive: bool,
    exclusive_column: str | None,
    require_types: bool,
    whole_history: bool,
    report: Path | None,
    show: int,
    as_json: bool,
) -> None:
    """Check dated facts: nothing starts while open, nothing ends unless open, classes fit.

    Files contain Python literals (*.references.txt), TSV or JSON Lines, with a date or an interval
    per fact. An ASP encoding decides and an independent sweep over the facts cross-checks it. A
    folder written by forecast is checked with its own history, window and certificates.

    \b
    Examples:
      python -m solver verify --kind facts examples/facts/right.tsv --schema examples/facts/schema
      python -m solver verify --kind facts examples/facts/flawed.references.txt --exclusive
      python -m solver verify --kind facts FOLDER_OF_FORECAST --schema DIR
      python -m solver verify --kind facts FILE --window 2026-01-01 2026-12-31 --report DIR
    """  # noqa: D301 - click reads the backslash
    from solver.facts.verify import FactSettings
    from solver.verification.run import verify

    needing = {"types": types, "require-types": require_types, "exclusive-column": exclusive_column}
    for name, value in needing.items():
        if value and schema is None and not any(Path(path).is_dir() for path in paths):
            raise click.UsageError(f"--{name} needs --schema.")
    settings = FactSettings(
        schema=schema,
        types=types,
        history=history,
        window=_window(window),
        exclusive=exclusive,
        require_types=require_types,
        whole_history=whole_history,
        marks=exclusive_column,
        certificates=certificates,
    )
    result = verify(paths, Kind.FACTS, config=settings)
    ctx.exit(finish(result, report=report, show=show, as_json=as_json))


def _window(days: tuple[datetime, datetime] | None) -> Window | None:
    from solver.facts.model import Window

    if not days:
        return None
    first, last = (day.toordinal() for day in days)
    if last < first:
        raise click.BadParameter("the window ends before it begins", param_hint="--window")
    return Window(first=first, last=last)
