"""Explains chains of thought in the page: the package's own reader, engines and checker."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from grammar.errors import HopcheckError
from solver.eventhop.certificates.proved import Judgement
from solver.traces.decide import certified, crosschecked
from solver.traces.explain import TraceExplanation
from solver.traces.io import read_traces
from solver.traces.settings import TraceSettings
from solver.verification.report import Unreadable

_FILE = Path("chain.jsonl")


def explained(row: str) -> str:
    """What the page shows of a chain, a line of a file of chains; or why it cannot be read."""
    try:
        return json.dumps(_explained(row))
    except HopcheckError as error:
        return json.dumps(
            {"error": f"{error.message} ({error.hint})" if error.hint else error.message}
        )


def _explained(row: str) -> dict[str, Any]:
    _FILE.write_text(f"{row}\n", "utf-8")
    (found,) = read_traces(str(_FILE), TraceSettings())
    if isinstance(found, Unreadable):
        return {"error": found.message}
    (result,) = crosschecked([found.trace])
    judged: list[tuple[str, Judgement]] = []
    line = certified(found, result, judged)
    explanation = TraceExplanation(row=found, result=result, line=line)
    return {
        "line": line,
        "stated": [
            [explanation.stated(statement) for statement in step.statements]
            for step in result.verdict.steps
        ],
        "proof": explanation.proof,
        "timelines": explanation.timelines,
        "numbers": judged[0][1].line,
    }
