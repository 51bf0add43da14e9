"""``verify --kind facts``: checks dated facts against time, a schema and each other."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.cli.checking import checking, finish

if TYPE_CHECKING:
    from solver.report.sheet import Section
    from solver.temporal_facts.case import Window
    from solver.verify.checked import Violation
    from solver.verify.facts import Asked

_DATE = click.DateTime(["%Y-%m-%d"])
_SHOWN = 200


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--schema",
    type=click.Path(path_type=Path),
    metavar="DIR|FILE",
    help="A folder with relations.csv and classes.csv, such a table, or SHACL shapes (.ttl).",
)
@click.option(
    "--types",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Classes of entities: entity, tab, classes parted by |. Default: DIR/types.tsv.",
)
@click.option(
    "--history",
    multiple=True,
    metavar="FILE",
    help="Facts that came before; they count and are not judged. May be given again.",
)
@click.option(
    "--certificates",
    multiple=True,
    metavar="FILE",
    help="Rules and groundings of the facts (facts.jsonl of forecast); all are replayed.",
)
@click.option("--window", nargs=2, type=_DATE, metavar="FROM TO", help="Days that facts are dated.")
@click.option("--exclusive", is_flag=True, help="One object at a time is a must, too.")
@click.option(
    "--exclusive-column",
    metavar="NAME",
    help="Column that marks exclusive relations. Default: exclusive, or exclusive_in_code.",
)
@click.option("--require-types", is_flag=True, help="Refuse entities without a class.")
@click.option(
    "--whole-history",
    is_flag=True,
    help="All that ever started is given: an end without a start is wrong.",
)
@checking
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401
    """Check dated facts: nothing starts that is open, nothing ends that is not; classes fit.

    Files hold Python literals (*.references.txt), TSV or JSON Lines, with a date or an interval.
    Decided in ASP, and by a sweep over the facts that has to find the same. A folder of forecast is
    checked with its history, window and certificates, as it was made.

    \b
    Examples:
      python -m solver verify --kind facts examples/facts/right.tsv --schema examples/facts/schema
      python -m solver verify --kind facts examples/facts/flawed.references.txt --exclusive
      python -m solver verify --kind facts FOLDER_OF_FORECAST --schema DIR
      python -m solver verify --kind facts FILE --window 2026-01-01 2026-12-31 --report DIR
    """  # noqa: D301 - click reads the backslash
    from solver.verify.facts import ENGINES, check

    files, how = _asked(paths, options)
    done = check(files, how)
    config = {
        "engines": list(ENGINES),
        "history": list(how.history),
        "exclusive": how.exclusive,
        "require_types": how.require_types,
        "schema": None if how.schema is None else str(how.schema),
        "whole_history": how.whole_history,
        "certificates": list(how.certificates),
        "window": _days(how.window),
    }
    sections = _sections(done.noted)
    ctx.exit(
        finish(done.checked, options, config=config, encodings=how.encodings, sections=sections)
    )


def _asked(paths: tuple[str, ...], options: dict[str, Any]) -> tuple[list[str], Asked]:
    """The files of facts, and how they are checked; folders of forecast say it themselves."""
    from solver.verify.facts import Asked
    from solver.verify.facts_folder import of_folder

    how = Asked(
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
            file, how = of_folder(Path(path), how)
        files.append(file)
    if how.schema is None:
        for name in ("types", "require_types", "exclusive_column"):
            if options[name]:
                option = name.replace("_", "-")
                raise click.UsageError(f"--{option} needs --schema, which holds the classes.")
    return files, how


def _window(days: Any) -> Window | None:  # noqa: ANN401
    from solver.temporal_facts.case import Window

    if not days:
        return None
    first, last = (day.toordinal() for day in days)
    if last < first:
        raise click.BadParameter("the window ends before it begins", param_hint="--window")
    return Window(first=first, last=last)


def _days(window: Window | None) -> list[str]:
    """The first day and the last one."""
    if window is None:
        return []
    return [date.fromordinal(day).isoformat() for day in (window.first, window.last)]


def _sections(noted: tuple[Violation, ...]) -> tuple[Section, ...]:
    """What is told beside violations, as a part of the page."""
    if not noted:
        return ()
    from solver.report.sheet import Section, Table

    left = len(noted) - _SHOWN
    return (
        Section(
            title="Noted, and no violation",
            text=f"The first {_SHOWN}; {left:,} more." if left > 0 else "",
            table=Table(
                columns=("where", "code", "what is noted"),
                rows=tuple((one.where, one.code, one.message) for one in noted[:_SHOWN]),
            ),
        ),
    )
