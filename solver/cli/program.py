"""The name of the program as it was called, for help texts, errors and hints.

Texts that show a command line name the program ``python -m solver``; users see the name they
called.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

import click

PROGRAM = "python -m solver"


def program_name(path: str) -> str:
    """The program's name, from ``sys.argv[0]``: ``hopcheck``, or ``python -m PACKAGE``."""
    called = PurePath(path)
    if called.name == "__main__.py":
        return f"python -m {called.parent.name}"
    return called.stem if called.suffix == ".exe" else called.name


def as_called(text: str, program: str | None = None) -> str:
    """The text with the program's name as it was called.

    Args:
        text: names the program as ``PROGRAM``.
        program: its name; by default that of the command which runs.
    """
    return text.replace(PROGRAM, program or _current(click.get_current_context(silent=True)))


def _current(context: click.Context | None) -> str:
    root = None if context is None else context.find_root()
    # A command that is invoked by itself, as in a test, has no other name than its own.
    if root is None or root.info_name in (None, root.command.name):
        return PROGRAM
    return str(root.info_name)


class ProgramContext(click.Context):
    """The context of a command; its help names the program as it was called."""

    def make_formatter(self) -> click.HelpFormatter:
        """The formatter of a help page."""
        formatter = ProgramFormatter(width=self.terminal_width, max_width=self.max_content_width)
        formatter.program = _current(self)
        return formatter


class ProgramFormatter(click.HelpFormatter):
    """Writes help pages; ``program`` is the name to show."""

    program = PROGRAM

    def write_text(self, text: str) -> None:
        """Write a paragraph."""
        super().write_text(as_called(text, self.program))

    def write_dl(self, rows: Any, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - passed on
        """Write a list of options or commands."""
        named = [
            (as_called(one, self.program), as_called(other, self.program)) for one, other in rows
        ]
        super().write_dl(named, *arguments, **options)


def named_as_called(command: click.Command) -> click.Command:
    """Have the help of a command and of its sub-commands name the program as it was called."""
    command.context_class = ProgramContext
    if isinstance(command, click.Group):
        for other in command.commands.values():
            named_as_called(other)
    return command
