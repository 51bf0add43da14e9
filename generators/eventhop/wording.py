"""Turns plans into items with names and texts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random

from generators.eventhop.cells import BOUNDS, pick
from generators.eventhop.groups import Plan
from generators.eventhop.presets import Split, Traits
from generators.eventhop.skeleton import LEFT, RIGHT, Edge
from grammar.eventhop.lexicon import GAP, lexicon
from grammar.eventhop.model import Claim, ClaimRelation, Domain, Item, Order, Point, Relation
from grammar.eventhop.writer import Text, Writer
from solver.eventhop.certificates.make import place
from solver.eventhop.dataset import lemmas
from solver.eventhop.engines.graph import NumberedItem

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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """The parts that the names of a split are composed of."""

    stems: tuple[str, ...]
    endings: tuple[str, ...]
    occasions: tuple[str, ...]
    grounds: tuple[str, ...]


_PARTS = {
    Split.TRAIN: _Parts(
        stems=(
            *("Alder", "Bram", "Caster", "Dorn", "Elm", "Farn", "Garth", "Hazel", "Ivel"),
            *("Jarrow", "Kelm", "Lind", "Marl", "Nether", "Oaken", "Pell"),
        ),
        endings=("bury", "combe", "dale", "ford", "ham", "ley", "stow", "wick"),
        occasions=(
            *("Regatta of", "Concert at", "Picnic at", "Marathon of", "Parade of", "Auction at"),
            *("Bazaar of", "Recital at", "Tournament of", "Pageant of", "Luncheon at"),
        ),
        grounds=("Moor", "Park", "Green", "Gardens", "Terrace"),
    ),
    Split.TEST: _Parts(
        stems=(
            *("Quill", "Rother", "Sandal", "Tarn", "Ulver", "Venn", "Whit", "Yarl", "Amber"),
            *("Birch", "Cress", "Dewer", "Esker", "Flax", "Gorse", "Heath"),
        ),
        endings=("by", "bourne", "holm", "minster", "port", "thorpe", "ton", "worth"),
        occasions=(
            *("Carnival of", "Lecture at", "Banquet at", "Jubilee of", "Rehearsal at"),
            *("Exhibition of", "Workshop at", "Derby of", "Gala of", "Symposium at", "Harvest at"),
        ),
        grounds=("Common", "Quay", "Orchard", "Harbour", "Square"),
    ),
}


@lru_cache(maxsize=6)
def names(split: Split, domain: Domain) -> tuple[str, ...]:
    """The names of events (or places, or tokens) of a split."""
    parts = _PARTS[split]
    towns = [stem + ending for ending in parts.endings for stem in parts.stems]
    if domain is Domain.LOGICAL:
        return tuple(town.lower() for town in towns)
    if domain is Domain.SPATIAL:
        return tuple(f"{town} {_turn(parts.grounds, i)}" for i, town in enumerate(towns))
    return tuple(f"{_turn(parts.occasions, i)} {town}" for i, town in enumerate(towns))


def _turn(words: tuple[str, ...], number: int) -> str:
    return words[number % len(words)]


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
    """

    def __init__(
        self, domain: Domain, traits: Traits, *, named_by: Split, phrased_by: Split
    ) -> None:
        self._domain = domain
        self._traits = traits
        self._names = names(named_by, domain)
        self._points = {
            name: tuple(Point(event=name, bound=bound) for bound in BOUNDS) for name in self._names
        }
        self._random = Random(0)
        self._writer = Writer(domain, phrases=self._choose)
        # In logic, claims and relations share their symbols.
        self._synonyms = {
            lexicon(domain).phrases(order)[0]: phrases(phrased_by, domain, order) for order in Order
        }
        self._strict = traits.strict

    def write(self, random: Random, item_id: str, plan: Plan) -> WordedItem:
        """Draw names, sentence order and phrases, and write the text.

        Raises:
            UnwritableError: the text would not be parsed as the item.
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
        return WordedItem(item=item, text=self._writer.write(item))

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
        own = self._synonyms.get(synonyms[0])
        return synonyms[0] if own is None else pick(self._random, own)


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
