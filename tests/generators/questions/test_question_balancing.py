"""What can be counted of choices: counted again by hand, and even between right and wrong ones."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
import pytest

from generators.questions.choices import (
    AGAIN,
    AGE,
    EXPECTED,
    GAP,
    KIND,
    LAG,
    PARTS,
    PAUSE,
    RELATION,
    RELATIONS,
    SPREAD,
    SUBJECT,
    TRIPLE,
    TRIPLES,
    Part,
    balanced,
    candidate_sets,
    looks,
)
from generators.questions.reasoning import fitted_rules
from solver.graph.model import Ids, Split
from solver.questions.contributions import MARGIN, Contributors

from .conftest import MakeWorld

Looks = list[list[tuple[int, ...]]]


def unevenness(sets: Looks, parts: Sequence[Part]) -> int:
    """The sum of squared excesses: four per right choice with a look, less one per choice."""
    found: Counter[Hashable] = Counter()
    for choices in sets:
        for part in parts:
            seen = [tuple(choice[number] for number in part.numbers) for choice in choices]
            for place, look in enumerate(seen):
                excess = part.weight * (4 * (place == 0) - 1)
                found[part, look] += excess
                if part.patterns:
                    found[part, look, tuple(sorted(seen))] += excess
    return sum(excess**2 for excess in found.values())


@pytest.mark.parametrize("seed", range(12))
def test_questions_that_are_kept_make_others_even(seed: int) -> None:
    draw = np.random.default_rng(seed)
    table = draw.integers((3, 4, 2), size=(160, 4, 3))
    questions = np.sort(draw.integers(40, size=160))
    parts = (Part(numbers=(0,), weight=2), Part(numbers=(0, 1)), Part(numbers=(2,), patterns=False))
    chosen = balanced(table, parts, questions, np.random.default_rng(seed)).tolist()
    again = balanced(table, parts, questions, np.random.default_rng(seed)).tolist()
    assert chosen == sorted(chosen) == again
    assert len(set(questions[chosen])) == len(chosen)
    sets: Looks = [[tuple(value) for value in table[row].tolist()] for row in chosen]
    now = unevenness(sets, parts)
    # Without it, its own squares are missing, and twice its product with the excesses of others.
    for place, numbers in enumerate(sets if len(sets) > 8 else []):
        alone = unevenness([numbers], parts)
        others = unevenness(sets[:place] + sets[place + 1 :], parts)
        assert now - others - alone <= -0.4 * alone


def test_a_look_that_is_always_right_is_left_out() -> None:
    """In 300 questions the first look is right, in 60 any of them can be."""
    table = np.tile(np.arange(4)[:, None], (300, 1, 1))
    turned = [np.roll(np.arange(4), turn)[:, None] for _ in range(60) for turn in range(4)]
    questions = np.append(np.arange(300), 300 + np.arange(240) // 4)
    every = np.concatenate((table, turned))
    chosen = balanced(every, (Part(numbers=(0,)),), questions, np.random.default_rng(0))
    right = np.bincount(every[chosen, 0, 0], minlength=4)
    assert len(chosen) > 60
    assert right.max() - right.min() <= 4


def test_few_questions_are_kept() -> None:
    table = np.tile(np.arange(4)[:, None], (8, 1, 1))
    parts = (Part(numbers=(0,)),)
    draw = np.random.default_rng(0)
    assert balanced(table, parts, np.arange(8), draw).tolist() == list(range(8))
    nothing = np.empty((0, 4, 1), dtype=np.int64)
    assert not len(balanced(nothing, parts, np.empty(0, dtype=np.int64), draw))


def class_of(value: int, least: Sequence[int]) -> int:
    return sum(value >= number for number in least)


@pytest.mark.parametrize("seed", range(3))
def test_looks_are_those_counted_by_hand(world: MakeWorld, seed: int) -> None:
    graph = world(seed, 700).graph
    words, asked = graph.vocabulary, graph.splits[Split.TEST]
    asked = asked.take(asked.head != asked.tail)
    rules = fitted_rules(graph.splits, words.relations)
    found = Contributors(graph.facts, rules.all, words, rules.folds).contributions(asked)
    sets = candidate_sets(found, asked, np.random.default_rng(seed))
    assert len(sets.asked) > 50
    table = looks(sets, found, asked, graph.facts, words)
    facts, contributing = graph.facts.rows().tolist(), found.facts.rows().tolist()
    prior = expected_heights(contributing, found.weight, asked.time.repeat(found.counts))
    most, whole = MARGIN
    for question, rows, own in zip(
        sets.asked.tolist(), sets.rows.tolist(), table.tolist(), strict=True
    ):
        head, relation, _, time = asked.rows()[question].tolist()
        chosen = [contributing[row] for row in rows]
        weights = found.weight[rows].tolist()
        assert weights == sorted(set(weights), reverse=True)
        assert whole * weights[1] <= most * weights[0]
        assert all(found.offsets[question] <= row < found.offsets[question + 1] for row in rows)
        assert len({row[1] for row in chosen} - {relation}) == 4
        days = [row[3] for row in chosen]
        assert len(set(days)) == 4
        assert all(abs(day - days[0]) <= SPREAD for day in days)
        before = [fact for fact in facts if fact[3] < time]
        triples = [sum(row[:3] == choice[:3] for row in before) for choice in chosen]
        relations = [sum(row[1] == choice[1] for row in before) for choice in chosen]
        pauses = [day - max((other for other in days if other < day), default=day) for day in days]
        heights = [prior[row[1]] - 100 * (time - row[3]) for row in chosen]
        for place, choice in enumerate(chosen):
            look = own[place]
            assert look[AGE] == sum(day > days[place] for day in days)
            assert look[LAG] == class_of(max(days) - days[place], (1, 3, 6, 11, 21))
            assert look[PAUSE] == sum(pause > pauses[place] for pause in pauses)
            assert look[TRIPLE] == sum(triple > triples[place] for triple in triples)
            assert look[TRIPLES] == class_of(triples[place], (2, 3, 5, 9, 17, 33, 65))
            assert look[RELATION] == sum(
                other_relation > relations[place] for other_relation in relations
            )
            assert look[RELATIONS] == class_of(relations[place], (100, 300, 1000))
            assert look[EXPECTED] == sum(height > heights[place] for height in heights)
            assert look[GAP] == class_of(max(heights) - heights[place], (300, 800, 1500, 2500))
            assert look[KIND] == choice[1]
            assert look[SUBJECT] == (choice[0] == head)
            assert look[AGAIN] == any(
                row[:3] == choice[:3] and row[3] > choice[3] for row in before
            )


def expected_heights(facts: list[list[int]], weight: Ids, times: Ids) -> dict[int, int]:
    """Mean logarithm of the confidence of each relation, with five more of the mean of all."""
    heights: dict[int, list[int]] = {}
    for fact, value, time in zip(facts, weight.tolist(), times.tolist(), strict=True):
        height = round(1_000 * math.log(value)) + 100 * (time - fact[3])
        heights.setdefault(fact[1], []).append(height)
    every = [number for some in heights.values() for number in some]
    mean = sum(every) / len(every)
    return {
        relation: round((sum(some) + 5 * mean) / (len(some) + 5))
        for relation, some in heights.items()
    }


def test_parts_name_every_number_of_a_look() -> None:
    assert {number for part in PARTS for number in part.numbers} == set(range(AGAIN + 1))
