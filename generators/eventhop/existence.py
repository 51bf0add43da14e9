"""Which cells cannot exist, and why: decided by counting, before anything is drawn.

The relations that determine a status (its skeleton) are ``s`` relations on ``e`` events. The other
``m - s`` relations name at most two more events each. So an item of ``n`` events needs a skeleton
with ``e <= n`` and ``n - e <= 2 * (m - s)``. ``encodings/generation/cells.lp`` verifies for small
shapes that there is no other skeleton, with chains of at most ``n - 1`` relations (a shortest chain
enters an event twice only if it passes a cycle; such chains are not generated).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generators.eventhop.cells import Cell
from solver.model import ClaimRelation, Status
from solver.wording import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Skeleton:
    """The size of a skeleton; ``inner`` events lie inside its chains."""

    relations: int
    events: int
    inner: int
    what: str

    def fits(self, cell: Cell) -> bool:
        """Whether the other relations can name the other events, and only these."""
        spare = cell.shape.relations - self.relations
        unnamed = cell.shape.events - self.events
        return spare >= 0 and 0 <= unnamed <= 2 * spare


def impossibility(cell: Cell, *, equal: bool = True) -> str | None:
    """Explain why the cell cannot exist; None if it can.

    Args:
        cell: the cell.
        equal: whether premises may contain *simultaneous*.
    """
    if cell.status is Status.CONTRADICTORY and not cell.contradiction:
        return "a claim whose points contradict each other makes the premise inconsistent"
    if cell.status is Status.CONTRADICTORY and cell.hops == 1:
        return "one relation between two events contradicts nothing: a cycle takes two"
    if (cell.hops is None) is not (cell.status is Status.UNKNOWN):
        return "only the status unknown has no hops"
    tried = list(_skeletons(cell, equal=equal))
    if any(skeleton.fits(cell) for skeleton in tried):
        return None
    least = min(tried, key=lambda one: (one.relations * 2 - one.events, one.relations))
    return _reason(cell, least)


def _reason(cell: Cell, least: Skeleton) -> str:
    shape = cell.shape
    spare = shape.relations - least.relations
    takes = (
        f"{least.what} takes {counted(least.relations, 'relation')} on "
        f"{counted(least.events, 'event')}"
    )
    if spare < 0:
        return f"{takes}; there are {shape.relations}"
    if least.events > shape.events:
        return f"{takes}; there are {shape.events}"
    if spare == 0:
        unnamed = counted(shape.events - least.events, "event")
        return f"{takes}; no relation is left to name {unnamed} more"
    return (
        f"{takes}; the other {spare} name at most {2 * spare} more, and "
        f"{shape.events - least.events} are left"
    )


def _skeletons(cell: Cell, *, equal: bool) -> Iterator[Skeleton]:
    for one in _showing(cell, equal=equal):
        if not cell.contradiction or cell.status is Status.CONTRADICTORY:
            yield one
            continue
        what = f"{one.what} with a cycle elsewhere" if one.what else "a cycle"
        # On new events; through one point of an existing event; back along a chain.
        ways = [(2, 2), (2, 1)]
        if one.inner:
            ways.append((1, 0))
        for relations, events in ways:
            yield Skeleton(
                relations=one.relations + relations,
                events=one.events + events,
                inner=one.inner,
                what=what,
            )


def _showing(cell: Cell, *, equal: bool) -> Iterator[Skeleton]:
    hops = cell.hops or 0
    if cell.status is Status.UNKNOWN:
        # Some relation has to name each event of the claim.
        yield Skeleton(relations=1, events=2, inner=0, what="naming the claim's events")
        yield Skeleton(relations=2, events=4, inner=0, what="naming the claim's events")
    elif cell.status is Status.CONTRADICTORY:
        yield Skeleton(relations=hops, events=hops, inner=0, what=f"a cycle of {hops}")
    else:
        overlapping = cell.claim is ClaimRelation.OVERLAPS and cell.status is Status.ENTAILED
        if equal or not overlapping:
            what = f"a chain of {counted(hops, 'hop')}"
            # A cycle on a chain of ``=`` only would contain the claim's own points.
            inner = 0 if overlapping else hops - 1
            yield Skeleton(relations=hops, events=hops + 1, inner=inner, what=what)
        if overlapping:
            for back in range(1, hops + 1):
                yield Skeleton(
                    relations=hops + back,
                    events=hops + back,
                    inner=hops - 1,
                    what=f"two chains, of {counted(hops, 'hop')} and of {back},",
                )
