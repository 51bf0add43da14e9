"""Cells: the strata that a data set is balanced over.

Source: EventHopNLI, section 3.2: events, relations, claim relation, label, contradiction, hops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from random import Random
from typing import TypeAlias, TypeVar

from grammar.eventhop.model import Bound, ClaimRelation, Label, Status
from solver.io.sources import counted

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
        # The command reads the presets with each help page, and no cell.
        from solver.eventhop.dataset import cell_name

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


T = TypeVar("T")
START, END = 0, 1
BOUNDS = (Bound.START, Bound.END)


class Kind(IntEnum):
    """Which bounds are related (same, start with end, end with start), and how."""

    STRICT_SAME = 0
    STRICT_START_END = 1
    STRICT_END_START = 2
    EQUAL_SAME = 3
    EQUAL_MIXED = 4

    @property
    def strict(self) -> bool:
        """Whether the relation is ``<`` rather than ``=``."""
        return self < Kind.EQUAL_SAME


Bag: TypeAlias = list[int]
"""Number of remaining relations of each kind, indexed by ``Kind``."""

SIDES = (
    ((START, START), (END, END)),
    ((START, END),),
    ((END, START),),
    ((START, START), (END, END)),
    ((START, END), (END, START)),
)
"""For each kind, the bounds of its earlier and its later point."""

_KINDS = tuple(Kind)


def kind_of(earlier: int, later: int) -> Kind:
    """The kind of a strict relation between two points."""
    if earlier & 1 == later & 1:
        return Kind.STRICT_SAME
    return Kind.STRICT_END_START if earlier & 1 else Kind.STRICT_START_END


_STRICT = (45, 30, 25)
_EQUAL = (20, 20)


def draw(random: Random, relations: int, *, equal: bool) -> Bag:
    """Draw a bag of that many relations; ``equal``: whether ``=`` may occur."""
    weights = (*_STRICT, *(_EQUAL if equal else (0, 0)))
    bag = [0] * len(Kind)
    for kind in random.choices(_KINDS, weights, k=relations):
        bag[kind] += 1
    return bag


def draw_loosely(random: Random, relations: int, equals: int) -> Bag:
    """Draw a bag of that many relations, ``equals`` of them ``=``.

    Expected word counts are the same for all such bags: a relation of either kind has one start and
    one end, or as often two starts as two ends.
    """
    bag = [0] * len(Kind)
    for kind in random.choices(_KINDS[:3], _STRICT, k=relations - equals):
        bag[kind] += 1
    for kind in random.choices(_KINDS[3:], _EQUAL, k=equals):
        bag[kind] += 1
    return bag


def in_random_order(random: Random, bag: Bag) -> list[Kind]:
    """The kinds left in a bag in random order, weighted by their counts."""
    number = random.random
    keys = [(number() * count, kind) for kind, count in enumerate(bag) if count]
    keys.sort(reverse=True)
    return [_KINDS[kind] for _, kind in keys]


def pick(random: Random, things: Sequence[T]) -> T:
    """Choose one of a few elements; three times as fast as ``choice``."""
    return things[int(random.random() * len(things))]
