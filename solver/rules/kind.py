"""The declaration of ``rules``: temporal rules mined from a graph."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from solver import NAMESPACE
from solver.verification.kinds import KindCommand, KindDeclaration, lazy

if TYPE_CHECKING:
    import click

    from solver.rules import check, io
    from solver.rules.cli import apply as apply_command
    from solver.rules.cli import explain as explain_command
    from solver.rules.cli import mine as mine_command
else:
    check, io = lazy("solver.rules", "check", "io")
    apply_command, explain_command, mine_command = lazy(
        "solver.rules.cli", "apply", "explain", "mine"
    )


def _event() -> click.Command:
    # Strikingness is measured by a package above this one, which is imported by its name.
    command: click.Command = import_module(NAMESPACE + "benchmarks.rules.cli.strikingness").explain
    return command


KIND = KindDeclaration(
    name="rules",
    noun="groundings",
    columns=lambda: {"rules": io.Row},
    checker=lambda: check,
    explain={
        "--event": _event,
        "--query": lambda: explain_command.query,
        "--rule": lambda: explain_command.rule,
    },
    commands={
        "mine": KindCommand(
            load=lambda: mine_command.command,
            help="Mine temporal rules from a graph.",
            after="generate",
        ),
        "apply": KindCommand(
            load=lambda: apply_command.command,
            help="Answer queries about a graph with temporal rules.",
            after="mine",
        ),
    },
)
