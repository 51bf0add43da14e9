"""The declaration of ``calendar``: questions about dates, durations, bounds and free times."""

from __future__ import annotations

from solver.verification.kinds import Checker, KindDeclaration, Signs


def _checker() -> Checker:
    from solver.calendar import check

    return check


KIND = KindDeclaration(
    name="calendar",
    noun="problems",
    signs=Signs(fields=frozenset({"steps", "asked", "gold"})),
    checker=_checker,
    quotes=True,
)
