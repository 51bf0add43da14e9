"""Groups: items of all labels over the same kinds of relation."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from random import Random

from generators.eventhop.cells import Cell
from generators.eventhop.contradiction import plant
from generators.eventhop.draft import Draft, Edge, MisfitError
from generators.eventhop.filling import fill
from generators.eventhop.kinds import Bag, draw, draw_loosely
from generators.eventhop.skeleton import skeleton
from solver.canonical import timeline_hash
from solver.errors import HopcheckError
from solver.model import ClaimRelation, Status

BAGS = 150
"""Bags drawn that all items of a group have to fit; a few are usual."""
LOOSE_BAGS = 4_000
"""Bags drawn after that, of which the items have to share the number of ``=`` only."""
BY_CHANCE = 0.5
"""How often contradictions away from the claim are left to chance, where there is room for it."""
TRIES = 6
"""Items tried of a bag for each cell."""


class FruitlessError(HopcheckError):
    """No items were found for cells that should exist."""

    code = "fruitless"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """An item as it was built; the claim is that event 0 comes before (or overlaps) event 1.

    Attributes:
        timeline: its hash.
    """

    cell: Cell
    events: int
    edges: tuple[Edge, ...]
    timeline: int


def seeded(*parts: object) -> Random:
    """A source of numbers for a thing named by these parts, and for nothing else."""
    named = "\0".join(map(str, parts)).encode()
    return Random(int.from_bytes(hashlib.blake2b(named, digest_size=16).digest(), "big"))


def group(random: Random, cells: Sequence[Cell], *, equal: bool, side: int | None) -> list[Plan]:
    """Build an item for each cell, all of one shape, from one bag.

    Args:
        random: where to draw from.
        cells: what is wanted.
        equal: whether premises may hold *simultaneous*.
        side: the last bit of the timelines' hashes; None if it does not matter.

    Raises:
        FruitlessError: no bag was found that gives all of them.
    """
    relations = cells[0].shape.relations
    for _ in range(BAGS):
        bag = draw(random, relations, equal=equal)
        if plans := _plans(random, cells, repeat(bag), side):
            return plans
    for _ in range(LOOSE_BAGS):
        equals = random.randint(0, relations) if equal else 0
        bags = (draw_loosely(random, relations, equals) for _ in cells)
        if plans := _plans(random, cells, bags, side):
            return plans
    raise FruitlessError(
        f"no items were found for {'; '.join(map(str, cells))}",
        hint="leave these cells out, or ask for other numbers of events and relations",
    )


def _plans(
    random: Random, cells: Sequence[Cell], bags: Iterable[Bag], side: int | None
) -> list[Plan]:
    """An item for each cell, or none at all."""
    plans = []
    for cell, bag in zip(cells, bags, strict=False):
        plan = _plan(random, bag, cell, side)
        if plan is None:
            return []
        plans.append(plan)
    return plans


def _plan(random: Random, bag: Bag, cell: Cell, side: int | None) -> Plan | None:
    for _ in range(TRIES):
        try:
            draft = _draft(random, list(bag), cell)
        except MisfitError:
            continue
        backwards = random.random() < 0.5
        for turned in (backwards, not backwards):
            plan = _finished(draft, cell, turned)
            if side is None or plan.timeline & 1 == side:
                return plan
    return None


def _draft(random: Random, bag: Bag, cell: Cell) -> Draft:
    draft = skeleton(random, bag, cell)
    shape = cell.shape
    elsewhere = cell.contradiction and cell.status is not Status.CONTRADICTORY
    # Where relations are many, some of them contradict each other if only they may.
    by_chance = elsewhere and shape.relations >= 2 * shape.events and random.random() < BY_CHANCE
    if elsewhere and not by_chance:
        plant(random, bag, draft, events=shape.events, relations=shape.relations)
    unnamed = shape.events - len(draft.named)
    if not 0 <= unnamed <= 2 * sum(bag):
        raise MisfitError
    fill(random, bag, draft, shape.events, cycles=by_chance)
    return draft


def _finished(draft: Draft, cell: Cell, backwards: bool) -> Plan:
    edges = _backwards(draft.edges) if backwards else draft.edges
    symmetric = cell.claim is ClaimRelation.OVERLAPS
    return Plan(
        cell=cell,
        events=draft.events,
        edges=tuple(edges),
        timeline=timeline_hash(edges, draft.events, symmetric=symmetric),
    )


def _backwards(edges: Sequence[Edge]) -> list[Edge]:
    """The same with time running backwards: starts are ends, and what was first comes last.

    The claim's events change places, so that the claim is that 0 comes before 1 again.
    """
    return [
        Edge(later ^ (3 if later < 4 else 1), earlier ^ (3 if earlier < 4 else 1), strict)
        for earlier, later, strict in edges
    ]
