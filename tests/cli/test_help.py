"""Help pages show options as users can type them."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import click
import pytest

from solver.cli import cli


def _commands() -> Iterator[click.Command]:
    """Every command, and those of the groups."""
    context = click.Context(cli)
    pending: list[click.Command] = [cli]
    while pending:
        command = pending.pop()
        if isinstance(command, click.Group):
            inner = (command.get_command(context, name) for name in command.list_commands(context))
            pending += [other for other in inner if other is not None]
        yield command


@pytest.mark.parametrize("command", list(_commands()), ids=lambda command: str(command.name))
def test_defaults_are_shown_as_they_are_typed(command: click.Command) -> None:
    for option in command.params:
        if isinstance(option, click.Option):
            # By default, click shows an enum member by its name: STRICT, not strict.
            values = option.default if isinstance(option.default, tuple) else (option.default,)
            assert not any(isinstance(value, StrEnum) for value in values), option.name
