"""Help pages show options as users can type them."""

from __future__ import annotations

from enum import StrEnum

import click
import pytest

from solver.cli import COMMANDS, cli


def _commands() -> list[click.Command]:
    """Every command, and those of the groups."""
    context = click.Context(cli)
    found = [command for name in COMMANDS if (command := cli.get_command(context, name))]
    groups = [one for one in found if isinstance(one, click.Group)]
    inner = (one.get_command(context, name) for one in groups for name in one.commands)
    return [*found, *(one for one in inner if one is not None)]


@pytest.mark.parametrize("command", _commands(), ids=lambda one: str(one.name))
def test_defaults_are_shown_as_they_are_typed(command: click.Command) -> None:
    for option in command.params:
        if isinstance(option, click.Option) and isinstance(option.default, StrEnum):
            # By default, click shows an enum member by its name: STRICT, not strict.
            assert option.show_default == option.default.value, option.name
