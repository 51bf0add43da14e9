"""The declaration of ``patterns``: lists of patterns over placeholders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.verification.kinds import Checker, KindDeclaration, Signs

if TYPE_CHECKING:
    import click

    from solver.patterns.settings import PatternSettings
    from solver.patterns.verify import PatternVerifier
    from solver.verification.report import Codes


def _verifier() -> type[PatternVerifier]:
    from solver.patterns.verify import PatternVerifier

    return PatternVerifier


def _codes() -> Codes:
    from solver.patterns.codes import CODES

    return CODES


def _settings() -> type[PatternSettings]:
    from solver.patterns.settings import PatternSettings

    return PatternSettings


def _checker() -> Checker:
    from solver.patterns import check

    return check


def _explain() -> click.Command:
    from solver.patterns.cli import explain

    return explain


def _columns() -> dict[str, type[Any]]:
    from solver.patterns.io import PatternRow

    return {"patterns": PatternRow}


KIND = KindDeclaration(
    undecidable={"": ("order of rows", "absent fields", "flags of config", "seed", "inputs")},
    name="patterns",
    noun="patterns",
    signs=Signs(fields=frozenset({"pattern"})),
    columns=_columns,
    verifier=_verifier,
    settings=_settings,
    codes=_codes,
    checker=_checker,
    explain={"--pattern": _explain},
    help="""\
Check that lists of patterns are valid, canonical, duplicate-free and complete.

\b
Examples:
  python -m solver verify --kind patterns patterns.jsonl
  python -m solver verify --kind patterns patterns.jsonl --flags 1100 --hops 1,2
""",
)
