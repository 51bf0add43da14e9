"""Groups of items of all labels, matched or of the same kinds of relation, and their texts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from random import Random

from generators.eventhop.config import Cell, Split, Traits, names
from generators.eventhop.filling import fill, plant
from generators.eventhop.matched import drafts, entails_order, evidence, recipes, repeats
from generators.eventhop.skeleton import (
    BOUNDS,
    LEFT,
    RIGHT,
    Bag,
    Draft,
    Edge,
    MisfitError,
    draw,
    draw_loosely,
    pick,
    skeleton,
)
from grammar.errors import HopcheckError
from grammar.eventhop.lexicon import GAP, lexicon
from grammar.eventhop.model import (
    PUBLISHED_ORDERS,
    Claim,
    ClaimRelation,
    Domain,
    Item,
    Order,
    Point,
    Relation,
    Status,
)
from grammar.eventhop.writer import Text, Writer
from grammar.phrases import PhraseFile
from solver.eventhop.certificates.lines import read_as
from solver.eventhop.certificates.make import place
from solver.eventhop.dataset import lemmas
from solver.eventhop.engines.graph import NumberedItem
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


_CAUSAL = frozenset(
    {
        "occurred as a result of the",
        "followed in the aftermath of the",
        "unfolded in the wake of the",
    }
)


_TEST_LEMMAS = frozenset(
    {"early", "soon", "ahead", "late", "beyond", "same", "time", "moment", "instant", "together"}
    | {"fall", "lie", "arrive", "reach", "record", "date", "note"}
)
"""Words of the test split; a temporal phrase with one of these and another word is not used."""


@lru_cache(maxsize=18)
def phrases(split: Split, domain: Domain, order: Order) -> tuple[str, ...]:
    """The phrases of a split for an order.

    Logic has one symbol for both splits; in time, no content word is in phrases of both.
    """
    every = lexicon(domain).phrases(order)
    if len(every) == 1:
        return every
    plain = [phrase for phrase in every if phrase not in _CAUSAL and GAP not in phrase]
    if domain is Domain.TEMPORAL:
        own = split is Split.TEST
        found = ((phrase, lemmas([phrase])) for phrase in plain)
        return tuple(
            phrase
            for phrase, words in found
            if (words <= _TEST_LEMMAS if own else not words & _TEST_LEMMAS)
        )
    half = (len(plain) + 1) // 2
    return tuple(plain[:half] if split is Split.TRAIN else plain[half:])


@dataclass(frozen=True, slots=True, kw_only=True)
class WordedItem:
    """An item and its text."""

    item: Item
    text: Text


class ItemWriter:
    """Writes plans with the names and phrases of a split.

    Args:
        domain: domain of the wording.
        traits: which orders occur, and whether sentences are sorted.
        named_by: the split whose names are used.
        phrased_by: the split whose phrases are used.
        wordings: phrase files with which the texts are parsed back.
    """

    def __init__(
        self,
        domain: Domain,
        traits: Traits,
        *,
        named_by: Split,
        phrased_by: Split,
        wordings: Sequence[PhraseFile] = (),
    ) -> None:
        self._domain = domain
        self._traits = traits
        self._names = names(named_by, domain)
        self._points = {
            name: tuple(Point(event=name, bound=bound) for bound in BOUNDS) for name in self._names
        }
        self._wordings = tuple(wordings)
        self._random = Random(0)
        self._writer = Writer(domain, phrases=self._choose, wordings=wordings)
        # In logic, claims and relations share their symbols.
        self._synonyms = {
            lexicon(domain).phrases(order)[0]: phrases(phrased_by, domain, order)
            for order in PUBLISHED_ORDERS
        }
        self._strict = traits.strict

    def write(self, random: Random, item_id: str, plan: Plan) -> WordedItem:
        """Draw names, sentence order and phrases, and write the text.

        Raises:
            UnwritableError: the text would not be parsed as the item.
            DifferentReadingError: the checker reads another item.
        """
        self._random = random
        called = random.sample(self._names, plan.events)
        points = [point for name in called for point in self._points[name]]
        edges = list(plan.edges)
        random.shuffle(edges)
        if self._traits.in_order:
            edges = _in_order(edges, plan.events)
        item = Item(
            id=item_id,
            premise=tuple(self._relation(random, points, edge) for edge in edges),
            claim=_claim(random, plan.cell.claim, called),
            domain=self._domain,
        )
        text = self._writer.write(item)
        read_as(item, text.premise, text.claim, phrases=self._wordings)
        return WordedItem(item=item, text=text)

    def _relation(self, random: Random, points: list[Point], edge: Edge) -> Relation:
        earlier, later = points[edge.earlier], points[edge.later]
        if edge.strict:
            order = pick(random, self._strict)
            turned = order is Order.AFTER
        else:
            order, turned = Order.SIMULTANEOUS, random.random() < 0.5
        left, right = (later, earlier) if turned else (earlier, later)
        return Relation(left=left, order=order, right=right)

    def _choose(self, synonyms: tuple[str, ...]) -> str:
        """Choose one of the split's synonyms of these phrases; a claim has only one phrase."""
        own_words = self._synonyms.get(synonyms[0])
        return synonyms[0] if own_words is None else pick(self._random, own_words)


def _claim(random: Random, relation: ClaimRelation, called: list[str]) -> Claim:
    left, right = called[LEFT], called[RIGHT]
    turned = relation is ClaimRelation.AFTER or (
        relation is ClaimRelation.OVERLAPS and random.random() < 0.5
    )
    if turned:
        left, right = right, left
    return Claim(left=left, relation=relation, right=right)


def _in_order(edges: list[Edge], events: int) -> list[Edge]:
    """Sort by the earliest point of each relation.

    The points of a cycle share an instant, so its relations keep their relative order.
    """
    numbered = NumberedItem(
        events=tuple(map(str, range(events))),
        relations=tuple(
            (edge.earlier, Order.BEFORE if edge.strict else Order.SIMULTANEOUS, edge.later)
            for edge in edges
        ),
        claim=(LEFT, RIGHT),
    )
    instants = place(numbered, ())
    return sorted(edges, key=lambda edge: min(instants[edge.earlier], instants[edge.later]))
