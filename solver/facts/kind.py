"""The declaration of ``facts``: dated facts, schemas and forecasts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.verification.kinds import Checker, KindDeclaration, Signs

if TYPE_CHECKING:
    from solver.facts.settings import FactSettings
    from solver.facts.verify import FactVerifier
    from solver.verification.report import Codes


def _verifier() -> type[FactVerifier]:
    from solver.facts.verify import FactVerifier

    return FactVerifier


def _codes() -> Codes:
    from solver.facts.codes import CODES

    return CODES


def _settings() -> type[FactSettings]:
    from solver.facts.settings import FactSettings

    return FactSettings


def _checker() -> Checker:
    from solver.facts import check

    return check


def _columns() -> dict[str, type[Any]]:
    from solver.facts.io import CertificateRow, FactRow

    return {"facts": FactRow, "certificates": CertificateRow}


KIND = KindDeclaration(
    origin="generators.facts.files:disagreements",
    undecidable={
        "figures": (
            *("seed", "config", "inputs", "relations", "history.tsv", "rules.jsonl"),
            *(f"{name} of figures" for name in ("attempts", "compared", "new_pairs")),
            *(f"{name} of figures" for name in ("nothing_new", "wanted")),
        ),
    },
    name="facts",
    noun="facts",
    signs=Signs(
        fields=frozenset({"subject", "relation", "object"}),
        files=("facts.tsv", "history.tsv"),
        suffixes=(".references.txt",),
    ),
    columns=_columns,
    verifier=_verifier,
    settings=_settings,
    codes=_codes,
    checker=_checker,
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
