"""Small random facts whose names often share words."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from benchmarks.texts.extraction import Item

FactMaker = Callable[[random.Random], list[str]]
ItemMaker = Callable[[random.Random, int], Item]

WORDS = ("lake", "club", "of", "north", "old", "ferry", "st.", "x.y")
RELATIONS = ("startMemberOf", "endMemberOf", "startWorksFor")


def fact(source: random.Random) -> list[str]:
    """Four strings, with one of a few dates."""
    names = [" ".join(source.choices(WORDS, k=source.randint(1, 4))) for _ in range(2)]
    return [names[0], source.choice(RELATIONS), names[1], f"2031-01-0{source.randint(1, 3)}"]


@pytest.fixture(scope="session")
def fact_of() -> FactMaker:
    return fact


@pytest.fixture(scope="session")
def item_of() -> ItemMaker:
    """Makes an item with up to a number of facts per side; some are found, changed or not."""

    def make(source: random.Random, most: int) -> Item:
        references = [fact(source) for _ in range(source.randint(1, most))]
        candidates = [list(reference) for reference in references if source.random() < 0.8]
        for candidate in candidates:
            if source.random() < 0.6:
                place = source.randrange(4)
                candidate[place] = fact(source)[place]
            if source.random() < 0.1:
                source.shuffle(candidate)
        candidates += [fact(source) for _ in range(source.randint(0, 2))]
        source.shuffle(candidates)
        return Item(references=references, candidates=candidates[:most])

    return make
