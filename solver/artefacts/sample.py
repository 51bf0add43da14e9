"""The input of the artefact checks: texts, label and counts of an item."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import product

from solver.model import Bound, Claim, Item, Label, Order, Point, Relation
from solver.records import Record

LIMIT = 20_000
"""Maximum number of items."""

KINDS = tuple(product(Bound, Order, Bound))
"""The twelve kinds of premise relation, such as ``end before start``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The text and counts of an item, and its gold label.

    Attributes:
        relation: the claim relation; empty if unknown.
        events, relations: numbers of events and relations; 0 if unknown.
        kinds: number of premise relations of each of ``KINDS``; empty if unknown.
    """

    premise: str
    claim: str
    gold: Label
    relation: str = ""
    events: int = 0
    relations: int = 0
    kinds: tuple[int, ...] = ()


def sample(record: Record, item: Item | None) -> Sample | None:
    """The sample of a record; None if it has no gold label.

    Args:
        record: the texts and the label.
        item: its graph; None if the text does not parse, which leaves the counts unknown.
    """
    if record.label is None:
        return None
    seen = Sample(premise=record.premise, claim=record.claim, gold=record.label)
    if item is None:
        return seen
    counts = Counter((r.left.bound, r.order, r.right.bound) for r in item.premise)
    return replace(
        seen,
        relation=_claimed(item.claim),
        events=len({point.event for r in item.premise for point in (r.left, r.right)}),
        relations=len(item.premise),
        kinds=tuple(counts[kind] for kind in KINDS),
    )


def _claimed(claim: Claim | Relation) -> str:
    if isinstance(claim, Claim):
        return claim.relation.value
    return f"{_bound(claim.left)} {claim.order} {_bound(claim.right)}"


def _bound(point: Point) -> str:
    return point.bound.value
