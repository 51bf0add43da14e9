"""Printing and writing shared by several commands."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from grammar.errors import printable, printable_lines
from solver.io.sources import output_name
from solver.io.writing import atomic, make_folder

if TYPE_CHECKING:
    from rich.table import Table

    from solver.report.explanation import WrittenExplanation


_SHOWN = 20


def narrow_table(title: str, first: str, columns: Sequence[str]) -> Table:
    """A compact table of names and numbers with many columns."""
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

    from solver.dataset.seal import unsealed_as_json

    if isinstance(value, Mapping):
        value = {**value, **unsealed_as_json()}
    encoded = msgspec.json.encode(value, order="sorted")
    # In JSON the escapes mean the same characters.
    click.echo(printable_lines(msgspec.json.format(encoded, indent=2).decode()).encode())


class ReportedRun(Protocol):
    """The result of a command that can write a report."""

    def as_json(self) -> dict[str, Any]:
        """All figures."""


Run = TypeVar("Run", bound=ReportedRun)


def finish_run(
    run: Run,
    *,
    as_json: bool,
    show: Callable[[], object],
    report: Path | None,
    write: Callable[[Run, Path], Path],
) -> None:
    """Write the report if requested, and then print the result.

    Args:
        run: the result.
        as_json: whether to print one JSON object.
        show: prints the result as text.
        report: folder of the report.
        write: writes a report to a folder and returns its page.
    """
    if report is not None:
        page = write(run, make_folder(report))
        click.echo(f"report: {output_name(page)}", err=True)
    if as_json:
        print_json(run.as_json())
    else:
        show()


def print_unparsed(messages: Sequence[str]) -> None:
    """Report rows that cannot be parsed on stderr, the first ones in full."""
    for message in messages[:_SHOWN]:
        click.echo(f"unparsed: {printable(message)}", err=True)
    if len(messages) > _SHOWN:
        click.echo(f"unparsed: {len(messages) - _SHOWN:,} more", err=True)


def write_lines(lines: Iterable[bytes], out: Path | None) -> None:
    """Write lines to a file, atomically, or else to standard output."""
    if out is None:
        shown = sys.stdout is not None and sys.stdout.isatty()
        for line in lines:
            click.echo(printable_lines(line.decode()) if shown else line, nl=False)
        return
    with atomic(out) as file:
        for line in lines:
            file.write(line)


@contextmanager
def progress(
    noun: str, total: int | None = None, files: Sequence[str] = ()
) -> Iterator[Callable[[int], object] | None]:
    """Show a progress bar; yields a callback that takes the number of newly finished items.

    Args:
        noun: what is counted, in the plural.
        total: their number, if it is known.
        files: without a number, files with about one item a line, if all are plain files.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    of_all = "" if total is None else f" of {total:,}"
    if total is None and files and (total := _lines_of(files)) is not None:
        of_all = f" of about {total:,}"
    columns: list[ProgressColumn] = [
        SpinnerColumn(),
        TextColumn(f"{{task.completed:,}}{of_all} {noun}"),
        BarColumn(),
        TimeElapsedColumn(),
    ]
    if total is not None:
        columns += [TextColumn("left:"), TimeRemainingColumn()]
    with Progress(*columns, console=Console(file=sys.__stderr__), transient=True) as bar:
        task = bar.add_task(noun, total=total)
        yield lambda finished: bar.advance(task, finished)


def _lines_of(files: Sequence[str]) -> int | None:
    """Number of lines of files; None unless all of them are plain files of lines."""
    number = 0
    for path in map(Path, files):
        if path.suffix not in _LINES or not path.is_file():
            return None
        try:
            with path.open("rb") as file:
                blocks = iter(partial(file.read, 1 << 20), b"")
                number += sum(block.count(b"\n") for block in blocks)
        except OSError:
            return None
    return number


_LINES = (".jsonl", ".tsv", ".csv", ".txt")


def note_skipped(what: str, *modules: str) -> None:
    """Print a note if a module is missing: ``what`` is left out, and this extra installs it."""
    from solver.extras import available, distribution, install_hint

    missing = [name for name in modules if not available(name)]
    if missing:
        name = distribution(missing[0])
        click.echo(f"note: {what} without {name} ({install_hint(missing[0])})", err=True)


def write_drawing(path: Path, picture: Callable[[str], bytes | None], nothing: str = "") -> None:
    """Write a drawing in the format given by the file's suffix, SVG by default.

    Args:
        path: output file.
        picture: returns the bytes of a file in one of ``PICTURE_FORMATS``.
        nothing: message on stderr if there is nothing to draw.
    """
    from solver.drawing.canvas import PICTURE_FORMATS

    form = path.suffix.removeprefix(".").lower()
    drawn = picture(form if form in PICTURE_FORMATS else "svg")
    if drawn is None:
        click.echo(nothing, err=True)
        return
    with atomic(path) as file:
        file.write(drawn)
    click.echo(f"drawn: {path}", err=True)


def print_explanation(
    explanation: WrittenExplanation, *, drawing: Path | None, as_json: bool, nothing: str = ""
) -> None:
    """Write the drawing of an explanation if requested, and print the explanation.

    Args:
        explanation: the explanation.
        drawing: file of the drawing.
        as_json: whether to print one JSON object.
        nothing: message on stderr if there is nothing to draw.
    """
    if drawing is not None:
        write_drawing(drawing, explanation.picture, nothing)
    if as_json:
        print_json(explanation.as_json())
        return
    from solver.io.terminal import folded

    for line in explanation.lines():
        for part in folded(line):
            click.echo(part)
