"""The option of the commands that draw, and the writing of what they drew."""

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
    help="Draw it into FILE: SVG, or PNG or PDF by the file's ending.",
)


def write_drawing(path: Path, *, draw: Callable[[], str], picture: Callable[[str], bytes]) -> None:
    """Write a drawing in the format of the file's name; SVG if the name says none.

    Args:
        path: where to.
        draw: gives the text of an SVG file.
        picture: gives the bytes of a file in one of ``PICTURE_FORMATS``.
    """
    from solver.drawing.rendering import PICTURE_FORMATS
    from solver.writing import atomic

    form = path.suffix.removeprefix(".").lower()
    other = form in PICTURE_FORMATS and form != "svg"
    drawn = picture(form) if other else draw().encode()
    with atomic(path) as file:
        file.write(drawn)
    click.echo(f"drawn: {path}", err=True)
