"""The outcome of verifying one record."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from solver.model import Certificate, Item, Status, Verdict
from solver.records import ReadRecord


class Finding(StrEnum):
    """Finding codes of a record."""

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
        record: the record as read; an unreadable row counts as unparsed.
        item: the record's graph; None if its text does not parse, as are verdict and certificate.
        hops: premise relations on the shortest proof of the status; None for unknown.
        findings: in a fixed order; empty if the record is as declared.
        causes: for a wrong label, its causes; empty if unexplained.
        error: for an unparsed record or a claim of an event about itself, the whole message:
            position, found, expected.
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
        """Sizes of the item as parsed (not as declared)."""
        names = {p.event for r in self.item.premise for p in (r.left, r.right)} if self.item else ()
        return Cell(
            events=len(names),
            relations=len(self.item.premise) if self.item else 0,
            hops=self.hops,
            status=self.verdict.status if self.verdict else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The stratum of an outcome: sizes, hops and status."""

    events: int
    relations: int
    hops: int | None
    status: Status | None
