"""``verify``: checks files of any kind and reports what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from grammar.errors import ExitStatus, printable
from solver.cli.options import (
    NewFolder,
    as_json,
    number_option,
)
from solver.cli.program import Chooser, by_value
from solver.io.sources import output_name
from solver.verification.report import Kind, agreeing, detect

if TYPE_CHECKING:
    from solver.verification.report import VerifyReport


MODULES = {
    Kind.LINKS: "solver.links.cli:verify",
    Kind.PATTERNS: "solver.patterns.cli:verify",
    Kind.TKG: "solver.tkg.cli",
    Kind.FACTS: "solver.facts.cli",
    Kind.TEXTS: "solver.texts.cli",
    Kind.QUESTIONS: "solver.questions.cli:verify",
}
"""Kinds with their own options, and the module of each."""

_FLAGS = (
    "--json",
    "--fail-fast",
    "--regenerate",
    "--exclusive",
    "--require-types",
    "--whole-history",
)
"""Options without a value."""

_stated = by_value("--kind", {kind.value: place for kind, place in MODULES.items()})
_stated_before = by_value("--kind", {"text": MODULES[Kind.TEXTS]})


def _by_kind(args: list[str]) -> tuple[str, list[str]] | None:
    """Choose by ``--kind``, which is removed, or else by the first path."""
    stated = _stated(args) or _stated_before(args)
    if stated or any(word.partition("=")[0] in ("--kind", "--help", "-h") for word in args):
        return stated
    kind = detect([_first_path(args)])
    return (MODULES[kind], args) if kind in MODULES else None


def _first_path(args: list[str]) -> str:
    """The first word that is a path and no value of an option; ``-`` if there is none."""
    for before, word in zip(("", *args), args, strict=False):
        named = before.startswith("--") and "=" not in before and before not in _FLAGS
        if not named and not word.startswith("-") and Path(word).exists():
            return word
    return "-"


Command = TypeVar("Command", bound=Callable[..., Any])
_MAX_MESSAGES = 20


def result_options(rows: str, shown: int, most: int) -> Callable[[Command], Command]:
    """Add the options that ``finish`` takes to a command.

    Args:
        rows: file of the report that lists what was found.
        shown: default of ``--show``.
        most: maximum of ``--show``.
    """
    options = (
        click.option(
            "--report",
            type=NewFolder(),
            metavar="DIR",
            help=f"Write manifest.json, summary.json, {rows} and report.html to DIR.",
        ),
        number_option(
            "--show",
            default=shown,
            low=0,
            high=most,
            help="Number of findings to print with their certificates.",
        ),
        as_json,
    )

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


checking = result_options("violations.jsonl", 5, 1_000)


def finish(result: VerifyReport, *, report: Path | None, show: int, as_json: bool) -> ExitStatus:
    """Print a result, write the report if requested, and return the exit status.

    Args:
        result: the result of ``verify``.
        report: folder of the report.
        show: number of findings to print.
        as_json: whether to print one JSON object.
    """
    from solver.cli.printing import print_json

    for message in result.unreadable[:_MAX_MESSAGES]:
        click.echo(printable(str(message)), err=True)
    if len(result.unreadable) > _MAX_MESSAGES:
        click.echo(f"and {len(result.unreadable) - _MAX_MESSAGES:,} more", err=True)
    page = None if report is None else result.write(report)
    if as_json:
        print_json(result.as_json())
    else:
        _show(result, show, reported=page is not None)
    if page is not None:
        click.echo(f"report: {output_name(page)}", err=True)
    return result.exit_status


def _show(result: VerifyReport, shown: int, *, reported: bool) -> None:
    from rich.text import Text

    from solver.io.terminal import wide_console

    console = wide_console()
    engines = f", {agreeing(result.engines)}" if result.engines else ""
    names = ", ".join(result.files)
    counts = f": {result.counted}{engines}"
    console.print(Text.assemble((names, "bold"), counts), soft_wrap=True)
    for name, value in result.metrics.items():
        if not isinstance(value, Mapping | list | tuple):
            console.print(f"{name.replace('_', ' ')}: {_figure(value)}", soft_wrap=True)
    for one in result.findings[:shown]:
        console.print()
        console.print(
            Text.assemble((printable(one.where), "bold"), f": {one.code}"), soft_wrap=True
        )
        console.print(Text(f"  {printable(one.message)}"), soft_wrap=True)
        for name, value in one.certificate.items():
            console.print(
                Text(f"  {name.replace('_', ' ')}: {printable(str(value))}"), soft_wrap=True
            )
    console.print()
    if result.unreadable and not result.findings:
        console.print(Text.assemble(("unread: ", "bold red"), result.unread), soft_wrap=True)
        return
    if not result.findings:
        console.print(Text.assemble(("right: ", "bold green"), result.passed), soft_wrap=True)
        return
    counts = ", ".join(f"{count:,} {code}" for code, count in result.findings.counts().items())
    console.print(Text.assemble(("flawed: ", "bold red"), counts), soft_wrap=True)
    if len(result.findings) > shown and not reported:
        console.print("--report DIR shows all of them", style="dim")


def _figure(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


by_kind = Chooser(_stated.places, _by_kind)
"""Chooses the command of another kind than items."""
