"""The declaration of ``rules``: temporal rules mined from a graph."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from solver import NAMESPACE
from solver.verification.kinds import Checker, KindCommand, KindDeclaration

if TYPE_CHECKING:
    import click


def _checker() -> Checker:
    from solver.rules import check

    return check


def _query() -> click.Command:
    from solver.rules.cli.explain import query

    return query


def _rule() -> click.Command:
    from solver.rules.cli.explain import rule

    return rule


def _event() -> click.Command:
    # Strikingness is measured by a package above this one, which is imported by its name.
    command: click.Command = import_module(NAMESPACE + "benchmarks.rules.cli.strikingness").explain
    return command


def _mine() -> click.Command:
    from solver.rules.cli.mine import command

    return command


def _apply() -> click.Command:
    from solver.rules.cli.apply import command

    return command


def _columns() -> dict[str, type[Any]]:
    from solver.rules.io import Row

    return {"rules": Row}


KIND = KindDeclaration(
    name="rules",
    noun="groundings",
    columns=_columns,
    checker=_checker,
    explain={"--event": _event, "--query": _query, "--rule": _rule},
    commands={
        "mine": KindCommand(load=_mine, help="Mine temporal rules from a graph.", after="generate"),
        "apply": KindCommand(
            load=_apply, help="Answer queries about a graph with temporal rules.", after="mine"
        ),
    },
)
