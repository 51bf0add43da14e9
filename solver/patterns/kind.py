"""The declaration of ``patterns``: lists of patterns over placeholders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.verification.kinds import KindDeclaration, Signs, lazy

if TYPE_CHECKING:
    from solver.patterns import check, cli, codes, io, settings, verify
else:
    check, cli, codes, io, settings, verify = lazy(
        "solver.patterns", "check", "cli", "codes", "io", "settings", "verify"
    )


KIND = KindDeclaration(
    name="patterns",
    noun="patterns",
    signs=Signs(fields=frozenset({"pattern"})),
    columns=lambda: {"patterns": io.PatternRow},
    verifier=lambda: verify.PatternVerifier,
    settings=lambda: settings.PatternSettings,
    codes=lambda: codes.CODES,
    checker=lambda: check,
    explain={"--pattern": lambda: cli.explain},
    help="""\
Check that lists of patterns are valid, canonical, duplicate-free and complete.

\b
Examples:
  python -m solver verify --kind patterns patterns.jsonl
  python -m solver verify --kind patterns patterns.jsonl --flags 1100 --hops 1,2
""",
)
