"""The declaration of ``positions``: where things are, routes, and places visited."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from solver.verification.kinds import KindDeclaration, Signs, lazy

if TYPE_CHECKING:
    from solver.positions import check, cli, verify
    from solver.verification import problems
else:
    check, cli, verify = lazy("solver.positions", "check", "cli", "verify")
    (problems,) = lazy("solver.verification", "problems")

KIND = KindDeclaration(
    name="positions",
    noun="stories",
    signs=Signs(fields=frozenset({"story", "question", "gold"})),
    origin="generators.problems.run:disagreements",
    undecidable={"probes": ("probes", "probes of statistics.json")},
    columns=lambda: {"stories": verify.StoryRow},
    verifier=lambda: partial(problems.ProblemVerifier, verify.VERIFIED),
    codes=lambda: problems.CODES,
    checker=lambda: check,
    quotes=True,
    explain={"--story": lambda: cli.explain},
    running=("jobs",),
    help="""\
Verify the answers of stories about positions: where things are, seen from others.

PATH is a file of JSON lines in the wording of docs/positions.md, or a folder of generate positions.
Two engines, ASP and z3, must agree, and every certificate is checked independently.

\\b
Examples:
  python -m solver verify examples/positions/right.jsonl
  python -m solver verify examples/positions/flawed.jsonl --report reports/positions
  python -m solver verify data/positions
""",
)
