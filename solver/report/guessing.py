"""Report views of the artefact checks: scores against chance, label distributions."""

from __future__ import annotations

from dataclasses import dataclass

from solver.artefacts import Artefacts, Finding
from solver.artefacts.balance import Balance, Row
from solver.artefacts.guess import ProbeResult
from solver.model import Label
from solver.report.heat import HeatCell, HeatRow, HeatTable, percent

MOST_ROWS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtefactView:
    """Results of the artefact checks, ready to be rendered."""

    items: int
    findings: tuple[Finding, ...]
    guesses: tuple[ProbeResult, ...]
    by_claim: HeatTable | None
    by_cell: HeatTable | None


def artefact_view(artefacts: Artefacts) -> ArtefactView:
    """Prepare the artefact checks for a report."""
    return ArtefactView(
        items=artefacts.items,
        findings=artefacts.findings,
        guesses=artefacts.guesses,
        by_claim=_table(artefacts.by_claim, "Gold labels by claim", "claim ↓ gold →"),
        by_cell=_table(artefacts.by_cell, "Gold labels by size", "size ↓ gold →"),
    )


def _table(balance: Balance, title: str, corner: str) -> HeatTable | None:
    if not balance.rows:
        return None
    note = ""
    if balance.association is not None:
        note = f"Cramér's V {balance.association:.2f}, p = {balance.p_value:.2g}"
    rows = balance.rows[:MOST_ROWS]
    labels = tuple(label.value for label in Label if label.value in balance.labels)
    if len(rows) < len(balance.rows):
        note = f"{note}; {len(balance.rows) - len(rows):,} more rows are left out"
    return HeatTable(
        title=title,
        corner=corner,
        columns=labels,
        rows=tuple(_row(row, labels) for row in rows),
        note=note,
    )


def _row(row: Row, labels: tuple[str, ...]) -> HeatRow:
    cells = tuple(
        HeatCell(
            text=percent(row.counts[label], row.total),
            detail=f"{row.counts[label]:,}",
            strength=round(row.share(label), 4),
        )
        for label in labels
    )
    return HeatRow(name=row.name, cells=cells)
