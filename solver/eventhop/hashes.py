"""Hashes of items that do not depend on names or on the order of sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from grammar.eventhop.model import AllenRelation, Claim, ClaimRelation, Item, Order
from solver.eventhop.engines.graph import number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.eventhop.sentences import Sentences

_WORD = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_ROUNDS = 3
# One label per kind of edge; includes the constant that ``_mix`` adds first.
_LABELS = tuple(((label + 1) * _GOLDEN) & _WORD for label in range(60))
_WEAK = 2
"""The kind of an edge ``earlier <= later``, where 1 is ``<`` and 0 is ``=``."""


_KIND = {
    Order.BEFORE: 1,
    Order.AFTER: 1,
    Order.SIMULTANEOUS: 0,
    Order.NOT_AFTER: _WEAK,
    Order.NOT_BEFORE: _WEAK,
}


class ItemHashes:
    """Hashes of an item, which do not depend on names or on the order of sentences."""

    def __init__(self, item: Item) -> None:
        numbered = number(item)
        self._item, self._claimed = item, numbered.claim
        self._events = len(numbered.events)
        self._edges = [
            (q, p, _KIND[order])
            if order is Order.AFTER or order is Order.NOT_BEFORE
            else (p, q, _KIND[order])
            for p, order, q in numbered.relations
        ]

    def timeline(self) -> int | None:
        """The hash of premise and claim; None if the claim is not one of the paper's three."""
        claim = self._item.claim
        if not isinstance(claim, Claim) or not isinstance(claim.relation, ClaimRelation):
            return None
        left, right = self._claimed
        return timeline_hash(
            self._edges,
            self._events,
            claimed=(right, left) if claim.relation is ClaimRelation.AFTER else (left, right),
            symmetric=claim.relation is ClaimRelation.OVERLAPS,
        )

    def graph(self) -> int:
        """The hash of the premise, without the claim."""
        return timeline_hash(self._edges, self._events, symmetric=True, claimed=None)

    def outline(self) -> int:
        """The hash of what the premises of a matched group have in common."""
        return outline_hash(self._edges, self._events)


def outline_hash(edges: Sequence[tuple[int, int, int]], events: int) -> int:
    """A 64-bit invariant of a premise that all items of a matched group have in common.

    Of the relations it sees which events they relate, and how many there are of each kind. So
    premises with different hashes differ, whatever their events are called, with any claim.

    Args:
        edges: relations between numbered points, as for ``timeline_hash``.
        events: number of events.
    """
    return next(outline_hashes(edges, events))


def outline_hashes(edges: Sequence[tuple[int, int, int]], events: int) -> Iterator[int]:
    """The outline hash of a premise, and that of the same premise with time reversed."""
    pairs = [(earlier >> 1, later >> 1) for earlier, later, _ in edges]
    # In the first round, all events have the same colour.
    degrees = [0] * events
    for first, last in pairs:
        degrees[first] += 1
        degrees[last] += 1
    colours = list(map(_first_colour, degrees))
    for _ in range(_ROUNDS - 1):
        sums = [colour * 7 for colour in colours]
        mixed = list(map(_mix, colours))
        for first, last in pairs:
            sums[first] += mixed[last]
            sums[last] += mixed[first]
        colours = [_mix(total & _WORD) for total in sums]
    # Both have the same events and pairs.
    for kinds in (_KINDS, _REVERSED):
        total = sum(colours)
        for earlier, later, kind in edges:
            total += kinds[kind][(earlier & 1) * 2 + (later & 1)]
        yield _mix(total & _WORD)


@lru_cache(1024)
def _first_colour(degree: int) -> int:
    """The colour after the first round of an event in so many relations."""
    colour = _mix(3)
    return _mix((7 * colour + degree * _mix(colour)) & _WORD)


