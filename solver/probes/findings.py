"""Results of probes as findings, rows of a table and JSON values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from solver.verification.report import Finding

if TYPE_CHECKING:
    from solver.probes.probe import ProbeResult
    from solver.report.model import Table

SHORTCUT = "shortcut"
FIGURES = ("accuracy", "99.8% interval", "chance")
"""Columns of ``figures``."""


def shortcut(where: str, result: ProbeResult) -> Finding:
    """The finding of a probe that predicts labels."""
    return Finding(
        code=SHORTCUT,
        where=where,
        message=str(result),
        certificate={
            "features": result.name,
            "accuracy": result.accuracy,
            "interval": [result.low, result.high],
            "chance": result.chance,
            "strongest": [str(value) for value in result.strongest],
        },
    )


def figures(result: ProbeResult) -> tuple[str, str, str]:
    """Accuracy, interval and chance; a note instead if the probe was not run."""
    if result.accuracy is None:
        return result.note, "", ""
    interval = f"{result.low:.3f} to {result.high:.3f}"
    return f"{result.accuracy:.3f}", interval, f"{result.chance:.3f}"


def probe_table(results: Iterable[ProbeResult]) -> Table:
    """A row for each probe."""
    from solver.report.model import Table

    rows = tuple((one.name, *figures(one)) for one in results)
    return Table(columns=("features", *FIGURES), rows=rows)


def as_json(result: ProbeResult) -> dict[str, Any]:
    """The figures of a probe as JSON values."""
    return {
        "features": result.name,
        "items": result.items,
        "accuracy": result.accuracy,
        "interval": [result.low, result.high],
        "chance": result.chance,
        "shortcut": result.shortcut,
        "note": result.note,
        "strongest": [str(one) for one in result.strongest],
    }
