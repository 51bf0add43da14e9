"""What a certificate proves, as steps between points, for words and drawings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from grammar.eventhop.model import Order, Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a walk, from an earlier (or equal) point to a later one.

    ``relation`` is the index of the premise relation, from 0; None for the duration axiom
    ``start < end`` of an event. ``strict`` is true for ``<``; of other steps, ``weak`` is true for
    ``<=``, false for ``=``.
    """

    source: Point
    target: Point
    strict: bool
    weak: bool = False
    relation: int | None


Steps: TypeAlias = tuple[Step, ...]


def order_of(walk: Iterable[Step]) -> Order:
    """The order that steps derive of the first point and the last one."""
    weak = False
    for step in walk:
        if step.strict:
            return Order.BEFORE
        weak |= step.weak
    return Order.NOT_AFTER if weak else Order.SIMULTANEOUS


Timeline: TypeAlias = Mapping[Point, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """Evidence of *entailed* and *refuted*.

    Attributes:
        walks: a walk for each inequality that is derived; none for a trivial one.
        apart: a timeline that keeps the points of the claim apart.
        elsewhere: a closed walk that shows that the premise is inconsistent; empty if it is not.
    """

    walks: tuple[Steps, ...]
    apart: Timeline
    elsewhere: Steps = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle:
    """Evidence of *contradictory*: a closed walk, cut at two points of the claim.

    If it passes only one, ``backward`` is empty. ``core`` is a minimal unsatisfiable core of its
    relations, as ascending indices.
    """

    forward: Steps
    backward: Steps
    core: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timelines:
    """Evidence of *unknown*: a timeline on which the claim holds and one on which it fails.

    Points on a cycle of an inconsistent premise share an instant; ``elsewhere`` is such a cycle.
    """

    holds: Timeline
    fails: Timeline
    elsewhere: Steps = ()


Evidence: TypeAlias = Chain | Cycle | Timelines


def relations_used(found: Evidence) -> frozenset[int]:
    """The premise relations on the walks that prove a status."""
    match found:
        case Chain():
            walks = found.walks
        case Cycle():
            walks = (found.forward, found.backward)
        case Timelines():
            walks = ()
    return frozenset(step.relation for walk in walks for step in walk if step.relation is not None)
