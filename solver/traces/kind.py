"""The declaration of ``traces``: chains of thought about event-ordering items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from solver.verification.kinds import Checker, KindDeclaration, Signs

if TYPE_CHECKING:
    import click
    import msgspec

    from solver.traces.settings import TraceSettings
    from solver.traces.verify import TraceVerifier
    from solver.verification.report import Codes


def _verifier() -> type[TraceVerifier]:
    from solver.traces.verify import TraceVerifier

    return TraceVerifier


def _codes() -> Codes:
    from solver.traces.verify import CODES

    return CODES


def _settings() -> type[TraceSettings]:
    from solver.traces.settings import TraceSettings

    return TraceSettings


def _checker() -> Checker:
    from solver.traces import check

    return check


def _columns() -> Mapping[str, type[msgspec.Struct]]:
    from solver.traces.io import TraceRow

    return {"JSON Lines": TraceRow}


def _explain() -> click.Command:
    from solver.traces.cli import explain

    return explain


KIND = KindDeclaration(
    name="traces",
    noun="traces",
    signs=Signs(fields=frozenset({"premise", "claim", "steps"})),
    columns=_columns,
    verifier=_verifier,
    settings=_settings,
    codes=_codes,
    checker=_checker,
    certificates=("items.jsonl",),
    quotes=True,
    running=("jobs",),
    explain={"--trace": _explain},
    help="""\
Check chains of thought: does each step follow from the premise of its item?

Each row of JSON Lines has a premise, a claim, and steps (a list of objects with text) or a trace
(one text). Two engines decide what the steps state; each verdict has a certificate, which is
checked. What a row declares (first_error, the verdict of a step, label) is compared.

\b
Examples:
  python -m solver verify --kind traces examples/traces/right.jsonl
  python -m solver verify --kind traces examples/traces/flawed.jsonl --report reports/traces
""",
)
