"""The declaration of ``assignments``: orders of objects, and zebra puzzles."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from solver.verification.kinds import KindDeclaration, Signs, lazy

if TYPE_CHECKING:
    from solver.assignments import check, cli, verify
    from solver.verification import problems
else:
    check, cli, verify = lazy("solver.assignments", "check", "cli", "verify")
    (problems,) = lazy("solver.verification", "problems")

KIND = KindDeclaration(
    name="assignments",
    noun="puzzles",
    signs=Signs(fields=frozenset({"puzzle", "gold"})),
    origin="generators.problems.run:disagreements",
    undecidable={"probes": ("probes", "probes of statistics.json")},
    columns=lambda: {"puzzles": verify.PuzzleRow},
    verifier=lambda: partial(problems.ProblemVerifier, verify.VERIFIED),
    codes=lambda: problems.CODES,
    checker=lambda: check,
    quotes=True,
    explain={"--puzzle": lambda: cli.explain},
    running=("jobs",),
    help="""\
Verify the answers of assignment puzzles: at which position somebody is, by the clues.

PATH is a file of JSON lines in the wording of docs/assignments.md, or a folder of generate
assignments. Two engines, ASP and z3, must agree, and every certificate is checked independently.

\\b
Examples:
  python -m solver verify examples/puzzles/right.jsonl
  python -m solver verify examples/puzzles/flawed.jsonl --report reports/puzzles
  python -m solver verify data/assignments
""",
)
