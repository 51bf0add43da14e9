"""What the commands that measure print and make alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.writing.atomic import OutputError, atomic

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_SHOWN = 20
_PIPED_WIDTH = 140
"""Columns of text that no terminal limits."""


def wide_console() -> Console:
    """A console as wide as the terminal, or wide enough for any table of ours in a pipe."""
    from rich.console import Console

    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=_PIPED_WIDTH)


def narrow_table(title: str, first: str, columns: Sequence[str]) -> Table:
    """A table of names and figures with many columns."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column(first, no_wrap=True)
    for name in columns:
        table.add_column(name, justify="right")
    return table


def print_json(value: object) -> None:
    """Print one JSON object, indented, its keys sorted."""
    import msgspec

    encoded = msgspec.json.encode(value, order="sorted")
    click.echo(msgspec.json.format(encoded, indent=2))


def tell_unparsed(messages: Sequence[str]) -> None:
    """Tell on stderr which rows do not read as items, the first ones in full."""
    for message in messages[:_SHOWN]:
        click.echo(f"unparsed: {message}", err=True)
    if len(messages) > _SHOWN:
        click.echo(f"unparsed: {len(messages) - _SHOWN:,} more", err=True)


def made_folder(folder: Path) -> Path:
    """The folder, made if it is not there.

    Raises:
        OutputError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot be made: {error.strerror}", where=str(folder)) from None
    return folder


def write_lines(lines: Iterable[bytes], out: Path | None) -> None:
    """Write lines to a file, whole or not at all, or else to standard output."""
    if out is None:
        for one in lines:
            click.echo(one, nl=False)
        return
    with atomic(out) as file:
        for one in lines:
            file.write(one)
