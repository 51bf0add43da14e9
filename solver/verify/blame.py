"""Causes of a wrong gold label: faults of the published procedure, or a circumstance."""

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
    """Why a label can differ although its procedure made no error."""

    POLICY = "policy"
    """The label is correct under ``local``, but the run uses another policy."""

    SPATIAL_READING = "spatial-reading"
    """The label takes a place's eastern edge as its start, the run its western edge."""


def label_causes(item: Item, gold: Label, decided: Verdict, settings: Settings) -> tuple[str, ...]:
    """The causes of a wrong label; empty if it is unexplained.

    Args:
        item: the item as parsed.
        gold: the gold label, which differs from the decided one.
        decided: the engines' verdict.
        settings: settings of the run.
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
    """The causes of a label given in the published spatial reading.

    Only the published reading is considered: in the geometric one the printed procedure may give
    the gold label as well, but only by coincidence.
    """
    swapped = _swap_edges(item)
    try:
        printed, repaired = published_label(swapped), published_label(swapped, frozenset(Fault))
    except UnpublishedClaimError:
        return ()
    if printed is not gold:
        return ()
    return (Circumstance.SPATIAL_READING, *causes(swapped, gold, repaired))


def _swap_edges(item: Item) -> Item:
    """The item in the other spatial reading: the two edges of each place are swapped."""
    premise = tuple(_swap_relation(relation) for relation in item.premise)
    claim = item.claim if isinstance(item.claim, Claim) else _swap_relation(item.claim)
    return replace(item, premise=premise, claim=claim)


def _swap_relation(relation: Relation) -> Relation:
    return replace(relation, left=_swap_point(relation.left), right=_swap_point(relation.right))


def _swap_point(point: Point) -> Point:
    return replace(point, bound=Bound.END if point.bound is Bound.START else Bound.START)
