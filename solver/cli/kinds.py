"""``explain``, ``parse`` and ``realise``: each kind has its command, chosen by the arguments."""

from __future__ import annotations

from collections.abc import Mapping

import click

from solver.cli.program import Chooser, Place, by_presence, by_value
from solver.verification.kinds import KindDeclaration, built_in, installed, otherwise


def explain() -> click.Command:
    """The command that explains something without an option that requests another."""
    return otherwise().explain[""]()


def parse() -> click.Command:
    """The command that parses texts without ``--kind``."""
    load = otherwise().parse
    assert load is not None
    return load()


def realise() -> click.Command:
    """The command that writes texts without ``--kind``."""
    load = otherwise().realise
    assert load is not None
    return load()


def _explaining(kinds: Mapping[str, KindDeclaration]) -> dict[str, Place]:
    options = {option: load for kind in kinds.values() for option, load in kind.explain.items()}
    return {option: options[option] for option in sorted(options) if option}


def _by_option(args: list[str]) -> tuple[Place, list[str]] | None:
    chosen = by_presence(explaining.places)(args)
    known = {name for param in explain().params for name in param.opts} | {"--help"}
    given = {word.partition("=")[0] for word in args if word.startswith("--")}
    if chosen is None and given - known:
        return by_presence(_explaining(installed()))(args)
    return chosen


explaining = Chooser(_explaining(built_in()), _by_option)
"""Chooses by the option that requests an explanation."""

_OTHERS = [kind for kind in built_in().values() if not kind.signs.otherwise]
parsing = by_value("--kind", {kind.name: kind.parse for kind in _OTHERS if kind.parse})
realising = by_value("--kind", {kind.name: kind.realise for kind in _OTHERS if kind.realise})
