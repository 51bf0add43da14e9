"""Probes of links: planted words, orders and distances are found, random relations give none."""

from __future__ import annotations

import random

import pytest

from grammar.links.model import Document, Link, Node, RelationType
from solver.links.probes import PROBES, probed
from solver.probes.probe import ProbeLevel, ProbeResult

RELATIONS = (RelationType.BEFORE, RelationType.AFTER, RelationType.SIMULTANEOUS)
WORDS = ("said", "met", "fell", "won", "left", "came")
NAMES = [f"e{n}" for n in range(12)]


def documents(plant: str, share: float, seed: int = 0) -> list[Document]:
    """Documents of 20 links with random relations; in a share of the links a feature decides."""
    draw = random.Random(seed)
    found = []
    for number in range(200):
        nodes = {name: Node(id=name, word=draw.choice(WORDS)) for name in NAMES}
        nodes |= {
            str(relation_type): Node(id=str(relation_type), word=f"word {relation_type}")
            for relation_type in RELATIONS
        }
        nodes |= {f"f{n}": Node(id=f"f{n}", word="far") for n in range(60)}
        links = []
        for row in range(20):
            left, right = draw.sample(NAMES, 2)
            relation = draw.choice(RELATIONS)
            if draw.random() < share:
                if plant == "words":
                    left = str(relation)
                elif plant == "distance":
                    right = f"f{20 * RELATIONS.index(relation)}"
                elif plant == "order":
                    first = NAMES.index(left) < NAMES.index(right)
                    relation = RelationType.BEFORE if first else RelationType.AFTER
            links.append(Link(id=str(row), left=left, right=right, relation=relation))
        found.append(Document(name=str(number), nodes=nodes, links=tuple(links)))
    return found


def shortcuts(results: list[ProbeResult]) -> set[str]:
    return {result.name for result in results if result.shortcut}


@pytest.mark.parametrize(
    ("plant", "share", "name"),
    [
        ("words", 0.10, "the words of the pair"),
        ("order", 0.10, "the order in the text"),
        ("distance", 0.10, "the distance in the text"),
    ],
)
def test_a_planted_feature_is_found(plant: str, share: float, name: str) -> None:
    assert name in shortcuts(list(probed(documents(plant, share), ProbeLevel.ALL)))


@pytest.mark.parametrize("seed", range(5))
def test_random_relations_have_no_shortcut(seed: int) -> None:
    results = list(probed(documents("", 0.0, seed), ProbeLevel.ALL))
    assert [result.name for result in results] == [probe.name for probe in PROBES]
    assert shortcuts(results) == set()
    assert all(result.accuracy is not None for result in results)


def test_probes_run_on_request_only() -> None:
    every = documents("words", 0.5)
    assert not list(probed(every, ProbeLevel.FAST))
    assert not list(probed(every, ProbeLevel.NONE))
