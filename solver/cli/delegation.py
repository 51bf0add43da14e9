"""A command that hands over to another, which has options of its own, as its arguments ask."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import click

from solver import NAMESPACE
from solver.cli.program import named_as_called

Chooser = Callable[[list[str]], tuple[str, list[str]] | None]
"""Gives the module whose ``command`` these arguments ask for, and the arguments for it."""


class Delegating(click.Command):
    """A command of which some arguments mean another command.

    Args:
        chooser: tells which; None for this command itself.
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
        """Read the arguments, or have the other command read them."""
        chosen = self._chooser(args)
        if chosen is None:
            return super().make_context(info_name, args, parent, **extra)
        module, rest = chosen
        command = named_as_called(import_module(NAMESPACE + module).command)
        if rest == args[1:]:
            # The word that was taken away is part of the other command's name.
            info_name = f"{info_name} {args[0]}"
        return command.make_context(info_name, rest, parent, **extra)


def by_value(option: str, homes: dict[str, str]) -> Chooser:
    """Choose by an option's value, ``--kind tkg`` or ``--kind=tkg``, and take the option away."""

    def choose(args: list[str]) -> tuple[str, list[str]] | None:
        for place, word in enumerate(args):
            name, glued, value = word.partition("=")
            if name != option:
                continue
            if not glued:
                value = args[place + 1] if place + 1 < len(args) else ""
            if value in homes:
                after = place + (1 if glued else 2)
                return homes[value], args[:place] + args[after:]
        return None

    return choose


def by_presence(homes: dict[str, str]) -> Chooser:
    """Choose by an option that only the other command has: the first of ``homes`` that is there."""

    def choose(args: list[str]) -> tuple[str, list[str]] | None:
        given = {word.partition("=")[0] for word in args}
        for option, module in homes.items():
            if option in given:
                return module, args
        return None

    return choose


def by_first(homes: dict[str, str]) -> Chooser:
    """Choose by the first word, which is taken away."""

    def choose(args: list[str]) -> tuple[str, list[str]] | None:
        return (homes[args[0]], args[1:]) if args and args[0] in homes else None

    return choose
