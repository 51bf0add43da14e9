"""Cues: what is planted is found, alone or in pairs; associations by their definition."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import numpy as np
import pytest

from solver.probes.cues import FEWEST, associations, chi_squares, design_effect
from solver.probes.learners import Coded, Cues
from solver.probes.probe import Labelled, Probe, run_probe

LABELS = ("true", "false", "undefined")
COLUMNS = 30


def drawn(items: int, seed: int) -> tuple[list[list[int]], list[int]]:
    source = random.Random(seed)
    rows = [[source.randrange(2 + column % 5) for column in range(COLUMNS)] for _ in range(items)]
    return rows, [source.randrange(3) for _ in range(items)]


def cues(rows: list[list[int]], *, pairs: bool = False) -> Cues:
    return Cues(
        names=tuple(f"c{n}" for n in range(COLUMNS)),
        columns=[Coded.of(column) for column in zip(*rows, strict=True)],
        pairs=pairs,
    )


def probed(given: Cues, gold: list[int]) -> tuple[bool, tuple[str, ...]]:
    labels = [LABELS[label] for label in gold]
    probe: Probe[int] = Probe(name="cues", features=lambda _: given)
    found = run_probe(probe, Labelled(items=range(len(gold)), labels=labels, ids=labels))
    return found.shortcut, tuple(value.value for value in found.strongest)


def statistic(rows: list[int], gold: list[int]) -> tuple[float, int]:
    """Pearson's statistic, written from its definition; rare values are one."""
    often = Counter(rows)
    values = [value if often[value] >= FEWEST else "rare" for value in rows]
    kinds, labels = sorted(set(map(str, values))), sorted(set(gold))
    total = 0.0
    for kind, label in product(kinds, labels):
        expected = sum(str(v) == kind for v in values) * gold.count(label) / len(gold)
        seen = sum(str(v) == kind and g == label for v, g in zip(values, gold, strict=True))
        total += (seen - expected) ** 2 / expected
    return total, (len(kinds) - 1) * (len(labels) - 1)


def test_the_statistics_are_those_of_their_definition() -> None:
    source = random.Random(1)
    for turn in range(200):
        items = source.randrange(1, 90)
        gold = [source.randrange(source.randrange(1, 4)) for _ in range(items)]
        tables, expected = [], []
        for _ in range(source.randrange(1, 5)):
            values = source.randrange(1, 12)
            rows = [source.randrange(values) for _ in range(items)]
            tables.append(np.zeros((values, 3), dtype=np.intp))
            np.add.at(tables[-1], (rows, gold), 1)
            expected.append(statistic(rows, gold))
        for found, (value, degrees) in zip(chi_squares(tables), expected, strict=True):
            assert found[1] == degrees, turn
            assert found[0] == pytest.approx(value if degrees else 0), turn
    assert chi_squares([]) == []


@pytest.mark.parametrize("column", [0, 3])
def test_a_cue_in_a_seventh_of_the_items_is_found(column: int) -> None:
    rows, gold = drawn(2000, 4)
    for row, label in zip(rows[:300], gold[:300], strict=True):
        row[column] = min(label, 1 + column % 5)
    shortcut, values = probed(cues(rows), gold)
    assert shortcut
    assert values[0].startswith(f"c{column}: ")


def test_a_pair_is_found_that_tells_nothing_alone() -> None:
    rows, gold = drawn(2000, 5)
    for row, label in zip(rows[:400], gold[:400], strict=True):
        row[5] = 1 - row[0] if label else row[0]
    assert not probed(cues(rows), gold)[0]
    shortcut, values = probed(cues(rows, pairs=True), gold)
    assert shortcut
    assert "c0, and c5: " in values[0]


def test_how_often_a_word_occurs_is_found() -> None:
    source = random.Random(6)
    texts = [[source.choice("abcdefgh") for _ in range(20)] for _ in range(1500)]
    gold = [source.randrange(3) for _ in texts]
    for words, label in zip(texts[:300], gold[:300], strict=True):
        words[:] = ["x" if word == "h" else word for word in words]
        words[:4] = "h" * label + "x" * (4 - label)
    shortcut, values = probed(Cues(names=(), columns=(), words=texts), gold)
    assert shortcut
    assert values[0].startswith(("`h`: ", "`x`: "))


@pytest.mark.parametrize("pairs", [False, True])
def test_random_cues_are_seldom_reported(pairs: bool) -> None:
    alarms = 0
    for seed in range(40):
        rows, gold = drawn(600, seed)
        alarms += probed(cues(rows, pairs=pairs), gold)[0]
    assert alarms <= 2


@pytest.mark.parametrize("copies", [2, 5])
def test_items_that_are_repeated_count_once(copies: int) -> None:
    rows, gold = drawn(300, 8)
    again = [row for row in rows for _ in range(copies)]
    labels = np.repeat(gold, copies)
    groups = [n // copies for n in range(len(again))]
    assert design_effect(labels, 3, groups) == pytest.approx(copies, rel=0.02)
    assert design_effect(labels, 3, range(len(again))) == 1
    once = associations(cues(rows), np.array(gold), 3, range(300))
    found = associations(cues(again), labels, 3, groups)
    assert min(each.p_value for each in found) == min(each.p_value for each in once) == 1


def test_groups_with_one_item_of_each_label_count_whole() -> None:
    gold = np.array([0, 1, 2] * 50)
    assert design_effect(gold, 3, [n // 3 for n in range(150)]) == 1


def test_properties_that_say_the_same_are_tested_once() -> None:
    rows, gold = drawn(400, 9)
    for row in rows:
        row[10:] = [row[0] + 7] * (COLUMNS - 10)
    found = associations(cues(rows), np.array(gold), 3, range(400))
    assert {each.tested.name for each in found} == {f"c{n}" for n in range(10)}


@pytest.mark.parametrize("items", [0, 1, 30])
def test_few_items_and_constant_properties_are_no_cues(items: int) -> None:
    rows = [[0] * COLUMNS for _ in range(items)]
    gold = [n % 2 for n in range(items)]
    assert not probed(cues(rows), gold)[0]
    assert not probed(cues(rows, pairs=True), gold)[0]
