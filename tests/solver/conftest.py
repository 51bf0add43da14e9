"""Premises and claims of our own making, and a parser of pages, for all tests of the solver."""

from __future__ import annotations

import base64
import hashlib
import random
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from itertools import combinations, combinations_with_replacement, product

import pytest

from grammar.eventhop.model import (
    PUBLISHED_ORDERS,
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Item,
    Order,
    Point,
    Relation,
    Status,
)

ItemMaker = Callable[[str, str], Item]
WorldMaker = Callable[[str, int], Iterator[tuple[Relation, ...]]]
RandomMaker = Callable[[int, int], list[Item]]

ORDERS = {"<": Order.BEFORE, ">": Order.AFTER, "=": Order.SIMULTANEOUS}
BOUNDS = {"-": Bound.START, "+": Bound.END}


def relation_of(text: str) -> Relation:
    """``A+ < B-``: the end of A comes before the start of B."""
    left, order, right = text.split()
    p, q = (Point(event=named[:-1], bound=BOUNDS[named[-1]]) for named in (left, right))
    return Relation(left=p, order=ORDERS[order], right=q)


def claim_of(text: str) -> Claim | Relation:
    """``A before B``, ``A allen_overlaps B`` or ``A+ < B-``."""
    left, word, right = text.split()
    if word in ORDERS:
        return relation_of(text)
    allen = word.removeprefix("allen_")
    relation = ClaimRelation(word) if allen == word else AllenRelation(allen)
    return Claim(left=left, relation=relation, right=right)


@pytest.fixture(scope="session")
def item_of() -> ItemMaker:
    """Makes an item from ``A+ < B-, B+ = C-`` and a claim."""

    def make(premise: str, claim: str) -> Item:
        stated = tuple(relation_of(text) for text in premise.split(", ")) if premise else ()
        return Item(id=f"{premise}: {claim}", premise=stated, claim=claim_of(claim))

    return make


@pytest.fixture(scope="session")
def worlds() -> WorldMaker:
    """All premises over the events named by the letters, of up to so many different relations.

    Relations within an event and of a point with itself are among them.
    """

    def make(events: str, most: int) -> Iterator[tuple[Relation, ...]]:
        points = [Point(event=event, bound=bound) for event, bound in product(events, Bound)]
        stated = [
            Relation(left=p, order=order, right=q)
            for p, q in combinations_with_replacement(points, 2)
            for order in PUBLISHED_ORDERS
            # Of a point and itself, "before" and "after" are one sentence.
            if p != q or order is not Order.AFTER
        ]
        for size in range(most + 1):
            yield from combinations(stated, size)

    return make


@pytest.fixture(scope="session")
def random_items() -> RandomMaker:
    """Items of up to 40 events and 80 relations: (seed, number) -> the same items each time.

    Their premises are generated from a hidden line, some with a few relations turned round.
    """

    def make(seed: int, count: int) -> list[Item]:
        source = random.Random(seed)
        return [_random_item(source, f"{seed}-{index}") for index in range(count)]

    return make


def _random_item(source: random.Random, name: str) -> Item:
    events = [f"E{n}" for n in range(source.choice((2, 3, 4, 5, 6, 8, 12, 20, 40)))]
    line = {
        Point(event=event, bound=bound): source.randrange(3 * len(events)) + spell
        for event in events
        for bound, spell in ((Bound.START, 0), (Bound.END, len(events)))
    }
    mistaken = source.choice((0, 0, 0, 0.02, 0.1, 0.5))
    points = sorted(line, key=str)
    premise = []
    for _ in range(source.randint(0, min(80, 4 * len(events)))):
        p, q = source.choices(points, k=2)
        order = (
            source.choice(PUBLISHED_ORDERS)
            if source.random() < mistaken
            else _order(line[p] - line[q])
        )
        premise.append(Relation(left=p, order=order, right=q))
    return Item(id=name, premise=tuple(premise), claim=_random_claim(source, events, points))


def _order(difference: int) -> Order:
    if difference == 0:
        return Order.SIMULTANEOUS
    return Order.BEFORE if difference < 0 else Order.AFTER


def _random_claim(
    source: random.Random, events: list[str], points: list[Point]
) -> Claim | Relation:
    kind = source.random()
    if kind < 0.2:
        p, q = source.sample(points, 2)
        return Relation(left=p, order=source.choice(PUBLISHED_ORDERS), right=q)
    words = list(AllenRelation) if kind < 0.4 else list(ClaimRelation)
    left, right = source.sample(events, 2)
    return Claim(left=left, relation=source.choice(words), right=right)


@pytest.fixture(scope="session")
def vectors(item_of: ItemMaker) -> list[tuple[Item, Status, bool]]:
    """The reference vectors of EventHopNLI: item, status, whether the premise is consistent."""
    table = [
        ("A+ < B-", "A before B", "entailed", True),
        ("A+ = B-", "A before B", "entailed", True),
        ("A+ < B-", "A overlaps B", "refuted", True),
        ("A- < B-", "A before B", "unknown", True),
        ("A- = B-, A- < B-", "A before B", "contradictory", False),
        ("A+ < A-", "A before B", "contradictory", False),
        ("C- < D-, D- < C-, A+ < B-", "A before B", "entailed", False),
        ("A- < B+, B- < A+", "A overlaps B", "entailed", True),
        ("B- < A+", "A overlaps B", "unknown", True),
        ("A+ = C-, C+ = B-", "A before B", "entailed", True),
        ("A- > B+", "A after B", "entailed", True),
        ("A+ < B+, B+ < A+", "A before B", "contradictory", False),
        ("A- < C-, C- < A-, A+ < B-", "A before B", "entailed", False),
    ]
    return [
        (item_of(premise, claim), Status(status), consistent)
        for premise, claim, status, consistent in table
    ]


NAMESPACE = "http://www.w3.org/2000/svg"
VOID = {"meta", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    """Parses a page and records nesting errors, fetched resources and ids."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.faults: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.attributes if key == name]


class Pages:
    Page = Page

    @staticmethod
    def assert_self_contained(html: str) -> None:
        page = Page(html)
        assert page.faults == []
        assert page.open == []
        scripts = re.findall(r"<script([^>]*)>(.*?)</script>", html, re.DOTALL)
        for kind, script in scripts:
            digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
            (policy,) = (name for name in page.values("content") if "default-src 'none'" in name)
            assert "application/json" in kind or f"'sha256-{digest}'" in policy
        assert page.tags.count("script") == len(scripts) <= 3
        assert not {"link", "iframe", "object", "embed", "img", "image"} & set(page.tags)
        assert page.values("src") == []
        assert all(target.startswith("#") for target in page.values("href"))
        assert not [name for name, _ in page.attributes if name.startswith("on")]
        assert re.findall(r"https?:|@import|url\(\s*['\"]?(?!#)", html.replace(NAMESPACE, "")) == []
        ids = page.values("id")
        assert len(ids) == len(set(ids))
        assert {target[1:] for target in page.values("href")} <= set(ids)
        html.encode("utf-8")


@pytest.fixture(scope="session")
def pages() -> Pages:
    """Parses pages and checks that they are self-contained."""
    return Pages()
