"""Types of options, and the options that several commands share: each has one meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import wraps
from math import isfinite
from os import fsdecode
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import click

from solver.io.sources import is_uri
from solver.probes.probe import ProbeLevel
from solver.processes import On, on_ray

if TYPE_CHECKING:
    from solver.graph.model import Dataset, Split
    from solver.verification.kinds import KindDeclaration

MOST_PROCESSES = 256
MOST = 2**31 - 1
"""Largest integer that an option accepts: clingo's limit."""

Value = TypeVar("Value", bound=StrEnum)
Command = TypeVar("Command", bound=Callable[..., Any])


class Option(Protocol):
    """A decorator that adds options to a command."""

    def __call__(self, command: Command, /) -> Command:
        """Add them."""


class EnumChoice(click.Choice[Value]):
    """A choice among the values of an enum."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:  # noqa: ARG002
        """Write a member on the command line as its value."""
        return str(choice.value if isinstance(choice, StrEnum) else choice)


class KindChoice(click.Choice[str]):
    """A choice among kinds of this project; those of other distributions are accepted as well.

    Args:
        has: whether a kind can be chosen.
    """

    def __init__(self, has: Callable[[KindDeclaration], object]) -> None:
        from solver.verification.kinds import built_in

        super().__init__([name for name, kind in built_in().items() if has(kind)])
        self._has = has

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """Return the name of the kind."""
        from solver.verification.kinds import find

        kind = find(value)
        return kind.name if kind and self._has(kind) else super().convert(value, param, ctx)


class CommaSeparated(click.ParamType[tuple[Any, ...]]):
    """Comma-separated members of an enum or names, deduplicated in the order given; or ``all``.

    Args:
        values: the enum, or the names.
        others: further names, which stay texts; they are only looked up if a member is unknown.
    """

    name = "list"

    def __init__(
        self,
        values: type[StrEnum] | Sequence[str],
        others: Callable[[], Iterable[str]] | None = None,
    ) -> None:
        self._values = values
        self._others = others

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[Any, ...]:
        """Return a tuple of the enum's members."""
        if isinstance(value, tuple):
            return value
        if value == "all":
            return tuple(self._values)
        known = [str(member) for member in self._values]
        names = [name.strip() for name in str(value).split(",")]
        members = dict(zip(known, self._values, strict=True))
        others = () if self._others is None or set(known) >= set(names) else self._others()
        for name in names:
            if name not in (*known, *others):
                self.fail(f"{name!r} is not one of {', '.join((*known, *others))}.", param, ctx)
        return tuple(dict.fromkeys(members.get(name, name) for name in names))


