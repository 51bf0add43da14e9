"""``verify``: checks files of any kind and reports what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from grammar.errors import ExitStatus, printable
from solver.cli.options import NewFolder, as_json, jobs, number_option, on_cluster, probes
from solver.cli.program import Chooser, Place, values_of
from solver.cli.settings import setting_options
from solver.io.sources import output_name
from solver.verification.kinds import (
    KindDeclaration,
    built_in,
    detect,
    find,
    kind_named,
    kinds,
    otherwise,
)
from solver.verification.report import agreeing
from solver.verification.settings import CheckedSettings

if TYPE_CHECKING:
    from rich.console import Console

    from solver.verification.report import VerifyReport


def command_of(kind: KindDeclaration) -> click.Command:
    """The ``verify`` command of a kind: its own, or made from its declaration."""
    return kind.verify() if kind.verify is not None else _made(kind)


def command() -> click.Command:
    """The command of the kind that files are read as if nothing shows it."""
    return command_of(otherwise())


def _by_kind(args: list[str]) -> tuple[Place, list[str]] | None:
    """Choose by ``--kind``, which is removed, or else by the first path."""
    for value, others in values_of("--kind", args):
        kind = find(value)
        if kind is not None and kind.verifier is not None:
            return None if kind.signs.otherwise else (partial(command_of, kind), others)
    if any(word.partition("=")[0] in ("--kind", "--help", "-h") for word in args):
        return None
    kind = _of_paths(args)
    return None if kind.signs.otherwise else (partial(command_of, kind), args)


def _of_paths(args: list[str]) -> KindDeclaration:
    """The kind of the first path; options before it are parsed as those of its kind."""
    first = next((word for word in args if word.startswith("-") or Path(word).exists()), "-")
    if not first.startswith("-"):
        return kind_named(detect([first]))
    if not any(map(_is_path, args)):
        return otherwise()
    for kind in kinds():
        if kind.verifier is not None and _kind_of_words(kind, args) == kind.name:
            return kind
    return kind_named(detect([next(filter(_is_path, args), "-")]))


def _is_path(word: str) -> bool:
    return not word.startswith("-") and Path(word).exists()


def _kind_of_words(kind: KindDeclaration, args: list[str]) -> str | None:
    """The kind of the first path if the arguments are parsed as those of a kind."""
    command = command_of(kind)
    context = click.Context(command, help_option_names=["-h", "--help"])
    try:
        values, _, _ = command.make_parser(context).parse_args(list(args))
    except click.UsageError:
        return None
    given = values["paths"]
    # One path or several; neither if there is none.
    words = [given] if isinstance(given, str) else given if isinstance(given, list | tuple) else ()
    return detect([next(filter(_is_path, words), "-")])


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


_finishing = result_options("violations.jsonl", 5, 1_000)
_map = click.option(
    "--map",
    metavar="NAMES",
    help="Names of columns in the files that differ from the declared fields, FIELD=COLUMN,...",
)
_RUNNING = {"jobs": jobs, "on_cluster": on_cluster, "probes": probes}


def _made(kind: KindDeclaration) -> click.Command:
    """Make the command of a kind from its declaration."""

    @click.pass_context
    def run(
        ctx: click.Context,
        /,
        *,
        paths: tuple[str, ...] | str,
        settings: object | None = None,
        report: Path | None,
        show: int,
        as_json: bool,
        map: str | None = None,
        **running: Any,  # noqa: ANN401 - as the kind declares
    ) -> None:
        from solver.cli.printing import progress
        from solver.io.columns import ColumnNames
        from solver.verification.run import verify

        given = (paths,) if isinstance(paths, str) else paths
        if isinstance(settings, CheckedSettings) and (wrong := settings.usage(given)):
            raise click.UsageError(wrong)
        if map is not None and kind.columns is not None:
            running["columns"] = ColumnNames.parse(map, kind.columns().values())
        with progress(kind.noun) if "jobs" in running else nullcontext() as advance:
            result = verify(
                given, kind.name, config=settings, folder=report, progress=advance, **running
            )
        ctx.exit(finish(result, report=report, show=show, as_json=as_json))

    command = _finishing(run)
    if kind.columns is not None:
        command = _map(command)
    for name in reversed(kind.running):
        command = _RUNNING[name](command)
    if kind.settings is not None:
        command = setting_options("settings", kind.settings())(command)
    many = kind.argument.endswith("...")
    argument = click.argument(
        "paths", nargs=-1 if many else 1, required=True, metavar=kind.argument
    )
    return click.command("verify", help=kind.help)(argument(command))


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
    from solver.io.terminal import print_last, wide_console

    console = wide_console()
    _show_result(console, result, shown, reported=reported)
    if result.scope:
        print_last(console, printable(result.scope))


def _show_result(console: Console, result: VerifyReport, shown: int, *, reported: bool) -> None:
    from rich.text import Text

    from solver.io.terminal import folded

    # Rows that could not be read are not among the rows that are counted.
    engines = f", {agreeing(result.engines)}" if result.engines and result.rows else ""
    names = ", ".join(result.files)
    counts = f": {result.counted}{engines}"
    console.print(Text.assemble((names, "bold"), counts), soft_wrap=True)
    for name, value in result.metrics.items():
        if not isinstance(value, Mapping | list | tuple):
            console.print(f"{name.replace('_', ' ')}: {_figure(value)}", soft_wrap=True)
    for finding in result.findings[:shown]:
        console.print()
        console.print(
            Text.assemble((printable(finding.where), "bold"), f": {finding.code}"), soft_wrap=True
        )
        certificate = (
            f"{name.replace('_', ' ')}: {value}" for name, value in finding.certificate.items()
        )
        for text in (finding.message, *certificate):
            for line in folded(printable(text), "  "):
                console.print(Text(line), soft_wrap=True)
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


by_kind = Chooser(
    {
        f"--kind {kind.name}": partial(command_of, kind)
        for kind in built_in().values()
        if kind.verifier is not None and not kind.signs.otherwise
    },
    _by_kind,
)
"""Chooses the command of a kind."""
