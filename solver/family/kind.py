"""The declaration of ``family``: what one person of a family is to another."""

from __future__ import annotations

from solver.verification.kinds import Checker, KindDeclaration


def _checker() -> Checker:
    from solver.family import check

    return check


KIND = KindDeclaration(name="family", noun="stories", checker=_checker, quotes=True)
