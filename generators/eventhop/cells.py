"""Cells: the strata that a data set is balanced over.

Source: EventHopNLI, section 3.2: events, relations, claim relation, label, contradiction, hops.
"""

from __future__ import annotations

from dataclasses import dataclass

from solver.model import ClaimRelation, Label, Status
from solver.verify.inventory import cell_name
from solver.wording import counted

EVENTS = (4, 8, 16, 32)
MULTIPLIERS = (0.5, 1.0, 2.0)
FEWEST_RELATIONS, MOST_RELATIONS = 3, 32
MOST_HOPS = 8


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Shape:
    """Exact numbers of events and relations."""

    events: int
    relations: int

    def __str__(self) -> str:
        """Format as ``8x16``."""
        return f"{self.events}x{self.relations}"


def shapes() -> tuple[Shape, ...]:
    """The paper's shapes; for 32 events two multipliers are clipped to the same number."""
    found = {
        Shape(
            events=events,
            relations=min(max(int(multiplier * events), FEWEST_RELATIONS), MOST_RELATIONS),
        )
        for events in EVENTS
        for multiplier in MULTIPLIERS
    }
    return tuple(sorted(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One stratum of items.

    Attributes:
        contradiction: whether the premise is inconsistent; for the status *contradictory* at the
            claim, otherwise away from it.
        hops: None for *unknown*.
    """

    shape: Shape
    claim: ClaimRelation
    status: Status
    contradiction: bool
    hops: int | None

    @property
    def label(self) -> Label:
        """The label under the local policy."""
        return LABELS[self.status]

    @property
    def key(self) -> str:
        """Key for sorting and counting."""
        return cell_name(
            events=self.shape.events,
            relations=self.shape.relations,
            claim=self.claim,
            status=self.status,
            consistent=not self.contradiction,
            hops=self.hops,
        )

    def __str__(self) -> str:
        """Format as ``8 events, 16 relations: before, entailed in 3 hops``."""
        hops = "" if self.hops is None else f" in {counted(self.hops, 'hop')}"
        away = ", contradiction elsewhere"
        more = away if self.contradiction and self.status is not Status.CONTRADICTORY else ""
        size = f"{counted(self.shape.events, 'event')}, {counted(self.shape.relations, 'relation')}"
        return f"{size}: {self.claim}, {self.status}{hops}{more}"


LABELS = {
    Status.ENTAILED: Label.TRUE,
    Status.REFUTED: Label.FALSE,
    Status.UNKNOWN: Label.FALSE,
    Status.CONTRADICTORY: Label.UNDEFINED,
}


def hop_levels(shape: Shape, most: int = MOST_HOPS) -> tuple[int, ...]:
    """Hop counts of a shape: a chain through every event has one hop fewer than events."""
    return tuple(range(1, min(shape.events - 1, most) + 1))
