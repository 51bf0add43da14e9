"""Shared by all kinds of ``verify``: options, printed result, report and exit status."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from grammar.errors import ExitStatus
from solver.cli.options import NewFolder
from solver.verification.checked import VerifyReport

if TYPE_CHECKING:
    from solver.report.model import Section

Command = TypeVar("Command", bound=Callable[..., Any])
_MAX_MESSAGES = 20

_OPTIONS = (
    click.option(
        "--report",
        type=NewFolder(),
        metavar="DIR",
        help="Write manifest.json, summary.json, violations.jsonl and report.html to DIR.",
    ),
    click.option(
        "--show",
        type=click.IntRange(0, 1_000),
        default=5,
        show_default=True,
        help="Number of violations to print with their certificates.",
    ),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."),
)


def checking(command: Command) -> Command:
    """Add the options that ``finish`` takes to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def finish(
    checked: VerifyReport,
    options: Mapping[str, Any],
    *,
    config: Mapping[str, object],
    encodings: tuple[str, ...],
    sections: tuple[Section, ...] = (),
) -> ExitStatus:
    """Print the result of a check, write the report if requested, and return the exit status.

    Args:
        checked: the result.
        options: options of the command: ``report``, ``show`` and ``as_json``.
        config: settings of the check, for the manifest.
        encodings: encodings used, for the manifest.
        sections: additional tables and plots for the page.
    """
    from solver.cli.printing import print_json

    for message in checked.unreadable[:_MAX_MESSAGES]:
        click.echo(message, err=True)
    if len(checked.unreadable) > _MAX_MESSAGES:
        click.echo(f"and {len(checked.unreadable) - _MAX_MESSAGES:,} more", err=True)
    if options["as_json"]:
        print_json(checked.as_json())
    else:
        _show(checked, options["show"], reported=options["report"] is not None)
    if options["report"] is not None:
        from solver.verification.checked import write_report

        page = write_report(
            checked, options["report"], config=config, encodings=encodings, sections=sections
        )
        click.echo(f"report: {page}", err=True)
    if checked.unreadable:
        return ExitStatus.UNREADABLE
    return ExitStatus.VIOLATIONS if checked.violations else ExitStatus.OK


def _show(checked: VerifyReport, shown: int, *, reported: bool) -> None:
    from rich.text import Text

    from solver.cli.printing import wide_console

    console = wide_console()
    engines = f", engines {' = '.join(checked.engines)}" if checked.engines else ""
    names = ", ".join(checked.files)
    counts = f": {checked.counted}{engines}"
    console.print(Text.assemble((names, "bold"), counts), soft_wrap=True)
    for name, value in checked.figures.items():
        if not isinstance(value, Mapping | list | tuple):
            console.print(f"{name.replace('_', ' ')}: {_figure(value)}", soft_wrap=True)
    for one in checked.violations[:shown]:
        console.print()
        console.print(Text.assemble((one.where, "bold"), f": {one.code}"), soft_wrap=True)
        console.print(Text(f"  {one.message}"), soft_wrap=True)
        for name, value in one.certificate.items():
            console.print(Text(f"  {name.replace('_', ' ')}: {value}"), soft_wrap=True)
    console.print()
    if checked.unreadable and not checked.violations:
        console.print(Text.assemble(("unread: ", "bold red"), checked.unread), soft_wrap=True)
        return
    if not checked.violations:
        console.print(Text.assemble(("right: ", "bold green"), checked.right), soft_wrap=True)
        return
    counts = ", ".join(f"{count:,} {code}" for code, count in checked.counts().items())
    console.print(Text.assemble(("flawed: ", "bold red"), counts), soft_wrap=True)
    if len(checked.violations) > shown and not reported:
        console.print("--report DIR shows all of them", style="dim")


def _figure(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)
