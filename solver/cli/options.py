"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from importlib import import_module
from math import isfinite
from os import fsdecode
from pathlib import Path
from typing import Any, TypeVar

import click

from grammar.eventhop.model import Domain, Policy, SpatialReading
from solver import NAMESPACE
from solver.cli.program import named_as_called
from solver.eventhop.engines import EngineName

MOST_PROCESSES = 256
MOST = 2**31 - 1
"""Largest integer that an option accepts: clingo's limit."""

Value = TypeVar("Value", bound=StrEnum)


class EnumChoice(click.Choice[Value]):
    """A choice among the values of an enum."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:  # noqa: ARG002
        """Write a member on the command line as its value."""
        return str(choice.value if isinstance(choice, StrEnum) else choice)


class CommaSeparated(click.ParamType[tuple[StrEnum, ...]]):
    """Comma-separated members of an enum, deduplicated in the order given; or ``all``."""

    name = "list"

    def __init__(self, values: type[StrEnum]) -> None:
        self._values = values

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[StrEnum, ...]:
        """Return a tuple of the enum's members."""
        if isinstance(value, tuple):
            return value
        if value == "all":
            return tuple(self._values)
        known = [member.value for member in self._values]
        names = [name.strip() for name in str(value).split(",")]
        for name in names:
            if name not in known:
                self.fail(f"{name!r} is not one of {', '.join(known)}.", param, ctx)
        return tuple(dict.fromkeys(self._values(name) for name in names))


class FiniteFloat(click.FloatRange):
    """A finite number in a range; click would accept NaN in any range."""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """Parse the number."""
        number = float(super().convert(value, param, ctx))
        if not isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


policy = click.option(
    "--policy",
    type=EnumChoice(Policy),
    default=Policy.LOCAL,
    show_default=Policy.LOCAL.value,
    help="When a label is undefined: if the premise is contradictory about the claim's own points "
    "(local), about any points (global), or as in the published procedure (published).",
)
spatial = click.option(
    "--spatial",
    type=EnumChoice(SpatialReading),
    default=SpatialReading.GEOMETRIC,
    show_default=SpatialReading.GEOMETRIC.value,
    help="Which edge of a place is its start: the western one (geometric), or the eastern one as "
    "in the published generator (published).",
)
domain = click.option(
    "--domain",
    type=EnumChoice(Domain),
    help="Wording of the texts; detected for each text by default.",
)
crosscheck = click.option(
    "--crosscheck",
    type=CommaSeparated(EngineName),
    default="asp,graph",
    show_default=True,
    metavar="ENGINES",
    help=f"Engines that must agree, of {', '.join(EngineName)}; timelines is for small items.",
)
jobs = click.option(
    "--jobs",
    type=click.IntRange(1, MOST_PROCESSES),
    default=1,
    show_default=True,
    help="Number of worker processes.",
)
as_json = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."
)


class NewFolder(click.Path):
    """An existing folder, or one that can be created with its parents."""

    name = "directory"

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """Return the path; nothing is created yet.

        Raises:
            OutputError: its nearest existing parent is not a folder.
        """
        if not str(value):
            self.fail("the path is empty, expected a folder.", param, ctx)
        path = Path(fsdecode(super().convert(value, param, ctx)))
        from solver.io.writing import OutputError, os_errors_reported

        with os_errors_reported(path):
            above = next(one for one in (path, *path.parents) if one.exists())
            if not above.is_dir():
                raise OutputError("cannot be made: Not a directory", where=str(path))
        return path


class NewFile(click.Path):
    """A file to write into an existing folder."""

    name = "file"

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """Return the path; nothing is written yet.

        Raises:
            OutputError: its parent is not an existing folder.
        """
        if not str(value):
            self.fail("the path is empty, expected a file.", param, ctx)
        path = Path(fsdecode(super().convert(value, param, ctx)))
        from solver.io.writing import os_errors_reported

        with os_errors_reported(path):
            # Raises the system's own error if the folder is missing.
            (path.parent / ".").stat()
            if not path.parent.is_dir():
                raise NotADirectoryError(20, "Not a directory")
        return path


Chooser = Callable[[list[str]], tuple[str, list[str]] | None]
"""Maps arguments to the module of the requested ``command`` and its arguments; None if none."""


class DelegatingCommand(click.Command):
    """A command that delegates to another command for certain arguments.

    Args:
        chooser: chooses the other command; returns None to run this one.
    """

    def __init__(self, *arguments: Any, chooser: Chooser, **options: Any) -> None:  # noqa: ANN401
        super().__init__(*arguments, **options)
        self._chooser = chooser

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401
    ) -> click.Context:
        """Parse the arguments, or let the other command parse them."""
        chosen = self._chooser(args)
        if chosen is None:
            return super().make_context(info_name, args, parent, **extra)
        module, rest = chosen
        command = named_as_called(import_module(NAMESPACE + module).command)
        if rest == args[1:]:
            # The removed word is part of the other command's name.
            info_name = f"{info_name} {args[0]}"
        return command.make_context(info_name, rest, parent, **extra)


def by_value(option: str, modules: dict[str, str]) -> Chooser:
    """Choose by an option's value, ``--kind tkg`` or ``--kind=tkg``, and remove the option."""

    def choose(args: list[str]) -> tuple[str, list[str]] | None:
        for place, word in enumerate(args):
            name, glued, value = word.partition("=")
            if name != option:
                continue
            if not glued:
                value = args[place + 1] if place + 1 < len(args) else ""
            if value in modules:
                after = place + (1 if glued else 2)
                return modules[value], args[:place] + args[after:]
        return None

    return choose


def by_presence(modules: dict[str, str]) -> Chooser:
    """Choose by the first option of ``modules`` that is present."""

    def choose(args: list[str]) -> tuple[str, list[str]] | None:
        given = {word.partition("=")[0] for word in args}
        for option, module in modules.items():
            if option in given:
                return module, args
        return None

    return choose


def by_first(modules: dict[str, str]) -> Chooser:
    """Choose by the first word, and remove it."""

    def choose(args: list[str]) -> tuple[str, list[str]] | None:
        return (modules[args[0]], args[1:]) if args and args[0] in modules else None

    return choose


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
    from solver.drawing.canvas import PICTURE_FORMATS
    from solver.io.writing import atomic

    form = path.suffix.removeprefix(".").lower()
    other = form in PICTURE_FORMATS and form != "svg"
    drawn = picture(form) if other else draw().encode()
    with atomic(path) as file:
        file.write(drawn)
    click.echo(f"drawn: {path}", err=True)
