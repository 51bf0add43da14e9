"""The counts of a verification run: gold labels, consistency, statuses, causes, findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from grammar.eventhop.model import Status
from solver.eventhop.engines import ItemSettings
from solver.eventhop.outcomes import (
    Cell,
    Circumstance,
    FindingCode,
    Outcome,
    notes,
)
from solver.eventhop.records import DECLARED, BrokenRecord

if TYPE_CHECKING:
    from solver.eventhop.dataset import Dataset, Problem

RIGHT = "right"
UNEXPLAINED = "unexplained"
FOLLOWING = 0.9
"""Minimum share of the published procedure's errors in a file that is labelled with it."""


class Premise(StrEnum):
    """How a premise was found: a contradiction about other events leaves the claim decided."""

    CONSISTENT = "consistent"
    CONTRADICTORY = "contradictory about the claim"
    ELSEWHERE = "contradictory elsewhere"


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts of a verification run.

    Attributes:
        flawed: items with a finding.
        confusion: (gold label as written, decided label) -> items.
        declared: (declared consistent, how the premise was found) -> items.
        status: status -> items.
        causes: names of faults joined by ``+``, or ``unexplained`` -> wrong labels.
        findings: finding -> records.
        notes: note -> items, whatever the findings.
        cells: (cell, cause or ``right``) -> items with a gold label.
        follows: whether the gold label equals the published procedure's label -> items that the
            procedure labels wrongly.
        proved_reader: items whose texts the reader that is compiled from the Coq proofs has read.
    """

    items: int = 0
    flawed: int = 0
    unparsed: int = 0
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    declared: Counter[tuple[bool, Premise]] = field(default_factory=Counter)
    status: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    cells: Counter[tuple[Cell, str]] = field(default_factory=Counter)
    follows: Counter[bool] = field(default_factory=Counter)
    proved_reader: int = 0

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
        self.notes.update(notes(outcome))
        if record.declared is not None:
            found = Premise.CONSISTENT if verdict.consistent else Premise.ELSEWHERE
            if verdict.status is Status.CONTRADICTORY:
                found = Premise.CONTRADICTORY
            self.declared[record.declared, found] += 1
        if record.gold is None:
            return
        self.confusion[record.gold, str(outcome.label)] += 1
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
        self.notes.update(other.notes)
        self.cells.update(other.cells)
        self.follows.update(other.follows)
        self.proved_reader += other.proved_reader


def metrics(
    settings: ItemSettings,
    tally: Tally,
    datasets: Sequence[Dataset] = (),
    problems: Sequence[Problem] = (),
) -> dict[str, Any]:
    """The figures of a run as JSON values; counts are items."""
    declared: Counter[tuple[str, str]] = Counter()
    for (possible, found), count in tally.declared.items():
        consistent = found is Premise.CONSISTENT
        declared[DECLARED[possible], "consistent" if consistent else "contradictory"] += count
    return {
        "unparsed": tally.unparsed,
        "policy": settings.policy.value,
        **({} if settings.labels is None else {"labels": settings.labels.name}),
        "repaired": sorted(fault.value for fault in settings.repaired),
        "spatial": settings.spatial.value,
        "engines": [str(engine) for engine in settings.engines],
        "disagreements": 0,
        **({"proved_reader": tally.proved_reader} if settings.proved else {}),
        "confusion": _nested(tally.confusion),
        "declared": _nested(declared),
        "status": dict(sorted(tally.status.items())),
        "causes": tally.shown_causes(),
        "notes": dict(tally.notes),
        "datasets": [str(data.folder) for data in datasets],
        "problems": [
            {"flaw": problem.flaw.value, "where": problem.where, "message": problem.message}
            for problem in problems
        ],
    }


def _nested(counts: Counter[tuple[str, str]]) -> dict[str, dict[str, int]]:
    nested: dict[str, dict[str, int]] = {}
    for (outer, inner), count in sorted(counts.items()):
        nested.setdefault(outer, {})[inner] = count
    return nested
