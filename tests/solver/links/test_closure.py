"""Closure, reduction and redundancy, compared with a brute force over all timelines."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from typing import Any

import pytest

from grammar.links.model import Document, Format, Interpretation, Link, Node, Reading, RelationType
from solver.links.closure import (
    Closure,
    closed,
    determined,
    labels,
    meaning,
    overlap,
    reduced,
    redundant_links,
)
from solver.links.engine import Network

Documents = Callable[..., list[Document]]
KNOWN = [relation for relation in RelationType if relation is not RelationType.VAGUE]


def compare(document: Document, interpretation: Interpretation, world: Any) -> bool:
    """Compare all procedures with the brute force; whether the document is consistent."""
    brute = world(document, interpretation)
    models = brute.models()
    if not models:
        return False
    links = document.links
    redundant = set(redundant_links(Closure(Network(document, interpretation))))
    for n, link in enumerate(links):
        rest = brute.models([*links[:n], *links[n + 1 :]])
        follows = brute.entails(link.relation, link.left, link.right, rest)
        assert (n in redundant) is (follows and link.relation is not RelationType.VAGUE)
    found = {
        (link.left, link.right, link.relation) for link in closed(document, interpretation, KNOWN)
    }
    assert found == {
        (left, right, relation)
        for left, right in combinations(document.nodes, 2)
        for relation in KNOWN
        if brute.entails(relation, left, right, models)
    }
    stated = (link for link in reversed(links) if link.relation in KNOWN)
    kept = list({meaning(link, interpretation): link for link in stated}.values())
    kept.sort(key=links.index)
    assert brute.models(kept) == models
    for link in list(kept):
        others = [kept_link for kept_link in kept if kept_link is not link]
        if brute.entails(link.relation, link.left, link.right, brute.models(others)):
            kept = others
    assert list(reduced(document, interpretation)) == kept
    assert brute.models(kept) == models
    return True


def test_random_documents(
    random_documents: Documents, world: Any, interpretations: list[Interpretation]
) -> None:
    consistent = 0
    for number, interpretation in enumerate(interpretations):
        for document in random_documents(20 + number, 120, nodes=3, links=6):
            consistent += compare(document, interpretation, world)
    assert consistent > 100


@pytest.mark.slow
@pytest.mark.parametrize("reading", Reading)
def test_all_networks_of_three_nodes_and_three_links(reading: Reading, world: Any) -> None:
    """Up to the names of the nodes, VAGUE links included, so that there are fewer links too.

    The first link is about a and b; every other one is written from right to left, which another
    relation would express as well.
    """
    nodes = {name: Node(id=name) for name in "abc"}
    interpretation = Interpretation(reading=reading)
    consistent = 0
    for pairs in product(["ab"], ["ab", "bc", "ca"], ["ab", "bc", "ca"]):
        for number, relations in enumerate(product(RelationType, repeat=3)):
            links = tuple(
                Link(id=str(n), left=pair[turn], right=pair[1 - turn], relation=relation)
                for n, (pair, relation) in enumerate(zip(pairs, relations, strict=True))
                for turn in [number >> n & 1]
            )
            document = Document(name="", nodes=nodes, links=links)
            consistent += compare(document, interpretation, world)
    assert consistent > 20_000


@pytest.mark.slow
def test_ten_thousand_networks_of_four_nodes(random_documents: Documents, world: Any) -> None:
    seen = 0
    for reading in Reading:
        for document in random_documents(3, 5_000, nodes=4, links=7):
            seen += compare(document, Interpretation(reading=reading), world)
    assert seen > 1_000


def test_double_links() -> None:
    relations = (
        ("a", RelationType.BEFORE, "b"), ("a", RelationType.BEFORE, "b"),
        ("b", RelationType.AFTER, "a"), ("b", RelationType.IDENTITY, "c"),
        ("b", RelationType.SIMULTANEOUS, "c"), ("b", RelationType.BEFORE, "c"),
    )  # fmt: skip
    links = tuple(
        Link(id=str(n), left=left, right=right, relation=relation)
        for n, (left, relation, right) in enumerate(relations)
    )
    nodes = {name: Node(id=name) for name in "abc"}
    found = overlap(Document(name="d", nodes=nodes, links=links), Interpretation())
    assert found.repeated == ((1, 0), (4, 3))
    assert found.inverse == ((2, 0),)
    assert found.differing == ((5, 3),)


def test_vague_pairs_that_the_rest_determines(
    document_of: Callable[[str], Document],
) -> None:
    document = document_of("a BEFORE b, b BEFORE c, a VAGUE c, d VAGUE a, b VAGUE c")
    network = Network(document, Interpretation())
    assert determined(document, Closure(network)) == [2, 4]


def test_labels_are_those_of_the_format(document_of: Callable[[str], Document]) -> None:
    assert RelationType.OVERLAP not in labels(document_of("a BEFORE b"))
    assert RelationType.OVERLAP in labels(document_of("a OVERLAP b"))
    starts = labels(document_of("a STARTS_BEFORE b"))
    assert set(starts) == {relation for relation in RelationType if relation.startswith("STARTS")}
    assert len(labels(Document(name="d", format=Format.TABLE))) == 5
