"""The data model shared by all packages: events, points, claims, items, verdicts, certificates.

Frozen values without logic; the semantics is defined in ``encodings/``. Source: EventHopNLI,
sections 3 and 8.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Bound(StrEnum):
    """Which of an event's two points."""

    START = "start"
    END = "end"

    # Points are dictionary keys: the enum's default hash is ten times slower than a string's.
    __hash__ = str.__hash__


class Order(StrEnum):
    """How a premise orders two points: ``<``, ``>``, ``=``, and the weak orders ``<=``, ``>=``."""

    BEFORE = "before"
    AFTER = "after"
    SIMULTANEOUS = "simultaneous"
    NOT_AFTER = "not_after"
    NOT_BEFORE = "not_before"

    __hash__ = str.__hash__


PUBLISHED_ORDERS = (Order.BEFORE, Order.AFTER, Order.SIMULTANEOUS)
"""The orders that have phrases in the published texts, as the generators write them."""

STRICT_ORDERS = frozenset((Order.BEFORE, Order.AFTER))
"""The orders that keep two points apart."""


class _Word(StrEnum):
    """An enum compared by identity: Allen's ``overlaps`` differs from the paper's ``overlaps``."""

    def __eq__(self, other: object) -> bool:
        return self is other

    # Without this, ``str.__ne__`` would be inconsistent with ``__eq__``.
    def __ne__(self, other: object) -> bool:
        return self is not other

    __hash__ = str.__hash__


class ClaimRelation(_Word):
    """The three claims of EventHopNLI; ``before`` and ``after`` include meeting."""

    BEFORE = "before"
    AFTER = "after"
    OVERLAPS = "overlaps"


class AllenRelation(_Word):
    """Allen's thirteen relations between two events (Allen 1983), mutually exclusive."""

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
    """The wording of an item; all three have the same semantics."""

    TEMPORAL = "temporal"
    SPATIAL = "spatial"
    LOGICAL = "logical"


class SpatialReading(StrEnum):
    """Which edge of a place is its start.

    ``geometric``: the western one, which is the natural reading.
    ``published``: the eastern one, as in the published generator.
    """

    GEOMETRIC = "geometric"
    PUBLISHED = "published"


class Policy(StrEnum):
    """When a label is ``undefined``: see ``encodings/temporal/labels.lp``."""

    LOCAL = "local"
    GLOBAL = "global"
    PUBLISHED = "published"


class Status(StrEnum):
    """The logical status of a claim given its premise."""

    ENTAILED = "entailed"
    REFUTED = "refuted"
    UNKNOWN = "unknown"
    CONTRADICTORY = "contradictory"

    __hash__ = str.__hash__


class Label(StrEnum):
    """The label of an item."""

    TRUE = "true"
    FALSE = "false"
    UNDEFINED = "undefined"


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """The start or the end of an event."""

    event: str
    bound: Bound

    # Points are dictionary keys: the dataclass's default hash builds a tuple each time.
    def __hash__(self) -> int:
        """Hash of the event and the bound."""
        return hash(self.event) ^ (self.bound is Bound.END)

    def __str__(self) -> str:
        """Format as in the published texts: ``start of X``."""
        return f"{self.bound} of {self.event}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """One sentence of a premise, or a claim about two points: ``left order right``."""

    left: Point
    order: Order
    right: Point

    def __str__(self) -> str:
        """Format as ``start of X before end of Y``."""
        return f"{self.left} {self.order} {self.right}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A hypothesis about two events."""

    left: str
    relation: ClaimRelation | AllenRelation
    right: str

    def __str__(self) -> str:
        """Format as ``X before Y``."""
        return f"{self.left} {self.relation} {self.right}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A premise and a claim; ``premise`` is in text order.

    The claim may name events that the premise does not mention: their points are unconstrained.
    """

    id: str
    premise: tuple[Relation, ...]
    claim: Claim | Relation
    domain: Domain = Domain.TEMPORAL

    @property
    def names(self) -> tuple[str, ...]:
        """The events as they are named in the texts, repeated, in the order of the texts."""
        claim = self.claim
        relations = self.premise if isinstance(claim, Claim) else (*self.premise, claim)
        points = tuple(
            point.event for relation in relations for point in (relation.left, relation.right)
        )
        return (*points, claim.left, claim.right) if isinstance(claim, Claim) else points


class Walk(NamedTuple):
    """A walk from a point along relations of a premise and durations.

    Attributes:
        start: number of the first point.
        steps: for each step the index of a premise relation, from 0; None for the duration axiom
            ``start < end`` of an event. Relations and first point determine the other points.
    """

    start: int
    steps: tuple[int | None, ...]


class Distances(NamedTuple):
    """Fewest premise relations of walks from a point; no step improves them.

    Attributes:
        source: number of the point.
        beyond: the bound for the points that are not listed.
        near: (point, bound for a walk, bound for a walk with a strict step).
    """

    source: int
    beyond: int
    near: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """The proof of a verdict, in numbers: point ``2 * e`` is the start of event ``e``.

    Attributes:
        events: names, in the order of their first mention.
        walks: entailed: one for each requirement of the claim; refuted: one, for the opposite of a
            requirement; otherwise empty.
        cycle: a closed walk with a strict step; None if the premise is consistent. If the status is
            *contradictory*, it passes two different points of the claim.
        timelines: monotone timelines, as the instant of each point: one keeps the points of the
            claim apart, one is a model of a consistent premise, and the others show what cannot
            be derived. Empty if the status is *contradictory*.
        distances: lower bounds that show that no proof needs fewer relations.
    """

    events: tuple[str, ...]
    walks: tuple[Walk, ...] = ()
    cycle: Walk | None = None
    timelines: tuple[tuple[int, ...], ...] = ()
    distances: tuple[Distances, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The result of an engine for an item.

    ``consistent`` is about the whole premise, ``status`` about the claim; the policy derives
    ``label`` from both.
    """

    status: Status
    consistent: bool
    label: Label
