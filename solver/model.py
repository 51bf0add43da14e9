"""The nouns that every room of the project speaks: events, points, claims, items, verdicts.

Plain frozen values without behaviour of the logic: what follows from what is said in
``encodings/``. Source: EventHopNLI, sections 3 and 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class Bound(StrEnum):
    """Which of an event's two points is meant."""

    START = "start"
    END = "end"

    # Points are looked up by the thousand; the enum's own hash is ten times slower than a string's.
    __hash__ = str.__hash__


class Order(StrEnum):
    """How a premise orders two points: ``<``, ``>``, ``=``."""

    BEFORE = "before"
    AFTER = "after"
    SIMULTANEOUS = "simultaneous"


class _Word(StrEnum):
    """A word that is itself alone: Allen's ``overlaps`` is not the paper's, though spelt alike."""

    def __eq__(self, other: object) -> bool:
        return self is other

    # A string's own would find two words of one spelling neither the same nor different.
    def __ne__(self, other: object) -> bool:
        return self is not other

    __hash__ = str.__hash__


class ClaimRelation(_Word):
    """The three claims of EventHopNLI; ``before`` and ``after`` include meeting."""

    BEFORE = "before"
    AFTER = "after"
    OVERLAPS = "overlaps"


class AllenRelation(_Word):
    """Allen's thirteen relations between two events (Allen 1983), each excluding the others."""

    PRECEDES = "precedes"
    MEETS = "meets"
    OVERLAPS = "overlaps"
    FINISHED_BY = "finished_by"
    CONTAINS = "contains"
    STARTS = "starts"
    EQUALS = "equals"
    STARTED_BY = "started_by"
    DURING = "during"
    FINISHES = "finishes"
    OVERLAPPED_BY = "overlapped_by"
    MET_BY = "met_by"
    PRECEDED_BY = "preceded_by"


class Domain(StrEnum):
    """The wording of an item; the meaning is the same in all three."""

    TEMPORAL = "temporal"
    SPATIAL = "spatial"
    LOGICAL = "logical"


class SpatialReading(StrEnum):
    """Which edge of a place is its start.

    ``geometric``: the western one, as a reader of the text understands it.
    ``published``: the eastern one, as the published generator maps it.
    """

    GEOMETRIC = "geometric"
    PUBLISHED = "published"


class Policy(StrEnum):
    """When a label is ``undefined``: see ``encodings/temporal/claims.lp``."""

    LOCAL = "local"
    GLOBAL = "global"
    PUBLISHED = "published"


class Status(StrEnum):
    """What a premise says of a claim."""

    ENTAILED = "entailed"
    REFUTED = "refuted"
    UNKNOWN = "unknown"
    CONTRADICTORY = "contradictory"


class Label(StrEnum):
    """The answer that an item has."""

    TRUE = "true"
    FALSE = "false"
    UNDEFINED = "undefined"


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """The start or the end of an event."""

    event: str
    bound: Bound

    # Certificates look points up by the thousand; the dataclass would make a tuple each time.
    def __hash__(self) -> int:
        """Differ by event and by bound."""
        return hash(self.event) ^ (self.bound is Bound.END)

    def __str__(self) -> str:
        """Name the point as the published texts do: ``start of X``."""
        return f"{self.bound} of {self.event}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """One sentence of a premise, or a claim about two points: ``left order right``."""

    left: Point
    order: Order
    right: Point

    def __str__(self) -> str:
        """Read as ``start of X before end of Y``."""
        return f"{self.left} {self.order} {self.right}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What an item asks about two different events."""

    left: str
    relation: ClaimRelation | AllenRelation
    right: str

    def __str__(self) -> str:
        """Read as ``X before Y``."""
        return f"{self.left} {self.relation} {self.right}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A premise and a claim; ``premise`` keeps the order of the text.

    The claim may name events that the premise never names: their points are free.
    """

    id: str
    premise: tuple[Relation, ...]
    claim: Claim | Relation
    domain: Domain = Domain.TEMPORAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a walk, from an earlier (or equal) point to a later one.

    ``relation`` is the index of the premise relation walked along, from 0; None for the
    duration axiom ``start < end`` of an event. ``strict`` tells ``<`` from ``<=``.
    """

    source: Point
    target: Point
    strict: bool
    relation: int | None


Walk: TypeAlias = tuple[Step, ...]
Timeline: TypeAlias = Mapping[Point, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """Certificate of *entailed* and *refuted*: a walk for each inequality that is needed."""

    walks: tuple[Walk, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle:
    """Certificate of *contradictory*: ``p < q`` by one walk and ``q < p`` by the other.

    Where a claim sets a point beside itself, one walk from the point back to it is enough, and
    ``backward`` is empty.

    ``core`` holds the indices, ascending, of a minimal unsatisfiable set of premise relations
    among those of the pair's strongly connected component.
    """

    forward: Walk
    backward: Walk
    core: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timelines:
    """Certificate of *unknown*: an instant for each point, once so that the claim holds, once not.

    Points of one cyclic component of an inconsistent premise share an instant.
    """

    holds: Timeline
    fails: Timeline


Certificate: TypeAlias = Chain | Cycle | Timelines


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What an engine says of an item.

    ``consistent`` speaks of the whole premise, ``status`` of the claim, ``label`` follows from
    both under the policy that was asked for.
    """

    status: Status
    consistent: bool
    label: Label
