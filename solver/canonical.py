"""Timelines up to the names of events: an invariant of the graph of a premise and its claim.

Colours are refined as by Weisfeiler and Leman: each event takes up the colours of its neighbours
with the relations that join them. Two items whose timelines are the same (one becomes the other by
renaming events, reordering sentences, turning *before* into *after*, writing ``q = p`` for
``p = q``, ``B after A`` for ``A before B``) have the same hash; so different hashes prove different
timelines, and a timeline whose hash lies on one side of a split is not on the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from solver.model import Claim, ClaimRelation, Item, Order
from solver.numbering import number

_WORD = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_ROUNDS = 3
# Far apart, one for each way that an arm leads; with what ``_mix`` adds first.
_LABELS = tuple(((label + 1) * _GOLDEN) & _WORD for label in range(40))


def item_hash(item: Item) -> int | None:
    """The hash of an item's timeline as it reads; None unless it claims what the paper claims."""
    claim = item.claim
    if not isinstance(claim, Claim) or not isinstance(claim.relation, ClaimRelation):
        return None
    numbered = number(item)
    edges = [
        (q, p, True) if order is Order.AFTER else (p, q, order is Order.BEFORE)
        for p, order, q in numbered.relations
    ]
    left, right = numbered.claim
    return timeline_hash(
        edges,
        len(numbered.events),
        claimed=(right, left) if claim.relation is ClaimRelation.AFTER else (left, right),
        symmetric=claim.relation is ClaimRelation.OVERLAPS,
    )


def timeline_hash(
    edges: Sequence[tuple[int, int, bool]],
    events: int,
    *,
    symmetric: bool,
    claimed: tuple[int, int] = (0, 1),
) -> int:
    """64 bits that the timeline determines.

    Args:
        edges: relations between numbered points, ``earlier < later`` or, if not strict,
            ``earlier = later``; event ``e`` has the points ``2 * e`` and ``2 * e + 1``.
        events: how many there are.
        symmetric: whether the claim is *overlaps*, which does not tell its events apart.
        claimed: the claim's two events, the earlier first if the claim is of an order.
    """
    left, right = claimed
    colours = [_mix(3)] * events
    colours[left] = _mix(1)
    colours[right] = _mix(1 if symmetric else 2)
    arms = []
    for earlier, later, strict in edges:
        first, last, bounds = earlier >> 1, later >> 1, (earlier & 1) * 2 + (later & 1)
        if strict:
            arms += [(first, last, _LABELS[11 + bounds]), (last, first, _LABELS[21 + bounds])]
        else:
            turned = (later & 1) * 2 + (earlier & 1)
            arms += [(first, last, _LABELS[31 + bounds]), (last, first, _LABELS[31 + turned])]
    for _ in range(_ROUNDS):
        sums = [colour * 7 for colour in colours]
        for event, neighbour, label in arms:
            # As ``_mix`` does: a call for each arm would take half of the time.
            value = (colours[neighbour] + label) & _WORD
            value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
            value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _WORD
            sums[event] += value ^ (value >> 31)
        colours = [_mix(total) for total in sums]
    claim = colours[left] + colours[right] if symmetric else colours[left] + 3 * colours[right]
    return _mix(sum(colours) + _mix(claim) + len(edges) + 2 * symmetric)


def _mix(value: int) -> int:
    """Spread a number over 64 bits (the finaliser of splitmix64)."""
    value = (value + _GOLDEN) & _WORD
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _WORD
    return value ^ (value >> 31)
