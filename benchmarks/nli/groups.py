"""Groups of items by which scores are broken down: sizes, hops, status, wording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.nli.cases import Case
from benchmarks.nli.dimension import Dimension
from solver.model import Order

NO_HOPS = "none"
_MOST_HOPS = 8
_SIZES = (3, 4, 8, 16, 32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The items of one group, by their positions."""

    dimension: Dimension
    name: str
    members: tuple[int, ...]


def groups(cases: Sequence[Case]) -> tuple[Group, ...]:
    """All non-empty groups, by dimension and in ascending order."""
    made: list[Group] = []
    for dimension in Dimension:
        members: dict[tuple[float, str], list[int]] = {}
        for position, case in enumerate(cases):
            members.setdefault(_place(dimension, case), []).append(position)
        made += [
            Group(dimension=dimension, name=name, members=tuple(members[rank, name]))
            for rank, name in sorted(members)
        ]
    return tuple(made)


def _place(dimension: Dimension, case: Case) -> tuple[float, str]:
    """Sort key and name of the group of a case."""
    relations = len(case.item.premise)
    match dimension:
        case Dimension.EVENTS:
            return _size(_events(case))
        case Dimension.RELATIONS:
            return _size(relations)
        case Dimension.RATIO:
            return _ratio(relations, _events(case))
        case Dimension.HOPS:
            return _hops(case.hops)
        case Dimension.STATUS:
            return (0, case.verdict.status.value)
        case Dimension.CLAIM:
            return (0, case.relation)
        case Dimension.SIMULTANEITY:
            tied = any(r.order is Order.SIMULTANEOUS for r in case.item.premise)
            return (0, "with =") if tied else (0, "without =")
        case Dimension.CONTRADICTION:
            return (0, case.distance)


def _events(case: Case) -> int:
    """Number of events in the premise, counted as in ``verify``."""
    return len({p.event for r in case.item.premise for p in (r.left, r.right)})


def _size(number: int) -> tuple[float, str]:
    """Bins that end at the sizes of EventHopNLI."""
    below = -1
    for size in _SIZES:
        if number <= size:
            return (size, str(size) if size - below == 1 else f"{below + 1}-{size}")
        below = size
    return (below + 1, f"over {below}")


def _ratio(relations: int, events: int) -> tuple[float, str]:
    ratio = relations / events if events else 0.0
    if ratio < 0.75:
        return (0.5, "under 0.75")
    return (1, "0.75 to 1.5") if ratio < 1.5 else (2, "1.5 and more")


def _hops(hops: int | None) -> tuple[float, str]:
    if hops is None:
        return (_MOST_HOPS + 2, NO_HOPS)
    return (hops, str(hops)) if hops <= _MOST_HOPS else (_MOST_HOPS + 1, f"over {_MOST_HOPS}")
