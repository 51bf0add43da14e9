"""The heading of a drawing: the claim, its status and label, the hops."""

from __future__ import annotations

from dataclasses import dataclass

from solver.drawing.names import display_names, isolate
from solver.model import Claim, Item, Relation, Status, Verdict
from solver.wording import claim_in_words, claimed_events, hops_in_words, status_in_words

CLAIM_NAME_WIDTH = 34


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    """A drawing's heading."""

    claim: str
    status: Status
    explained: str


def caption(item: Item, verdict: Verdict, hops: int | None) -> Caption:
    """Make the heading of an item's drawing."""
    parts = [status_in_words(verdict), hops_in_words(hops), f"label {verdict.label}"]
    return Caption(
        claim=f"Claim: {claim_in_words(_displayed(item))}",
        status=verdict.status,
        explained=" · ".join(part for part in parts if part),
    )


def _displayed(item: Item) -> Claim | Relation:
    shown = display_names(claimed_events(item), CLAIM_NAME_WIDTH)
    names = {name: isolate(form) for name, form in shown.items()}
    claim = item.claim
    if isinstance(claim, Claim):
        return Claim(left=names[claim.left], relation=claim.relation, right=names[claim.right])
    left, right = (
        type(point)(event=names[point.event], bound=point.bound)
        for point in (claim.left, claim.right)
    )
    return Relation(left=left, order=claim.order, right=right)
