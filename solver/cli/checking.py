"""What ``verify`` does alike for every kind of file: options, telling, the report, the status."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from solver.cli.outputs import NewFolder
from solver.errors import ExitStatus
from solver.verify.checked import Checked

if TYPE_CHECKING:
    from solver.report.sheet import Section

Command = TypeVar("Command", bound=Callable[..., Any])
_TOLD = 20

_OPTIONS = (
    click.option(
        "--report",
        type=NewFolder(),
        metavar="DIR",
        help="Write manifest.json, summary.json, violations.jsonl and report.html there.",
    ),
    click.option(
        "--show",
        type=click.IntRange(0, 1_000),
        default=5,
        show_default=True,
        help="Violations to print with what shows them.",
    ),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."),
)


def checking(command: Command) -> Command:
    """Give a command of a kind the options that ``finish`` takes."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def finish(
    checked: Checked,
    options: Mapping[str, Any],
    *,
    config: Mapping[str, object],
    encodings: tuple[str, ...],
    sections: tuple[Section, ...] = (),
) -> ExitStatus:
    """Tell what a check found, write the report that was asked for, and give the exit status.

    Args:
        checked: the outcome.
        options: of the command: ``report``, ``show`` and ``as_json``.
        config: how the check was asked to decide, for the manifest.
        encodings: those that decided, for the manifest.
        sections: further parts of the page: tables and plots of this kind.
    """
    from solver.cli.printing import print_json

    for message in checked.unreadable[:_TOLD]:
        click.echo(message, err=True)
    if len(checked.unreadable) > _TOLD:
        click.echo(f"and {len(checked.unreadable) - _TOLD:,} more", err=True)
    if options["as_json"]:
        print_json(checked.as_json())
    else:
        _show(checked, options["show"], reported=options["report"] is not None)
    if options["report"] is not None:
        from solver.verify.checked_report import write_report

        page = write_report(
            checked, options["report"], config=config, encodings=encodings, sections=sections
        )
        click.echo(f"report: {page}", err=True)
    if checked.unreadable:
        return ExitStatus.UNREADABLE
    return ExitStatus.VIOLATIONS if checked.violations else ExitStatus.OK


def _show(checked: Checked, shown: int, *, reported: bool) -> None:
    from rich.text import Text

    from solver.cli.printing import wide_console

    console = wide_console()
    engines = f", engines {' = '.join(checked.engines)}" if checked.engines else ""
    names = ", ".join(checked.files)
    told = f": {checked.counted}{engines}"
    console.print(Text.assemble((names, "bold"), told), soft_wrap=True)
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
