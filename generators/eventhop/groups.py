"""Groups: items of all labels, matched, or built from the same kinds of relation."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from random import Random

from generators.eventhop.cells import Bag, Cell, draw, draw_loosely
from generators.eventhop.filling import fill, plant
from generators.eventhop.matched import drafts, entails_order, evidence, recipes, repeats
from generators.eventhop.skeleton import Draft, Edge, MisfitError, skeleton
from grammar.errors import HopcheckError
from grammar.eventhop.model import ClaimRelation, Status
from solver.eventhop.hashes import outline_hashes

BAGS = 150
"""Bags drawn for all items of a group; usually a few suffice."""
LOOSE_BAGS = 4_000
"""Bags drawn after that, where items only share the number of ``=``."""
BY_CHANCE = 0.5
"""Share of contradictions away from the claim that are left to chance, where relations suffice."""
TRIES = 6
"""Attempts to build an item of each cell from a bag."""


class FruitlessError(HopcheckError):
    """No items were found for cells that exist."""

    code = "fruitless"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The graph of an item; the claim is that event 0 comes before (or overlaps) event 1.

    Attributes:
        outline: the hash of what the premises of a matched group have in common.
    """

    cell: Cell
    events: int
    edges: tuple[Edge, ...]
    outline: int


def seeded_random(*parts: object) -> Random:
    """A random generator seeded by a hash of these parts."""
    named = "\0".join(map(str, parts)).encode()
    return Random(int.from_bytes(hashlib.blake2b(named, digest_size=16).digest(), "big"))


def opposed(plans: Sequence[Plan], cells: Sequence[Cell]) -> list[Plan]:
    """A matched group with the opposite claims; the false item becomes the true one.

    Args:
        plans: a group whose false item entails the opposite order.
        cells: the cells of the opposite claims.
    """
    true, false, undefined = plans
    # The claim is that event 0 comes before event 1; *overlaps* may be refuted by either order.
    swap = 0 if entails_order(false.edges) else 2
    return [
        _planned(_renamed(plan.edges, swap), plan.events, cell, plan.outline)
        for plan, cell in zip((false, true, undefined), cells, strict=True)
    ]


def _renamed(edges: Sequence[Edge], swap: int) -> list[Edge]:
    """The relations with the claim's events exchanged, if ``swap`` is 2."""
    return [
        Edge(p ^ swap if p < 4 else p, q ^ swap if q < 4 else q, strict) for p, q, strict in edges
    ]


MATCHED_TRIES = 2_000
"""Attempts to build a matched group; usually a dozen suffice."""


def matched_group(
    random: Random, cells: Sequence[Cell], *, equal: bool, strong: bool, side: int | None
) -> list[Plan]:
    """Build a matched group: an item for each cell, from one premise graph.

    Args:
        random: source of randomness.
        cells: the cells of an entailed, a refuted or unknown, and a contradictory item.
        equal: whether premises may contain *simultaneous*.
        strong: whether a refuted claim is turned into an entailed one by its opposite order.
        side: required last bit of the hash of their outline; None for any.

    Raises:
        FruitlessError: no group was found.
    """
    ways = recipes(cells, equal=equal, strong=strong)
    # Drawn once, as not all draws succeed equally often.
    repeat = random.random() < repeats(cells)
    for number in range(MATCHED_TRIES):
        if number == MATCHED_TRIES // 2:
            repeat = not repeat
        try:
            made = drafts(random, cells, ways, equal=equal, strong=strong, repeat=repeat)
        except MisfitError:
            continue
        if found := _direction(random, made[0], side):
            backwards, outline = found
            return [
                _planned(_edges(draft, backwards), draft.events, cell, outline)
                for draft, cell in zip(made, cells, strict=True)
            ]
    raise _fruitless(cells)


def group(random: Random, cells: Sequence[Cell], *, equal: bool, side: int | None) -> list[Plan]:
    """Build an item for each cell, all of one shape, from one bag.

    Args:
        random: source of randomness.
        cells: the cells to build items for.
        equal: whether premises may contain *simultaneous*.
        side: required last bit of the hashes of the outlines; None for any.

    Raises:
        FruitlessError: no bag yields all items.
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
    raise _fruitless(cells)


def _fruitless(cells: Sequence[Cell]) -> FruitlessError:
    return FruitlessError(
        f"no items were found for {'; '.join(map(str, cells))}",
        hint="exclude these cells, or use other numbers of events and relations",
    )


def _plans(
    random: Random, cells: Sequence[Cell], bags: Iterable[Bag], side: int | None
) -> list[Plan]:
    """An item for each cell, or an empty list."""
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
        overlaps = cell.claim is ClaimRelation.OVERLAPS
        if evidence(draft.edges, overlaps=overlaps) != (cell.status, cell.hops):
            continue
        if found := _direction(random, draft, side):
            backwards, outline = found
            return _planned(_edges(draft, backwards), draft.events, cell, outline)
    return None


def _draft(random: Random, bag: Bag, cell: Cell) -> Draft:
    draft = skeleton(random, bag, cell)
    shape = cell.shape
    elsewhere = cell.contradiction and cell.status is not Status.CONTRADICTORY
    # With many relations, contradictions arise by chance.
    by_chance = elsewhere and shape.relations >= 2 * shape.events and random.random() < BY_CHANCE
    if elsewhere and not by_chance:
        plant(random, bag, draft, events=shape.events, relations=shape.relations)
    unnamed = shape.events - len(draft.named)
    if not 0 <= unnamed <= 2 * sum(bag):
        raise MisfitError
    fill(random, bag, [draft], shape.events, cycles=by_chance)
    return draft


def _edges(draft: Draft, backwards: bool) -> Sequence[Edge]:
    return reversed_edges(draft.edges) if backwards else draft.edges


def _direction(random: Random, draft: Draft, side: int | None) -> tuple[bool, int] | None:
    """Whether to reverse time, so that the outline is on a side, and the outline; or None."""
    backwards = random.random() < 0.5
    outlines = tuple(outline_hashes(draft.edges, draft.events))
    for turned in (backwards, not backwards):
        outline = outlines[turned]
        if side is None or outline & 1 == side:
            return turned, outline
    return None


def _planned(edges: Sequence[Edge], events: int, cell: Cell, outline: int) -> Plan:
    return Plan(cell=cell, events=events, edges=tuple(edges), outline=outline)


def reversed_edges(edges: Sequence[Edge]) -> list[Edge]:
    """Reverse time: starts become ends and orders are inverted.

    The claim's events are swapped, so that the claim is still that 0 comes before 1.
    """
    return [
        Edge(later ^ (3 if later < 4 else 1), earlier ^ (3 if earlier < 4 else 1), strict)
        for earlier, later, strict in edges
    ]
