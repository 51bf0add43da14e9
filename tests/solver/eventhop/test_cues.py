"""The cues of many items at once equal their definitions, which are of one item."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

import pytest

from grammar.eventhop.model import (
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Domain,
    Item,
    Order,
    Point,
    Relation,
)
from solver.eventhop.cues import PROPERTIES, Seen, values
from solver.eventhop.hashes import ItemHashes
from solver.eventhop.probes import samples, surface
from solver.eventhop.sentences import Step
from tests.solver.eventhop import cue_definitions, test_item_probes

NAMES = (
    *("A", "B", "a fair", "the Fair", "Old Race", "Old Fair", "Old Race Week", "Élan", ""),
    *("race", "Race day", "x", "Zebra Night", "Zebra Day", "10 km run"),
)
PHRASES = ("happened", "preceded", "came after", "was at the same time as", "came")


@dataclass(frozen=True, slots=True)
class Drawn:
    """The arguments of one item."""

    premise: str
    claim: str
    steps: tuple[Step, ...]
    claimed: tuple[str, str]
    names: tuple[str, ...]


def drawn(source: random.Random) -> Drawn:
    """An item, perhaps empty, unread, about itself, or with sentences that are no steps."""
    pool = source.sample(NAMES, source.randrange(1, 7))
    steps: list[Step] = []
    texts = []
    for _ in range(source.choice((0, 1, 1, 2, 3, 4, 7, 12))):
        left, right = source.choice(pool), source.choice(pool)
        points = source.choice(("start", "end")), source.choice(("start", "end"))
        order = source.choice((*Order, Order.BEFORE, Order.AFTER))
        steps.append((left, points[0], order, points[1], right))
        texts.append(
            f"The {points[0]} of {left} {source.choice(PHRASES)} the {points[1]} of {right}"
        )
    if source.random() < 0.2:
        texts.append("It rained,  twice")
    premise = ". ".join(texts) + source.choice(("", ".", ". "))
    claimed = (source.choice(pool), source.choice(pool))
    names = tuple(dict.fromkeys(name for step in steps for name in (step[0], step[4])))
    if source.random() < 0.1:
        return Drawn(premise, "A text.", (), ("", ""), ())
    claim = f"{claimed[0]} happens {source.choice(('before', 'after'))} {claimed[1]}"
    return Drawn(premise, claim, tuple(steps), claimed, names)


def found(items: list[Drawn]) -> Iterator[tuple[Hashable, ...]]:
    columns = values(
        Seen(
            [item.premise for item in items],
            [item.claim for item in items],
            [item.steps for item in items],
            [item.claimed for item in items],
            [item.names for item in items],
        )
    )
    assert len(columns) == len(PROPERTIES)
    for column in columns:
        assert len(set(column.values)) == len(column.values)
    for number in range(len(items)):
        codes = [int(column.codes[number]) for column in columns]
        yield tuple(
            None if code < 0 else column.values[code]
            for code, column in zip(codes, columns, strict=True)
        )


@pytest.mark.parametrize("seed", range(60))
def test_properties_are_as_defined(seed: int) -> None:
    source = random.Random(seed)
    items = [drawn(source) for _ in range(source.choice((1, 2, 9, 40)))]
    for item, row in zip(items, found(items), strict=True):
        seen = cue_definitions.Seen(item.premise, item.claim, item.steps, item.claimed, item.names)
        defined = zip(PROPERTIES, row, cue_definitions.values(seen), strict=True)
        wrong = {
            name: (value, right)
            for name, value, right in defined
            if value != right or isinstance(value, bool) != isinstance(right, bool)
        }
        assert not wrong, item


def test_names_are_those_of_the_definitions() -> None:
    assert PROPERTIES == cue_definitions.PROPERTIES


def _items(seed: int) -> list[Item]:
    """Random items: weak orders, sentences about one event, claims of all sorts."""
    source = random.Random(seed)
    relations = (*ClaimRelation, *AllenRelation)
    items = []
    for _ in range(source.choice((1, 3, 20))):
        pool = "abcdefgh"[: source.randrange(1, 9)]

        def relation(pool: str = pool) -> Relation:
            left, right = (
                Point(event=source.choice(pool), bound=source.choice((*Bound,))) for _ in "lr"
            )
            return Relation(left=left, order=source.choice((*Order,)), right=right)

        premise = tuple(relation() for _ in range(source.choice((0, 1, 2, 5, 12))))
        claim: Claim | Relation = relation()
        if source.random() < 0.8:
            left, right = source.choice(pool), source.choice(pool)
            claim = Claim(left=left, relation=source.choice(relations), right=right)
        items.append(Item(id="1", premise=premise, claim=claim, domain=Domain.TEMPORAL))
    return items


@pytest.mark.parametrize("seed", range(60))
def test_counts_and_hashes_are_as_defined(seed: int) -> None:
    items = _items(seed)
    premises = [f"{'so many words ' * number}{number}" for number in range(len(items))]
    texts = zip((test_item_probes.record(text, "c") for text in premises), items, strict=True)
    for seen, premise, item in zip(samples(texts), premises, items, strict=True):
        hashes = ItemHashes(item)
        assert (seen.graph, seen.timeline) == (hashes.graph(), hashes.timeline())
        assert seen.outline == hashes.outline()
        assert seen.counts == cue_definitions.counts(premise, item)
        assert list(surface(premise, item).values()) == list(seen.counts)
