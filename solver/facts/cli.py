"""``verify --kind facts``: checks dated facts for temporal coherency and schema conformance."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.cli.verification import checking, finish

if TYPE_CHECKING:
    from solver.facts.model import Window
    from solver.facts.verify import FactSettings
    from solver.report.model import Section
    from solver.verification.checked import Violation

_DATE = click.DateTime(["%Y-%m-%d"])
_SHOWN = 200


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--schema",
    type=click.Path(path_type=Path),
    metavar="DIR|FILE",
    help="Schema: folder with relations.csv and classes.csv, such a table, or SHACL shapes (.ttl).",
)
@click.option(
    "--types",
    type=click.Path(path_type=Path),
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
def command(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401
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
    from solver.facts.verify import ENGINES, check

    files, settings = _read_options(paths, options)
    done = check(files, settings)
    config = {
        "engines": list(ENGINES),
        "history": list(settings.history),
        "exclusive": settings.exclusive,
        "require_types": settings.require_types,
        "schema": None if settings.schema is None else str(settings.schema),
        "whole_history": settings.whole_history,
        "certificates": list(settings.certificates),
        "window": _days(settings.window),
    }
    sections = _sections(done.noted)
    ctx.exit(
        finish(
            done.checked, options, config=config, encodings=settings.encodings, sections=sections
        )
    )


def _read_options(
    paths: tuple[str, ...], options: dict[str, Any]
) -> tuple[list[str], FactSettings]:
    """The files and settings; a forecast folder supplies its own."""
    from solver.facts.verify import FactSettings, forecast_folder

    settings = FactSettings(
        schema=options["schema"],
        types=options["types"],
        history=options["history"],
        window=_window(options["window"]),
        exclusive=options["exclusive"],
        require_types=options["require_types"],
        whole_history=options["whole_history"],
        marks=options["exclusive_column"],
        certificates=options["certificates"],
    )
    files: list[str] = []
    for path in paths:
        file = path
        if Path(path).is_dir():
            file, settings = forecast_folder(Path(path), settings)
        files.append(file)
    if settings.schema is None:
        for name in ("types", "require_types", "exclusive_column"):
            if options[name]:
                option = name.replace("_", "-")
                raise click.UsageError(f"--{option} needs --schema.")
    return files, settings


def _window(days: Any) -> Window | None:  # noqa: ANN401
    from solver.facts.model import Window

    if not days:
        return None
    first, last = (day.toordinal() for day in days)
    if last < first:
        raise click.BadParameter("the window ends before it begins", param_hint="--window")
    return Window(first=first, last=last)


def _days(window: Window | None) -> list[str]:
    """The first and the last day, in ISO format."""
    if window is None:
        return []
    return [date.fromordinal(day).isoformat() for day in (window.first, window.last)]


def _sections(noted: tuple[Violation, ...]) -> tuple[Section, ...]:
    """The report section on findings that are not violations."""
    if not noted:
        return ()
    from solver.report.model import Section, Table

    left = len(noted) - _SHOWN
    return (
        Section(
            title="Noted, not violations",
            text=f"The first {_SHOWN}; {left:,} more." if left > 0 else "",
            tables=(
                Table(
                    columns=("where", "code", "message"),
                    rows=tuple((one.where, one.code, one.message) for one in noted[:_SHOWN]),
                ),
            ),
        ),
    )
