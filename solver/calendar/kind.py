"""The declaration of ``calendar``: questions about dates, bounds of times and free times."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from solver.verification.kinds import KindDeclaration, Signs, lazy

if TYPE_CHECKING:
    from solver.calendar import check, cli, verify
    from solver.verification import problems
else:
    check, cli, verify = lazy("solver.calendar", "check", "cli", "verify")
    (problems,) = lazy("solver.verification", "problems")

KIND = KindDeclaration(
    name="calendar",
    noun="problems",
    signs=Signs(
        fields=frozenset({"question", "gold"}), without=frozenset({"query", "story", "puzzle"})
    ),
    origin="generators.problems.run:disagreements",
    undecidable={"probes": ("probes", "probes of statistics.json")},
    columns=lambda: {"problems": verify.ProblemRow},
    verifier=lambda: partial(problems.ProblemVerifier, verify.VERIFIED),
    codes=lambda: problems.CODES,
    checker=lambda: check,
    quotes=True,
    explain={"--problem": lambda: cli.explain},
    running=("jobs",),
    help="""\
Verify the labels of problems of the calendar: dates, bounds of times, free times.

PATH is a file of JSON lines in the notation of docs/calendar.md, or a folder of generate calendar.
Two engines, ASP and z3, must agree, and every certificate is checked independently.

\b
Examples:
  python -m solver verify --kind calendar examples/calendar/right.jsonl
  python -m solver verify examples/calendar/flawed.jsonl --report reports/calendar
  python -m solver verify data/calendar
""",
)
