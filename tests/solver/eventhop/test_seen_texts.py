"""Repeated texts, found without a set."""

from __future__ import annotations

import random

from solver.eventhop.records import ItemPlace, Record
from solver.eventhop.shards import text_digest
from solver.io.columns import SeenHashes


def record(premise: str, claim: str) -> Record:
    place = ItemPlace(file="items.tsv", line=1)
    return Record(id="1", premise=premise, claim=claim, gold=None, label=None, place=place)


def test_repeated_texts_are_those_of_a_set() -> None:
    draw, seen, known = random.Random(3), SeenHashes(), set[tuple[str, str]]()
    for _ in range(20_000):  # the table grows several times
        texts = str(draw.randrange(15_000)), str(draw.randrange(2))
        assert seen.repeats(text_digest(record(*texts))) == (texts in known)
        known.add(texts)
    assert 5_461 * 2 < len(known) < 20_000
