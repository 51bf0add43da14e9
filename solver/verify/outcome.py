"""What verification found out about one record."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from solver.model import Certificate, Item, Status, Verdict
from solver.records import ReadRecord


class Finding(StrEnum):
    """What can be wrong with a record."""

    UNPARSED = "unparsed"
    WRONG_LABEL = "wrong-label"
    WRONG_CONSISTENCY = "wrong-consistency"
    WRONG_HOPS = "wrong-hops"
    SELF_CLAIM = "self-claim"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One record, decided and certified.

    Attributes:
        record: as it was read; a row that could not be read counts as unparsed.
        item: the record's graph; None if its text does not parse, and then so are verdict and
            certificate.
        hops: premise relations on the shortest chain that shows the status; None for unknown.
        findings: what is wrong, in a fixed order; empty for a record that is as declared.
        causes: for a wrong label, the names of the faults of the published procedure that explain
            it, in their fixed order; empty if they do not.
        error: for an unparsed record or a claim of an event about itself, the whole message: place,
            found, expected.
    """

    record: ReadRecord
    item: Item | None = None
    verdict: Verdict | None = None
    certificate: Certificate | None = None
    hops: int | None = None
    findings: tuple[Finding, ...] = ()
    causes: tuple[str, ...] = ()
    error: str | None = None

    @property
    def cell(self) -> Cell:
        """Sizes of the item as it reads (not as the file declares them)."""
        names = {p.event for r in self.item.premise for p in (r.left, r.right)} if self.item else ()
        return Cell(
            events=len(names),
            relations=len(self.item.premise) if self.item else 0,
            hops=self.hops,
            status=self.verdict.status if self.verdict else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The sizes by which outcomes are broken down."""

    events: int
    relations: int
    hops: int | None
    status: Status | None
