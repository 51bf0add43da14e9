"""Difficulty as a scale from 1 to 5: the options that a level of a generator sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from grammar.errors import HopcheckError

Command = TypeVar("Command", bound=Callable[..., object])
Levels = Mapping[int, Mapping[str, Any]]
"""The options of each level, by their names in the settings."""


class LevelError(HopcheckError):
    """A level that does not exist, or one with an option that it sets itself."""

    code = "level"


def at_level(levels: Levels, level: int | None, given: Mapping[str, Any]) -> dict[str, Any]:
    """The given options, and those of a level if there is one.

    Raises:
        LevelError: an option is given twice, or there is no such level.
    """
    if level is None:
        return dict(given)
    if level not in levels:
        raise LevelError(f"found level {level!r}, expected a number from 1 to {len(levels)}")
    twice = [name for name in levels[level] if name in given]
    if twice:
        raise LevelError(f"found a level and {' and '.join(twice)}, expected one of them")
    return {**given, **levels[level]}


def level_option(levels: Levels) -> Callable[[Command], Command]:
    """The option ``--level``; ``settled`` uses its value."""
    *names, last = levels[1]
    help_text = f"Difficulty, which chooses {', '.join(names)}{' and ' if names else ''}{last}."
    return click.option("--level", type=click.IntRange(1, len(levels)), help=help_text)


def settled(levels: Levels, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a command that has ``--level``, with those of the level.

    Raises:
        LevelError: an option is given twice.
    """
    source = click.get_current_context().get_parameter_source
    given = {name: value for name, value in options.items() if name != "level"}
    level = options["level"]
    if level is not None:
        defaults = [n for n in levels[level] if source(n) is not ParameterSource.COMMANDLINE]
        given = {name: value for name, value in given.items() if name not in defaults}
    return at_level(levels, level, given)
