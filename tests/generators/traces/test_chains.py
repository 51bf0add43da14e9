"""Sentences of premises that a proof does not need."""

from __future__ import annotations

from random import Random

from generators.traces.chains import _irrelevant
from grammar.traces.model import ordered


def test_an_irrelevant_sentence_is_about_another_pair_of_two_events() -> None:
    draw, found = Random(41), 0
    for _ in range(400):
        events = draw.randrange(2, 5)
        pairs = [draw.sample(range(2 * events), 2) for _ in range(draw.randrange(1, 7))]
        stated = [ordered(p, draw.choice("<="), q) for p, q in pairs if p >> 1 != q >> 1]
        made = _irrelevant(draw, stated, events)
        if made is None:
            continue
        found += 1
        assert made.left >> 1 != made.right >> 1
        assert made.sign in ("<", "=")
        assert {made.left, made.right} not in [{each.left, each.right} for each in stated]
        named = {point >> 1 for each in stated for point in (each.left, each.right)}
        unnamed = set(range(2, events)) - named
        assert not unnamed or min(unnamed) in (made.left >> 1, made.right >> 1)
    assert found > 200
