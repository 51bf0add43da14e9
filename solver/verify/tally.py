"""Counts over outcomes; tallies of shards add up in any order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from solver.records import BrokenRecord
from solver.verify.outcome import Cell, Finding, Outcome

RIGHT = "right"
UNEXPLAINED = "unexplained"


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts of a verification run.

    Attributes:
        confusion: (gold label as written, decided label) -> items.
        declared: (declared consistent, found consistent) -> items.
        status: status -> items.
        causes: names of faults joined by ``+``, or ``unexplained`` -> wrong labels.
        findings: finding -> records.
        cells: (cell, cause or ``right``) -> items with a gold label.
    """

    items: int = 0
    unparsed: int = 0
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    declared: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    status: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    cells: Counter[tuple[Cell, str]] = field(default_factory=Counter)

    def count(self, outcome: Outcome) -> None:
        """Count one outcome."""
        self.items += 1
        self.findings.update(finding.value for finding in outcome.findings)
        record, verdict = outcome.record, outcome.verdict
        if isinstance(record, BrokenRecord) or verdict is None:
            self.unparsed += 1
            return
        self.status[verdict.status.value] += 1
        if record.declared is not None:
            self.declared[record.declared, verdict.consistent] += 1
        if record.gold is None:
            return
        self.confusion[record.gold, verdict.label.value] += 1
        cause = RIGHT
        if Finding.WRONG_LABEL in outcome.findings:
            cause = "+".join(outcome.causes) or UNEXPLAINED
            self.causes[cause] += 1
        self.cells[outcome.cell, cause] += 1

    def add(self, other: Tally) -> None:
        """Add the counts of another shard."""
        self.items += other.items
        self.unparsed += other.unparsed
        self.confusion.update(other.confusion)
        self.declared.update(other.declared)
        self.status.update(other.status)
        self.causes.update(other.causes)
        self.findings.update(other.findings)
        self.cells.update(other.cells)
