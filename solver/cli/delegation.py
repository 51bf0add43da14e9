"""Commands that delegate to another command, with its own options, depending on arguments."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import click

from solver import NAMESPACE
from solver.cli.program import named_as_called

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