def timeline_hash(
    edges: Sequence[tuple[int, int, int]],
    events: int,
    *,
    symmetric: bool,
    claimed: tuple[int, int] | None = (0, 1),
) -> int:
    """A 64-bit isomorphism invariant of a premise and its claim, or of the premise alone.

    Args:
        edges: relations between numbered points: ``earlier < later`` (kind 1, or True),
            ``earlier = later`` (0, or False), ``earlier <= later`` (2); event ``e`` has the points
            ``2 * e`` and ``2 * e + 1``.
        events: number of events.
        symmetric: whether the claim is *overlaps*, which is symmetric in its events.
        claimed: the claim's two events, the earlier one first for *before* and *after*; None for
            the premise alone.
    """
    colours = [_mix(3)] * events
    if claimed is not None:
        left, right = claimed
        colours[left] = _mix(1)
        colours[right] = _mix(1 if symmetric else 2)
    arms = []
    for earlier, later, kind in edges:
        first, last, bounds = earlier >> 1, later >> 1, (earlier & 1) * 2 + (later & 1)
        if kind == _WEAK:
            arms += [(first, last, _LABELS[41 + bounds]), (last, first, _LABELS[51 + bounds])]
        elif kind:
            arms += [(first, last, _LABELS[11 + bounds]), (last, first, _LABELS[21 + bounds])]
        else:
            turned = (later & 1) * 2 + (earlier & 1)
            arms += [(first, last, _LABELS[31 + bounds]), (last, first, _LABELS[31 + turned])]
    sums = [colour * 7 for colour in colours]
    for event, neighbour, label in arms:
        sums[event] += _FIRST[colours[neighbour] + label]
    colours = [_mix(total) for total in sums]
    for _ in range(_ROUNDS - 1):
        sums = [colour * 7 for colour in colours]
        for event, neighbour, label in arms:
            # ``_mix`` inlined: the calls would take half of the time.
            value = (colours[neighbour] + label) & _WORD
            value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
            value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _WORD
            sums[event] += value ^ (value >> 31)
        colours = [_mix(total) for total in sums]
    if claimed is None:
        return _mix(sum(colours) + len(edges))
    claim = colours[left] + colours[right] if symmetric else colours[left] + 3 * colours[right]
    return _mix(sum(colours) + _mix(claim) + len(edges) + 2 * symmetric)


def timeline_hashes(
    graphs: Sequence[tuple[Sequence[tuple[int, int, bool]], int, bool]],
) -> list[int]:
    """The timeline hashes of many premises whose claims are about the events 0 and 1.

    Ten times as fast as one by one: numpy wraps its unsigned integers as ``timeline_hash`` does.

    Args:
        graphs: edges, none of which is weak, number of events, and whether the claim is symmetric:
            see ``timeline_hash``.
    """
    import numpy as np

    if not graphs:
        return []
    sizes = np.array([events for _, events, _ in graphs])
    counts = np.array([len(edges) for edges, _, _ in graphs])
    symmetric = np.array([flag for _, _, flag in graphs])
    # All events in one row; those of a graph start at its base.
    base = np.cumsum(sizes) - sizes
    flat = np.fromiter((part for edges, _, _ in graphs for edge in edges for part in edge), int)
    earlier, later, strict = flat.reshape(-1, 3).T
    offset = np.repeat(base, counts)
    bounds, turned = (earlier & 1) * 2 + (later & 1), (later & 1) * 2 + (earlier & 1)
    ends = offset + (earlier >> 1), offset + (later >> 1)
    events, neighbours = np.concatenate(ends), np.concatenate(ends[::-1])
    kinds = np.where(strict, 11 + bounds, 31 + bounds), np.where(strict, 21 + bounds, 31 + turned)
    labels = np.array(_LABELS, np.uint64)[np.concatenate(kinds)]

    colours, more = _with_claims(
        int(sizes.sum()), (events, neighbours, labels), (base, base + 1), symmetric
    )
    totals = np.add.reduceat(colours, base) + more + counts.astype(np.uint64)
    hashes: list[int] = _mixed(totals).tolist()
    return hashes


def _spread(
    colours: NDArray[np.uint64],
    arms: tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.uint64]],
) -> NDArray[np.uint64]:
    """The colours of events after all rounds; ``arms`` are event, neighbour and label."""
    import numpy as np

    events, neighbours, labels = arms
    for _ in range(_ROUNDS):
        sums = colours * np.uint64(7)
        np.add.at(sums, events, _finished(colours[neighbours] + labels))
        colours = _mixed(sums)
    return colours


