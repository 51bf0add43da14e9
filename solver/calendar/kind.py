"""The declaration of ``calendar``: questions about dates, bounds of times and free times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.verification.kinds import Checker, KindDeclaration, Signs

if TYPE_CHECKING:
    import click

    from solver.calendar.model import Problem
    from solver.calendar.verify import CalendarVerifier
    from solver.verification.report import Codes


def _verifier() -> type[CalendarVerifier]:
    from solver.calendar.verify import CalendarVerifier

    return CalendarVerifier


def _columns() -> dict[str, type[Problem]]:
    from solver.calendar.model import Problem

    return {"problems": Problem}


def _codes() -> Codes:
    from solver.calendar.verify import CODES

    return CODES


def _checker() -> Checker:
    from solver.calendar import check

    return check


def _explain() -> click.Command:
    from solver.calendar.cli import explain

    return explain


KIND = KindDeclaration(
    name="calendar",
    noun="problems",
    signs=Signs(fields=frozenset({"question", "gold"}), without=frozenset({"id", "query"})),
    columns=_columns,
    verifier=_verifier,
    codes=_codes,
    checker=_checker,
    quotes=True,
    explain={"--problem": _explain},
    running=("jobs",),
    help="""\
Verify the labels of problems of the calendar: dates, bounds of times, free times.

PATH is a file of JSON lines in the notation of docs/calendar.md. Two engines, ASP and z3, must
agree, and every certificate is checked independently.

\\b
Examples:
  python -m solver verify --kind calendar examples/calendar/right.jsonl
  python -m solver verify examples/calendar/flawed.jsonl --report reports/calendar
""",
)
