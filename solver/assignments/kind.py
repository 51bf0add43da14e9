"""The declaration of ``assignments``: orders of objects, and zebra puzzles."""

from __future__ import annotations

from solver.verification.kinds import Checker, KindDeclaration


def _checker() -> Checker:
    from solver.assignments import check

    return check


KIND = KindDeclaration(name="assignments", noun="puzzles", checker=_checker, quotes=True)
