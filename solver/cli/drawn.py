"""The option ``--svg`` of the commands that draw, and writing the drawing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from solver.cli.outputs import NewFile

svg = click.option(
    "--svg",
    "drawing",
    type=NewFile(),
    metavar="FILE",
    help="Write a drawing to FILE: SVG, or PNG or PDF by the file's suffix.",
)


def write_drawing(path: Path, *, draw: Callable[[], str], picture: Callable[[str], bytes]) -> None:
    """Write a drawing in the format given by the file's suffix, SVG by default.

    Args:
        path: output file.
        draw: returns SVG text.
        picture: returns the bytes of a file in one of ``PICTURE_FORMATS``.
    """
    from solver.drawing.rendering import PICTURE_FORMATS
    from solver.writing import atomic

    form = path.suffix.removeprefix(".").lower()
    other = form in PICTURE_FORMATS and form != "svg"
    drawn = picture(form) if other else draw().encode()
    with atomic(path) as file:
        file.write(drawn)
    click.echo(f"drawn: {path}", err=True)
