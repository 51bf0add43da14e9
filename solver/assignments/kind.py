"""The declaration of ``assignments``: orders of objects, and zebra puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.verification.kinds import Checker, KindDeclaration

if TYPE_CHECKING:
    import click


def _checker() -> Checker:
    from solver.assignments import check

    return check


def _explain() -> click.Command:
    from solver.assignments.cli import explain

    return explain


KIND = KindDeclaration(
    name="assignments",
    noun="puzzles",
    checker=_checker,
    quotes=True,
    explain={"--puzzle": _explain},
)
