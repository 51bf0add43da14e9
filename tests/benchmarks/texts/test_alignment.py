"""Alignments of facts and of elements, compared with plain enumeration."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from statistics import mean
from typing import Any

import numpy as np
import pytest

from benchmarks.metrics.ranking import Numbers
from benchmarks.texts.elements import Profile, elements
from benchmarks.texts.extraction import Item, extract, first_optimal, optimal
from benchmarks.texts.pairs import compare, score_pairs

FactMaker = Callable[[random.Random], list[str]]
ItemMaker = Callable[[random.Random, int], Item]


def table(source: random.Random, size: int, kind: str) -> Numbers:
    """F1 of all pairs; coarse values often tie."""
    choices = {"coarse": [0, 1 / 2, 1], "thirds": [0, 1 / 3, 2 / 3, 1, 0.1, 0.2, 0.3, 0.7]}
    pick = (lambda: source.choice(choices[kind])) if kind in choices else source.random
    return np.array([[[pick() for _ in range(4)] for _ in range(size)] for _ in range(size)])


def enumerated(f1: Numbers) -> tuple[int, ...]:
    """The released procedure: all permutations in order, a greater sum replaces the best."""
    best: tuple[int, ...] | None = None
    greatest = 0.0
    for order in permutations(range(len(f1))):
        total: float = 0
        for candidate, reference in enumerate(order):
            total += mean(f1[candidate, reference].tolist())
        if best is None or total > greatest:
            best, greatest = order, total
    assert best is not None
    return best


@pytest.mark.parametrize("kind", ["coarse", "thirds", "any"])
def test_the_first_optimum_is_that_of_enumeration(kind: str) -> None:
    source = random.Random(kind)
    for size in (1, 2, 3, 3, 4, 4, 4, 5, 5):
        for _ in range(6):
            f1 = table(source, size, kind)
            assert tuple(first_optimal(f1).tolist()) == enumerated(f1)


@pytest.mark.parametrize("size", [6, 7])
def test_the_first_optimum_of_the_largest_items(size: int) -> None:
    source = random.Random(size)
    for kind in ("coarse", "thirds", "any"):
        f1 = table(source, size, kind)
        assert tuple(first_optimal(f1).tolist()) == enumerated(f1)


def test_the_optimum_is_that_of_brute_force_for_up_to_six_facts() -> None:
    source = random.Random(6)
    for size in (1, 2, 3, 4, 5, 6):
        for _ in range(4):
            f1 = table(source, size, "thirds").mean(axis=2)
            best = max(
                sum(f1[n, place] for n, place in enumerate(order))
                for order in permutations(range(size))
            )
            order = optimal(f1[:, :, None])
            assert sorted(order.tolist()) == list(range(size))
            assert f1[np.arange(size), order].sum() == pytest.approx(best)


def figure(right: Fraction, actual: int, possible: int) -> Fraction:
    """F1 as an exact fraction."""
    return 2 * right / (actual + possible) if actual + possible else Fraction(0)


def slow(candidate: list[str], reference: list[str]) -> dict[str, list[tuple[Fraction, Fraction]]]:
    """Exact and partial F1 of every order of the elements, and strict and type F1 of their own."""
    ours, theirs = elements(candidate), elements(reference)
    size = max(len(ours), len(theirs))
    ours, theirs = (side + ((),) * (size - len(side)) for side in (ours, theirs))
    found = []
    for order in permutations(ours):
        counts = [compare(there, here) for there, here in zip(theirs, order, strict=True)]
        correct = sum(count.correct for count in counts)
        half = sum(count.partial for count in counts)
        actual = correct + half + sum(count.spurious for count in counts)
        possible = correct + half + sum(count.missed for count in counts)
        found.append(
            (
                figure(Fraction(correct), actual, possible),
                figure(correct + Fraction(half, 2), actual, possible),
                figure(Fraction(correct + half), actual, possible),
            )
        )
    return {
        "own": [(found[0][0], found[0][2])],
        "orders": [(exact, partial) for exact, partial, _ in found],
    }


def test_orders_of_elements_are_those_of_enumeration(fact_of: FactMaker) -> None:
    source = random.Random(3)
    for _ in range(150):
        reference = fact_of(source)
        candidate = [
            part if source.random() < 0.4 else other
            for part, other in zip(reference, fact_of(source), strict=True)
        ]
        if source.random() < 0.3:
            source.shuffle(candidate)
        wanted = slow(candidate, reference)
        sides = [([elements(candidate)], [elements(reference)])]
        (released,) = score_pairs(sides, Profile.RELEASED)
        (exact,) = score_pairs(sides, Profile.EXACT)
        assert exact.figures[0, [0, 2], 2] == pytest.approx([float(x) for x in wanted["own"][0]])
        best = max(share for share, _ in wanted["orders"])
        assert exact.figures[0, 1, 2] == pytest.approx(float(best))
        top = max(share for _, share in wanted["orders"])
        assert exact.figures[0, 3, 2] == pytest.approx(float(top))
        # Rounding may break exact ties: partial is then taken at any of the best orders.
        ties = [float(half) for share, half in wanted["orders"] if share == best]
        assert released.figures[0, 1, 2] == pytest.approx(float(best))
        assert any(released.figures[0, 3, 2] == pytest.approx(tie) for tie in ties)


def test_two_hundred_facts_take_less_than_a_second(
    fact_of: FactMaker, within: Callable[..., Any]
) -> None:
    source = random.Random(200)
    references = [fact_of(source) for _ in range(200)]
    candidates = [
        fact_of(source) if source.random() < 0.3 else list(reference) for reference in references
    ]
    source.shuffle(candidates)
    item = Item(references=references, candidates=candidates)
    found = within(1, lambda: extract([item], Profile.EXACT))
    assert len(found.item) == 200
    assert found.pairs.figures[:, 0, 2].mean() > 0.6


def test_profiles_agree_on_the_sum_where_both_are_optimal(item_of: ItemMaker) -> None:
    source = random.Random(9)
    for _ in range(60):
        item = item_of(source, 5)
        released, exact = (extract([item], profile) for profile in Profile)
        own = released.pairs.figures[..., 2].mean(axis=1).sum()
        assert exact.pairs.figures[..., 2].mean(axis=1).sum() >= own - 1e-9
