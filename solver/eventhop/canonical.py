"""Hash of an item up to isomorphism: an invariant of the graph of its premise and claim.

Weisfeiler-Leman colour refinement. Isomorphic items (equal up to renaming events, reordering
sentences, writing ``q after p`` for ``p before q``, or swapping the sides of a symmetric relation)
have equal hashes, so different hashes prove that items are not isomorphic, and splits whose hashes
are disjoint share no timeline.
"""

from __future__ import annotations

from collections.abc import Sequence

from grammar.eventhop.model import Claim, ClaimRelation, Item, Order
from solver.eventhop.numbering import number

_WORD = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_ROUNDS = 3
# One label per kind of edge; includes the constant that ``_mix`` adds first.
_LABELS = tuple(((label + 1) * _GOLDEN) & _WORD for label in range(40))


def item_hash(item: Item) -> int | None:
    """The hash of an item; None if its claim is not one of the paper's three."""
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
    """A 64-bit isomorphism invariant of a premise and its claim.

    Args:
        edges: relations between numbered points, ``earlier < later`` or, if not strict,
            ``earlier = later``; event ``e`` has the points ``2 * e`` and ``2 * e + 1``.
        events: number of events.
        symmetric: whether the claim is *overlaps*, which is symmetric in its events.
        claimed: the claim's two events, the earlier one first for *before* and *after*.
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
            # ``_mix`` inlined: the calls would take half of the time.
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
