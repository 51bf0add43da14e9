"""Prints the tables of a report on the terminal."""

from __future__ import annotations

from collections.abc import Collection

from solver.report.model import Table
from solver.report.page import printable

_PIPED_WIDTH = 140
"""Width of a table that is not printed on a terminal."""


def print_table(table: Table, title: str = "", *, left: Collection[str] = ()) -> None:
    """Print a compact table; the best cells are bold.

    Args:
        table: the table; its first column holds names.
        title: title above it.
        left: further columns of text, which are left-aligned; all others are right-aligned.
    """
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for number, name in enumerate(table.columns):
        text = number == 0 or name in left
        shown.add_column(name, justify="left" if text else "right", no_wrap=number == 0)
    for y, row in enumerate(table.rows):
        shown.add_row(
            *(
                Text(str(printable(str(cell))), style="bold" if (y, x) in table.best else "")
                for x, cell in enumerate(row)
            )
        )
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_PIPED_WIDTH)
    console.print(shown)
