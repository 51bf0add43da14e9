"""The declaration of ``facts``: dated facts, schemas and forecasts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.verification.kinds import KindDeclaration, Signs, lazy

if TYPE_CHECKING:
    from solver.facts import check, codes, io, settings, verify
else:
    check, codes, io, settings, verify = lazy(
        "solver.facts", "check", "codes", "io", "settings", "verify"
    )


KIND = KindDeclaration(
    name="facts",
    noun="facts",
    signs=Signs(
        fields=frozenset({"subject", "relation", "object"}),
        files=("facts.tsv", "history.tsv"),
        suffixes=(".references.txt",),
    ),
    columns=lambda: {"facts": io.FactRow, "certificates": io.CertificateRow},
    verifier=lambda: verify.FactVerifier,
    settings=lambda: settings.FactSettings,
    codes=lambda: codes.CODES,
    checker=lambda: check,
    help="""\
Check dated facts: nothing starts while open, nothing ends unless open, classes fit.

Files contain Python literals (*.references.txt), TSV or JSON Lines, with a date or an interval
per fact. An ASP encoding decides and an independent sweep over the facts cross-checks it. A
folder written by forecast is checked with its own history, window and certificates.

\b
Examples:
  python -m solver verify --kind facts examples/facts/right.tsv --schema examples/facts/schema
  python -m solver verify --kind facts examples/facts/flawed.references.txt --exclusive
  python -m solver verify --kind facts FOLDER_OF_FORECAST --schema DIR
  python -m solver verify --kind facts FILE --window 2026-01-01 2026-12-31 --report DIR
""",
)
