"""Items of our own making for what measures; texts, graphs and a file of both."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from grammar.eventhop.model import Bound, Claim, ClaimRelation, Item, Order, Point, Relation

ItemMaker = Callable[[str, str], Item]
Sampler = Callable[[int, int], list[Item]]

ORDERS = {"<": Order.BEFORE, ">": Order.AFTER, "=": Order.SIMULTANEOUS}
BOUNDS = {"-": Bound.START, "+": Bound.END}


def relation_of(text: str) -> Relation:
    """``A+ < B-``: the end of A comes before the start of B."""
    left, order, right = text.split()
    p, q = (Point(event=named[:-1], bound=BOUNDS[named[-1]]) for named in (left, right))
    return Relation(left=p, order=ORDERS[order], right=q)


def claim_of(text: str) -> Claim:
    left, word, right = text.split()
    return Claim(left=left, relation=ClaimRelation(word), right=right)


@pytest.fixture(scope="session")
def item_of() -> ItemMaker:
    """Makes an item from ``A+ < B-, B+ = C-`` and a claim."""

    def make(premise: str, claim: str) -> Item:
        relations = tuple(relation_of(text) for text in premise.split(", ")) if premise else ()
        return Item(id=f"{premise}: {claim}", premise=relations, claim=claim_of(claim))

    return make


@pytest.fixture(scope="session")
def sampled() -> Sampler:
    """Items with chains of one to ten hops, ties and contradictions: (seed, number) -> items."""

    def make(seed: int, count: int) -> list[Item]:
        source = random.Random(seed)
        return [_item(source, f"{seed}-{index}") for index in range(count)]

    return make


def _item(source: random.Random, name: str) -> Item:
    """A chain from the claim's first event to its second, amid other sentences.

    It leaves the first event from its start or its end; a sentence from the second event back to
    the first makes them overlap, or closes a cycle.
    """
    hops = source.randint(1, 10)
    events = [f"E{number}" for number in range(hops + 1)]
    line: dict[Point, int] = {}
    premise: list[Relation] = []
    instant = 0
    left = Point(event=events[0], bound=source.choice(list(Bound)))
    for number, event in enumerate(events):
        start, end = (Point(event=event, bound=bound) for bound in Bound)
        line[start], line[end] = instant, instant + source.randint(1, 4)
        if number:
            premise.append(_said(source, line, left, start))
            left = source.choice((start, end))
        instant = line[left] + source.choice((0, 1, 1))
    back = Relation(
        left=Point(event=events[hops], bound=Bound.START),
        order=Order.BEFORE,
        right=Point(event=events[0], bound=Bound.END),
    )
    premise += [back] * (source.random() < 0.5)
    points = sorted(line, key=str)
    for _ in range(source.choice((0, 0, 1, 2, 4))):
        premise.append(_said(source, line, *source.sample(points, 2)))
    source.shuffle(premise)
    sides = [events[0], events[hops]]
    source.shuffle(sides)
    claim = Claim(left=sides[0], relation=source.choice(list(ClaimRelation)), right=sides[1])
    return Item(id=name, premise=tuple(premise), claim=claim)


def _said(source: random.Random, line: dict[Point, int], p: Point, q: Point) -> Relation:
    if source.random() < 0.5:
        p, q = q, p
    if line[p] == line[q]:
        return Relation(left=p, order=Order.SIMULTANEOUS, right=q)
    order = Order.BEFORE if line[p] < line[q] else Order.AFTER
    return Relation(left=p, order=order, right=q)


@pytest.fixture(scope="session")
def right_file() -> Path:
    """The example file whose labels are right."""
    return Path(__file__).resolve().parents[2] / "examples" / "right.tsv"
