"""What a wrong gold label is put down to: faults of the published procedure, or a circumstance."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from solver.causes import causes
from solver.model import (
    Bound,
    Claim,
    Domain,
    Item,
    Label,
    Point,
    Policy,
    Relation,
    SpatialReading,
    Verdict,
)
from solver.policy import label
from solver.published import Fault, UnpublishedClaimError, published_label
from solver.verify.settings import Settings


class Circumstance(StrEnum):
    """Why a label can be wrong though the procedure that gave it did nothing wrong."""

    POLICY = "policy"
    """It is right under ``local``, and the run was asked under another policy."""

    SPATIAL_READING = "spatial-reading"
    """It speaks of a place's eastern edge as its start, where the run takes the western."""


def blame(item: Item, gold: Label, decided: Verdict, settings: Settings) -> tuple[str, ...]:
    """The causes of a wrong label; empty if nothing known explains it.

    Args:
        item: the item as it was read.
        gold: the label of its file, which is not the label of ``decided`` under the policy.
        decided: what the engines say.
        settings: how the run was asked.
    """
    local = label(decided.status, consistent=decided.consistent, policy=Policy.LOCAL)
    if settings.policy is Policy.PUBLISHED:
        return ()
    if gold is local:
        return (Circumstance.POLICY,)
    if item.domain is Domain.SPATIAL and settings.spatial is SpatialReading.GEOMETRIC:
        return _reading(item, gold)
    return tuple(causes(item, gold, local))


def _reading(item: Item, gold: Label) -> tuple[str, ...]:
    """The causes of a label given to a place's edges as they are published.

    The published reading is asked first: in the other one the printed procedure may give the gold
    label too, but only by coincidence.
    """
    turned = _turned(item)
    try:
        printed, repaired = published_label(turned), published_label(turned, frozenset(Fault))
    except UnpublishedClaimError:
        return ()
    if printed is not gold:
        return ()
    return (Circumstance.SPATIAL_READING, *causes(turned, gold, repaired))


def _turned(item: Item) -> Item:
    """The item with the two edges of each place exchanged: the other reading of its text."""
    premise = tuple(_turned_relation(relation) for relation in item.premise)
    claim = item.claim if isinstance(item.claim, Claim) else _turned_relation(item.claim)
    return replace(item, premise=premise, claim=claim)


def _turned_relation(relation: Relation) -> Relation:
    return replace(relation, left=_other(relation.left), right=_other(relation.right))


def _other(point: Point) -> Point:
    return replace(point, bound=Bound.END if point.bound is Bound.START else Bound.START)
