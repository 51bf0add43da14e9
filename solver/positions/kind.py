"""The declaration of ``positions``: where things are, routes, and places visited."""

from __future__ import annotations

from solver.verification.kinds import Checker, KindDeclaration


def _checker() -> Checker:
    from solver.positions import check

    return check


KIND = KindDeclaration(name="positions", noun="stories", checker=_checker, quotes=True)
