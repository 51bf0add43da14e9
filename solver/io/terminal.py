"""Prints the tables of a report on the terminal."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table as RichTable
from rich.text import Text

from grammar.errors import printable, printable_lines

if TYPE_CHECKING:
    from solver.report.model import Table

_PIPED_WIDTH = 140
"""Width of text that is not written to a terminal."""


LONGEST = 200
"""Characters of the longest line that is printed."""


def folded(text: str, indent: str = "") -> list[str]:
    """A text in lines of at most ``LONGEST`` characters; further lines are indented by two more."""
    if len(indent) + len(text) <= LONGEST:
        return [f"{indent}{text}"]
    return textwrap.wrap(
        text,
        LONGEST,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_on_hyphens=False,
    )


class SafeConsole(Console):
    """A console that escapes the control characters of all it prints."""

    def __init__(self, *, width: int | None = None, soft_wrap: bool = False) -> None:
        # Only a console that escapes everything else may write escape sequences of its own.
        styled = getattr(sys.stdout, "styled", None)
        super().__init__(
            file=styled, width=width, soft_wrap=soft_wrap, highlight=False, markup=False
        )

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Render as segments."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            yield segment if control else Segment(printable_lines(text), style)


def print_last(console: Console, text: str) -> None:
    """Print the last line of a run; in a pipe it is one line, whatever its length."""
    for line in folded(text) if console.is_terminal else [text]:
        console.print(Text(line), soft_wrap=True)


def wide_console() -> Console:
    """A console as wide as the terminal; in a pipe, wide enough for all our tables."""
    found = SafeConsole()
    return found if found.is_terminal else SafeConsole(width=_PIPED_WIDTH)


def print_table(table: Table, title: str = "", *, left: Collection[str] = ()) -> None:
    """Print a compact table; the best cells are bold.

    Args:
        table: the table; its first column holds names.
        title: title above it.
        left: further columns of text, which are left-aligned; all others are right-aligned.
    """
    shown = RichTable(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for number, name in enumerate(table.columns):
        text = number == 0 or name in left
        shown.add_column(name, justify="left" if text else "right", no_wrap=number == 0)
    for y, row in enumerate(table.rows):
        shown.add_row(
            *(
                Text(printable(str(cell)), style="bold" if (y, x) in table.best else "")
                for x, cell in enumerate(row)
            )
        )
    wide_console().print(shown)
