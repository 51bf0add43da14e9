"""Writes docs/cli.md, the help page of every command.

python -m benchmarks.reproduction.command_reference
"""

from __future__ import annotations

from collections.abc import Iterator

import click

from benchmarks.reproduction import ROOT
from grammar.errors import ExitStatus
from solver.cli import cli
from solver.cli.program import PROGRAM, DelegatingCommand, ProgramContext, load_command

PAGE = ROOT / "docs" / "cli.md"
WIDTH = 100
_LEAD = """\
# Commands

The help page of every command, as `--help` prints it. `hopcheck`, the installed program, has the
same commands as `python -m solver`. `python -m benchmarks.reproduction.command_reference` writes
this page.

| exit status | meaning, for all commands |
|---|---|
"""


def reference() -> str:
    """The page as Markdown."""
    statuses = "".join(f"| {status.value} | {status.meaning} |\n" for status in ExitStatus)
    sections = (
        f"\n## {name}\n\n```text\n{text}\n```\n" for name, text in help_pages(cli, PROGRAM, None)
    )
    return _LEAD + statuses + "".join(sections)


def help_pages(
    command: click.Command, name: str, parent: click.Context | None
) -> Iterator[tuple[str, str]]:
    """The name and the help page of a command, and of all commands that it leads to."""
    context = ProgramContext(
        command,
        info_name=name,
        parent=parent,
        terminal_width=WIDTH,
        help_option_names=["-h", "--help"],
    )
    yield context.command_path.removeprefix(f"{PROGRAM} "), context.get_help()
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            if found is not None:
                yield from help_pages(found, inner, context)
    if isinstance(command, DelegatingCommand):
        for words, place in command.chooser.places.items():
            yield from help_pages(load_command(place), f"{name} {words}", parent)


def main() -> None:
    """Write the page."""
    from solver.io.writing import atomic

    with atomic(PAGE) as file:
        file.write(reference().encode())


if __name__ == "__main__":
    main()
