"""Converts outcomes to lines of ``items.jsonl``."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from solver.certificates.as_json import to_json
from solver.records import BrokenRecord
from solver.verify.outcome import Outcome


def as_json(outcome: Outcome) -> dict[str, Any]:
    """The outcome as JSON values; an unparsed record has an error and no verdict."""
    record, verdict, certificate = outcome.record, outcome.verdict, outcome.certificate
    row: dict[str, Any] = {
        "id": record.id,
        "line": record.place.line,
        "file": PurePath(record.place.file).name,
        "gold": None if isinstance(record, BrokenRecord) else record.gold,
        "findings": list(outcome.findings),
    }
    if verdict is None or certificate is None:
        return row | {"error": outcome.error}
    return row | {
        "label": verdict.label,
        "status": verdict.status,
        "consistent": verdict.consistent,
        "hops": outcome.hops,
        "causes": list(outcome.causes),
        "certificate": to_json(certificate),
    }
