"""``--unsealed``: every command that reads paths opens data sets through their seals."""

from __future__ import annotations

from collections.abc import Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import click

from grammar.errors import printable
from solver.cli.options import NewFile, NewFolder
from solver.dataset.seal import opening
from solver.io.sources import STDIN, is_uri
from solver.processes import On

_NAMES = ("PATH", "FILE", "DIR", "GRAPH", "TEXTS", "REFERENCE", "SYSTEM", "PREDICTIONS", "RANKS")
"""What the metavar of an option is called that names a file or folder to read."""

_SET = "SET"
"""The only argument that is a text and names no file or folder: a benchmark to audit."""

_UNSEALED = click.Option(
    ["--unsealed"],
    is_flag=True,
    help="Read data sets whose files differ from their manifest too; the output records it.",
)


def reads(param: click.Parameter) -> bool:
    """Whether a parameter names files or folders to read."""
    if isinstance(param.type, click.Path):
        return not isinstance(param.type, NewFile | NewFolder)
    if param.type is not click.STRING:
        return False
    metavar = param.make_metavar(click.Context(click.Command("")))
    if isinstance(param, click.Argument):
        return metavar != _SET
    return any(name in metavar for name in _NAMES)


def seal_inputs(command: click.Command) -> None:
    """Let a command check the data sets that its parameters name before it runs; only once."""
    callback, inputs = command.callback, [param.name for param in command.params if reads(param)]
    if callback is None or not inputs or _UNSEALED in command.params:
        return

    @wraps(callback)
    def run(*arguments: Any, unsealed: bool, **values: Any) -> Any:  # noqa: ANN401 - the command's
        with opening(unsealed=unsealed) as opened:
            for name in inputs:
                for place in _places(values.get(str(name))):
                    if values.get("on", On.PROCESSES) is On.PROCESSES or not is_uri(place):
                        opened.require_sealed(place)
                    else:
                        opened.postponed.append(str(place))
            for breach in opened.breaches:
                click.echo(f"unsealed: {printable(str(breach))}", err=True)
            return callback(*arguments, **values)

    command.callback = run
    command.params.append(_UNSEALED)


def _places(value: object) -> Iterator[str | Path]:
    if isinstance(value, list | tuple):
        for part in value:
            yield from _places(part)
    elif isinstance(value, str | Path) and str(value) != STDIN:
        yield value
