"""Small networks and a brute force over all timelines, written from the table of relations."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, combinations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from grammar.links.model import (
    Document,
    During,
    Interpretation,
    Link,
    Node,
    Reading,
    RelationType,
)

# A, B are the left interval, C, D the right one; ~ is < or, under the lenient reading, <=.
MEANING = {
    "BEFORE": "B~C", "AFTER": "D~A", "IBEFORE": "B=C", "IAFTER": "A=D",
    "INCLUDES": "A~C D~B", "IS_INCLUDED": "C~A B~D",
    "SIMULTANEOUS": "A=C B=D", "IDENTITY": "A=C B=D",
    "BEGINS": "A=C B<D", "BEGUN_BY": "A=C D<B", "ENDS": "B=D C<A", "ENDED_BY": "B=D A<C",
    "DURING": "C~A B~D", "DURING_INV": "A~C D~B", "OVERLAP": "A<D C<B",
    "STARTS_BEFORE": "A<C", "STARTS_AFTER": "C<A", "STARTS_EQUAL": "A=C", "VAGUE": "",
}  # fmt: skip
INTERPRETATIONS = [
    Interpretation(reading=reading, during=during) for reading in Reading for during in During
]


@cache
def lines(nodes: int) -> NDArray[np.int8]:
    """All ways to put so many intervals on a line: the ranks of their ends, a column for each."""
    intervals = product(combinations(range(2 * nodes), 2), repeat=nodes)
    ranks = (tuple(chain.from_iterable(interval)) for interval in intervals)
    proper = [rank for rank in ranks if len(set(rank)) == max(rank) + 1]
    return np.array(proper, dtype=np.int8).T


@cache
def satisfying(
    nodes: int, relation: RelationType, left: int, right: int, interpretation: Interpretation
) -> int:
    """The lines on which a relation holds, as a bit set."""
    every = lines(nodes)
    columns = (*every[2 * left : 2 * left + 2], *every[2 * right : 2 * right + 2])
    named = dict(zip("ABCD", columns, strict=True))
    during = relation in (RelationType.DURING, RelationType.DURING_INV)
    if during and interpretation.during is During.SIMULTANEOUS:
        relation = RelationType.SIMULTANEOUS
    found = np.ones(every.shape[1], dtype=bool)
    for comparison in MEANING[relation].split():
        value, sign, other = named[comparison[0]], comparison[1], named[comparison[2]]
        loose = sign == "~" and interpretation.reading is Reading.LENIENT
        found &= value == other if sign == "=" else value <= other if loose else value < other
    return int.from_bytes(np.packbits(found, bitorder="little").tobytes(), "little")


@dataclass(frozen=True, slots=True)
class World:
    """A brute force for the documents over some nodes."""

    document: Document
    interpretation: Interpretation
    index: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.index.update((name, n) for n, name in enumerate(self.document.nodes))

    def bits(self, relation: RelationType, left: str, right: str) -> int:
        """The lines on which a relation holds."""
        ends = (self.index[left], self.index[right])
        return satisfying(len(self.index), relation, *ends, self.interpretation)

    def models(self, links: Sequence[Link] | None = None) -> int:
        """The lines that satisfy some links; all links by default."""
        bits = (1 << lines(len(self.index)).shape[1]) - 1
        for link in self.document.links if links is None else links:
            bits &= self.bits(link.relation, link.left, link.right)
        return bits

    def entails(self, relation: RelationType, left: str, right: str, models: int) -> bool:
        """Whether a relation holds in all of some lines."""
        return not models & ~self.bits(relation, left, right)


@pytest.fixture(scope="session")
def world() -> type[World]:
    """A brute force for a document and an interpretation."""
    return World


@pytest.fixture(scope="session")
def interpretations() -> list[Interpretation]:
    """Each reading with each meaning of DURING."""
    return INTERPRETATIONS


DocumentMaker = Callable[[str], Document]
RandomMaker = Callable[..., list[Document]]


@pytest.fixture(scope="session")
def document_of() -> DocumentMaker:
    """Makes a document from ``a BEFORE b, b INCLUDES c``; its links are numbered from 0."""

    def make(text: str) -> Document:
        links = []
        nodes: dict[str, Node] = {}
        for n, part in enumerate(text.split(", ") if text else ()):
            left, relation, right = part.split()
            for name in (left, right):
                nodes.setdefault(name, Node(id=name, is_time=name.startswith("t")))
            link = Link(id=str(n), left=left, right=right, relation=RelationType(relation))
            links.append(link)
        return Document(name=text or "empty", nodes=nodes, links=tuple(links))

    return make


@pytest.fixture(scope="session")
def random_documents() -> RandomMaker:
    """Documents over so many nodes with up to so many random links."""

    def make(seed: int, count: int, *, nodes: int, links: int) -> list[Document]:
        source = random.Random(seed)
        names = "abcdefgh"[:nodes]
        found = []
        for n in range(count):
            drawn = []
            for index in range(source.randint(1, links)):
                # Some links are of a node to itself.
                left, right = source.sample(names, 2) if source.random() < 0.9 else [names[0]] * 2
                relation = source.choice(list(RelationType))
                drawn.append(Link(id=str(index), left=left, right=right, relation=relation))
            every = {name: Node(id=name) for name in names}
            found.append(Document(name=f"{seed}-{n}", nodes=every, links=tuple(drawn)))
        return found

    return make
