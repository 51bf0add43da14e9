"""Counts of the outcomes of a verification run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from solver.eventhop.outcomes import Cell, Circumstance, FindingCode, Outcome
from solver.eventhop.records import BrokenRecord

RIGHT = "right"
UNEXPLAINED = "unexplained"
FOLLOWING = 0.9
"""Minimum share of the published procedure's errors in a file that is labelled with it."""


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts of a verification run.

    Attributes:
        flawed: items with a finding.
        confusion: (gold label as written, decided label) -> items.
        declared: (declared consistent, found consistent) -> items.
        status: status -> items.
        causes: names of faults joined by ``+``, or ``unexplained`` -> wrong labels.
        findings: finding -> records.
        cells: (cell, cause or ``right``) -> items with a gold label.
        follows: whether the gold label is the published procedure's -> items where that is wrong.
    """

    items: int = 0
    flawed: int = 0
    unparsed: int = 0
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    declared: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    status: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    cells: Counter[tuple[Cell, str]] = field(default_factory=Counter)
    follows: Counter[bool] = field(default_factory=Counter)

    @property
    def published(self) -> bool:
        """Whether the labels are those of the published procedure, errors included."""
        return self.follows[True] > 0 and self.follows[True] >= FOLLOWING * self.follows.total()

    def shown_causes(self) -> dict[str, int]:
        """The causes of wrong labels; for labels of another origin only the policy can be one."""
        known = {Circumstance.POLICY.value} if not self.published else self.causes.keys()
        return {cause: count for cause, count in self.causes.most_common() if cause in known}

    def explained(self, outcome: Outcome) -> Outcome:
        """The outcome without causes that do not apply to these labels."""
        if self.published or outcome.causes == (Circumstance.POLICY,):
            return outcome
        return replace(outcome, causes=())

    def count(self, outcome: Outcome) -> None:
        """Count one outcome."""
        self.items += 1
        self.flawed += bool(outcome.findings)
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
        if outcome.follows is not None:
            self.follows[outcome.follows] += 1
        cause = RIGHT
        if FindingCode.WRONG_LABEL in outcome.findings:
            cause = "+".join(outcome.causes) or UNEXPLAINED
            self.causes[cause] += 1
        self.cells[outcome.cell, cause] += 1

    def add(self, other: Tally) -> None:
        """Add the counts of another shard."""
        self.items += other.items
        self.flawed += other.flawed
        self.unparsed += other.unparsed
        self.confusion.update(other.confusion)
        self.declared.update(other.declared)
        self.status.update(other.status)
        self.causes.update(other.causes)
        self.findings.update(other.findings)
        self.cells.update(other.cells)
        self.follows.update(other.follows)