class WholeNumbers(click.ParamType[tuple[int, ...]]):
    """Comma-separated whole numbers from ``low`` to ``high``, ascending, without duplicates."""

    name = "numbers"

    def __init__(self, low: int, high: int) -> None:
        self._low, self._high = low, high

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Parse the numbers."""
        if isinstance(value, tuple):
            return value
        parts = [part.strip() for part in str(value).split(",")]
        if not all(part.isdecimal() and self._low <= int(part) <= self._high for part in parts):
            expected = f"expected numbers from {self._low} to {self._high:,}, such as 1,2"
            self.fail(f"found {value!r}, {expected}.", param, ctx)
        return tuple(sorted({int(part) for part in parts}))


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


class NewFolder(click.Path):
    """An existing folder, or one that can be created with its parents.

    Args:
        copied: whether a folder is copied to what a URI names; otherwise the command writes there.
    """

    name = "directory"

    def __init__(self, *, copied: bool = True) -> None:
        super().__init__(file_okay=False, path_type=Path)
        self._copied = copied

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path | str:
        """Return the path, for a URI that of a folder to upload; nothing is created yet.

        Raises:
            OutputError: its nearest existing parent is not a folder.
        """
        if not str(value):
            self.fail("the path is empty, expected a folder.", param, ctx)
        if is_uri(value) and not self._copied:
            return str(value)
        if is_uri(value) and ctx is not None:
            from solver.io.remote import uploaded

            return ctx.with_resource(uploaded(value))
        path = Path(fsdecode(super().convert(value, param, ctx)))
        from solver.io.writing import OutputError, os_errors_reported

        with os_errors_reported(path):
            above = next(file for file in (path, *path.parents) if file.exists())
            if not above.is_dir():
                raise OutputError("cannot be made: Not a directory", where=str(path))
        return path


class GraphPath(click.Path):
    """A graph to read.

    Args:
        copied: whether to copy what a URI names; otherwise each process that reads it does.
    """

    def __init__(self, *, copied: bool = True) -> None:
        super().__init__(path_type=Path)
        self._copied = copied

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path | str:
        """Return the path, for a URI that of a copy.

        Raises:
            InputError: the URI cannot be read.
        """
        if is_uri(value) and not self._copied:
            return str(value)
        if is_uri(value) and ctx is not None:
            from solver.io.remote import downloaded

            return ctx.with_resource(downloaded(value))
        return Path(fsdecode(super().convert(value, param, ctx)))


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


def option_group(name: str, config: Callable[..., object], *options: Option) -> Option:
    """Add options to a command, which receives their values as one object.

    Args:
        name: parameter of the command that receives the object.
        config: class of the object; its fields have the names of the options.
        options: decorators that add one option each.
    """

    def decorate(command: Command) -> Command:
        names: list[str] = []

        @wraps(command)
        def call(*arguments: Any, **values: Any) -> Any:  # noqa: ANN401 - those of the command
            chosen = {text: values.pop(text) for text in names}
            return command(*arguments, **{name: config(**chosen)}, **values)

        for option in reversed(options):
            option(call)
        params: list[click.Parameter] = call.__click_params__  # type: ignore[attr-defined]
        names += [str(param.name) for param in params[-len(options) :]]
        return cast("Command", call)

    return decorate


seed = click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Random seed."
)
key_variable = click.option(
    "--key-variable",
    default="OPENAI_API_KEY",
    show_default=True,
    metavar="NAME",
    help="Environment variable with the API key of the endpoint, if it needs one.",
)
timeout = click.option(
    "--timeout",
    type=FiniteFloat(0, min_open=True),
    default=60.0,
    show_default=True,
    help="Seconds to wait for a response of the endpoint.",
)
jobs = click.option(
    "--jobs",
    type=click.IntRange(1, MOST_PROCESSES),
    default=1,
    show_default=True,
    help="Number of worker processes.",
)


def on_cluster(command: Command) -> Command:
    """Add ``--on`` and ``--address`` to a command with ``--jobs``."""

    @wraps(command)
    def run(*args: object, on: On, address: str | None, **values: object) -> object:
        if on is On.PROCESSES:
            if address is not None:
                raise click.UsageError("--address needs --on ray.")
            return command(*args, **values)
        from solver.dataset.seal import opening

        with on_ray(address, cast("int", values["jobs"])), opening() as opened:
            opened.require_postponed()
            return command(*args, **values)

    return _ON(_ADDRESS(cast("Command", run)))


_ON = click.option(
    "--on",
    type=EnumChoice(On),
    default=On.PROCESSES.value,
    show_default=True,
    help="Where tasks run: in worker processes, or on a Ray cluster (extra ray).",
)
_ADDRESS = click.option(
    "--address",
    metavar="ADDRESS",
    help="Head of the Ray cluster, such as 10.0.0.1:6379.  [default: a cluster of --jobs cores on "
    "this machine]",
)

as_json = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."
)
probes = click.option(
    "--probes",
    type=EnumChoice(ProbeLevel),
    default=ProbeLevel.FAST.value,
    show_default=True,
    help="Probes that predict labels without reasoning, to find shortcuts: none, fast (on a "
    "sample) or all.",
)
as_json_lines = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object a line and nothing else."
)
report = click.option(
    "--report",
    type=NewFolder(),
    metavar="DIR",
    help="Output folder for a report: page, figures as JSON, plots and manifest.json.",
)
svg = click.option(
    "--svg",
    "drawing",
    type=NewFile(),
    metavar="FILE",
    help="Output file for a drawing: SVG, or PNG or PDF by the file's suffix.",
)


graph_argument = click.argument("graph", type=GraphPath(), metavar="GRAPH")


def path_option(*names: str, metavar: str, help: str, required: bool = False) -> Option:
    """A file or folder to read."""
    kind = click.Path(path_type=Path)
    return click.option(*names, type=kind, metavar=metavar, required=required, help=help)


def number_option(
    *names: str, default: int, help: str, low: int = 1, high: int | None = None
) -> Option:
    """A whole number from ``low`` to ``high``."""
    kind = click.IntRange(low, high)
    return click.option(*names, type=kind, default=default, show_default=True, help=help)


def choice_option(*names: str, values: type[Value], default: Value, help: str) -> Option:
    """A member of an enum."""
    kind = EnumChoice(values)
    return click.option(*names, type=kind, default=default.value, show_default=True, help=help)


def out_folder(
    help: str = "Output folder.", *, required: bool = True, copied: bool = True
) -> Option:
    """``--out DIR``."""
    kind = NewFolder(copied=copied)
    return click.option("--out", type=kind, required=required, metavar="DIR", help=help)


def out_file(
    help: str = "Output file; standard output by default.", *, required: bool = False
) -> Option:
    """``--out FILE``."""
    return click.option("--out", type=NewFile(), required=required, metavar="FILE", help=help)


def show(what: str, *, default: int, most: int = 1_000) -> Option:
    """``--show N``: how many of the results to print."""
    return click.option(
        "--show",
        type=click.IntRange(0, most),
        default=default,
        show_default=True,
        help=f"Number of {what} to print.",
    )


items = click.option(
    "--data",
    "paths",
    multiple=True,
    required=True,
    metavar="PATH",
    help="File of items, or - for standard input; may be repeated.",
)
gold = click.option(
    "--gold",
    type=click.Choice(["decided", "file"]),
    default="decided",
    show_default=True,
    help="Source of the gold labels: decided by the engines (policy local), or the file.",
)
resamples = click.option(
    "--resamples",
    type=click.IntRange(100, 100_000),
    default=1_000,
    show_default=True,
    help="Number of bootstrap resamples.",
)


def graph(*, required: bool = True, copied: bool = True) -> Option:
    """``--data GRAPH``: the graph that queries, rules or questions refer to."""
    return click.option(
        "--data",
        "graph",
        type=GraphPath(copied=copied),
        required=required,
        metavar="GRAPH",
        help="Graph: a folder with train.txt, valid.txt and test.txt, or one file of facts.",
    )


question_rules = click.option(
    "--rules",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Rules for fact reasoning.  [default: rules.jsonl of the folder]",
)


def _as_split(ctx: click.Context, param: click.Parameter, value: str) -> Split:  # noqa: ARG001
    from solver.graph.model import Split

    return Split(value)


split = click.option(
    "--split",
    type=click.Choice(["train", "valid", "test"]),
    default="test",
    show_default=True,
    callback=_as_split,
    help="Split to read.",
)


def read_graph(path: str | Path) -> Dataset:
    """Read a graph in any supported format; report skipped rows on stderr, one line per reason.

    Raises:
        InputError: the files cannot be read or are inconsistent.
    """
    from solver.graph.io import read_dataset

    dataset = read_dataset(path)
    report_left_out(dataset)
    return dataset


def report_left_out(dataset: Dataset) -> None:
    """Print how many rows of a graph were left out, and why."""
    from solver.io.sources import counted

    for reason, rows in sorted(dataset.left_out.items()):
        click.echo(f"left out of {dataset.name}: {counted(rows, 'row')}, {reason}", err=True)
