"""The declaration of ``positions``: where things are, routes, and places visited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.verification.kinds import Checker, KindDeclaration

if TYPE_CHECKING:
    import click


def _checker() -> Checker:
    from solver.positions import check

    return check


def _explain() -> click.Command:
    from solver.positions.cli import explain

    return explain


KIND = KindDeclaration(
    name="positions",
    noun="stories",
    checker=_checker,
    quotes=True,
    explain={"--story": _explain},
)