def _with_claims(
    events: int,
    arms: tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.uint64]],
    claimed: tuple[NDArray[np.intp], NDArray[np.intp]],
    symmetric: NDArray[np.bool_],
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The colours of the events of premises with claims, and what each claim adds to its hash."""
    import numpy as np

    left, right = claimed
    colours = np.full(events, _mix(3), np.uint64)
    colours[left] = _mix(1)
    colours[right] = np.where(symmetric, np.uint64(_mix(1)), np.uint64(_mix(2)))
    colours = _spread(colours, arms)
    times = np.where(symmetric, np.uint64(1), np.uint64(3)).astype(np.uint64)
    claims: NDArray[np.uint64] = colours[left] + times * colours[right]
    return colours, _mixed(claims) + np.uint64(2) * symmetric.astype(np.uint64)


def sentence_hashes(
    stated: Sentences, relations: Sequence[ClaimRelation | AllenRelation | None]
) -> tuple[list[int], list[int | None], list[int]]:
    """The hashes of many items, as ``ItemHashes`` has them: graphs, timelines and outlines.

    Args:
        stated: the sentences of the items.
        relations: the relation of each claim, None for a claim about points.
    """
    import numpy as np

    from solver.eventhop.sentences import ORDERS

    after = np.array([relation is ClaimRelation.AFTER for relation in relations])
    symmetric = np.array([relation is ClaimRelation.OVERLAPS for relation in relations])
    of, counts = stated.events // len(stated.names.words), stated.steps.sizes.astype(np.uint64)
    code = {str(order): number for number, order in enumerate(ORDERS)}
    turned = np.isin(stated.order, [code[Order.AFTER], code[Order.NOT_BEFORE]])
    kind = np.array([_KIND[Order(order)] for order in ORDERS])[stated.order]
    left, right = stated.ends
    earlier, later = np.where(turned, right, left), np.where(turned, left, right)
    low = np.where(turned, stated.right_point, stated.left_point)
    high = np.where(turned, stated.left_point, stated.right_point)
    bounds, back = low * 2 + high, high * 2 + low
    forth = np.array([31, 11, 41])[kind] + bounds
    labels = np.array(_LABELS, np.uint64)[
        np.concatenate([forth, np.where(kind == 0, 31 + back, forth + 10)])
    ]
    ends, neighbours = np.concatenate([earlier, later]), np.concatenate([later, earlier])

    def sums(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """The sum of the events of each item."""
        found = np.zeros(stated.steps.items, np.uint64)
        np.add.at(found, of, values)
        return found

    arms, (first, second) = (ends, neighbours, labels), stated.claims
    claimed = np.where(after, second, first), np.where(after, first, second)
    plain = np.full(len(stated.events), _mix(3), np.uint64)
    graphs = _mixed(sums(_spread(plain, arms)) + counts)
    colours, more = _with_claims(len(plain), arms, claimed, symmetric)
    timelines = _mixed(sums(colours) + more + counts).tolist()

    colours = plain
    for _ in range(_ROUNDS):
        found, mixed = colours * np.uint64(7), _mixed(colours)
        np.add.at(found, ends, mixed[neighbours])
        colours = _mixed(found)
    totals = sums(colours)
    np.add.at(totals, stated.steps.of, np.array(_KINDS, np.uint64)[kind, bounds])
    known = [isinstance(relation, ClaimRelation) for relation in relations]
    shown = [value if of_paper else None for value, of_paper in zip(timelines, known, strict=True)]
    return graphs.tolist(), shown, _mixed(totals).tolist()


def _finished(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The last step of ``_mix``, of many numbers: numpy wraps its unsigned integers."""
    import numpy as np

    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """``_mix`` of many numbers."""
    import numpy as np

    return _finished(values + np.uint64(_GOLDEN))


def _mix(value: int) -> int:
    """Spread a number over 64 bits (the finaliser of splitmix64)."""
    value = (value + _GOLDEN) & _WORD
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _WORD
    return value ^ (value >> 31)


# What a relation adds to an outline, by its kind and its bounds; ``=`` is symmetric.
_KINDS = tuple(
    tuple(_mix(_LABELS[n]) for n in some) for some in ((4, 5, 5, 6), (0, 1, 2, 3), (7, 8, 9, 10))
)
# With time reversed, starts become ends, and the later point the earlier one.
_REVERSED = tuple(
    tuple(_mix(_LABELS[n]) for n in some) for some in ((6, 5, 5, 4), (3, 1, 2, 0), (10, 8, 9, 7))
)
# What a neighbour adds in the first round, by its colour and the label of the edge.
_FIRST = {
    colour + label: _mix(colour + label - _GOLDEN)
    for colour in map(_mix, (1, 2, 3))
    for label in _LABELS
}
