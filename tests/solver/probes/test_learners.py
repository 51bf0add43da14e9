"""Trees and counts against their definitions, an item at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from solver.probes import cues
from solver.probes.learners import Coded, Table, Tree, distinct, lower_quantiles

Shares = tuple[float, ...]


def gini_tree(
    rows: Sequence[int], values: Any, gold: Sequence[int], labels: int, depth: int, fewest: int
) -> dict[int, Shares]:
    """The shares of the labels in the leaf of each row; the best cut is the first of several."""
    counts = [sum(gold[row] == label for row in rows) for label in range(labels)]
    best = (1e-9, -1, 0.0)
    if depth and len(rows) >= 2 * fewest and max(counts) < len(rows):
        for column in range(values.shape[1]):
            for most in sorted(set(values[:, column]))[:-1]:
                sides = [
                    [row for row in rows if (values[row, column] <= most) == low]
                    for low in (True, False)
                ]
                if min(map(len, sides)) < fewest:
                    continue
                squares = sum(
                    sum(sum(gold[row] == label for row in side) ** 2 for label in range(labels))
                    / len(side)
                    for side in sides
                )
                gain = squares - sum(number**2 for number in counts) / len(rows)
                if gain > best[0] + 1e-9:
                    best = gain, column, most
    if best[1] < 0:
        return dict.fromkeys(rows, tuple(number / len(rows) for number in counts))
    found: dict[int, Shares] = {}
    for low in (True, False):
        side = [row for row in rows if (values[row, best[1]] <= best[2]) == low]
        found |= gini_tree(side, values, gold, labels, depth - 1, fewest)
    return found


@pytest.mark.parametrize("seed", range(40))
def test_a_tree_is_that_of_its_definition(seed: int) -> None:
    source = np.random.default_rng(seed)
    items, labels = int(source.integers(20, 160)), int(source.integers(2, 5))
    columns = int(source.integers(1, 4))
    values = source.integers(0, source.integers(1, 9, columns), (items, columns)).astype(float)
    if seed % 2:
        values /= 7
    noise = source.integers(0, labels, items)
    decided = values[:, 0] > np.median(values[:, 0])
    gold = np.where(source.random(items) < 0.5, noise, decided).astype(np.intp)
    rows = np.flatnonzero(source.random(items) < 0.8)
    tree = Tree(Table(names=tuple("abc"[:columns]), values=values), labels)
    tree.fit(rows, gold)
    expected = gini_tree(rows.tolist(), values, gold.tolist(), labels, 5, 10)
    found = tree.scores(rows).tolist()
    for row, shares in zip(rows.tolist(), found, strict=True):
        assert tuple(shares) == pytest.approx(expected[row])
    for text, label, members in tree.strongest(rows, gold, 3):
        assert {expected[row] for row in members.tolist()} == {expected[int(members[0])]}
        assert label == int(np.argmax(expected[int(members[0])]))
        for part in text.split(" and "):
            assert part[0] in "abc<>"


@pytest.mark.parametrize("seed", range(20))
def test_numbers_are_numbered_in_their_order(seed: int) -> None:
    source = np.random.default_rng(seed)
    size = int(source.integers(0, 30))
    arrays = (
        source.integers(-5, 5, size),
        source.integers(-(10**9), 10**9, size),
        source.integers(0, 2, size).astype(bool),
        source.integers(0, 4, size) / 3,
    )
    for array in arrays:
        expected = sorted(set(array.tolist()))
        assert distinct(array).tolist() == expected
        coded = Coded.of_numbers(array)
        assert list(coded.values) == expected
        assert list(map(type, coded.values)) == list(map(type, expected))
        assert [expected[code] for code in coded.codes.tolist()] == array.tolist()
        known = source.random(size) < 0.5
        partly = Coded.of_numbers(array, known).codes.tolist()
        assert [code >= 0 for code in partly] == known.tolist()


@pytest.mark.parametrize("seed", range(30))
def test_quantiles_are_those_of_numpy(seed: int) -> None:
    source = np.random.default_rng(seed)
    values = source.integers(0, source.integers(1, 200), source.integers(1, 300)) / 7
    for parts in (2, 8, 24):
        shares = np.arange(1, parts) / parts
        expected = np.unique(np.quantile(values, shares, method="lower"))
        assert lower_quantiles(values, parts).tolist() == expected.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_words_are_counted_in_each_text(seed: int) -> None:
    source = np.random.default_rng(seed)
    texts = [[f"w{n}" for n in source.integers(0, 9, size)] for size in source.integers(0, 12, 120)]
    texts[0], texts[-1] = [], []
    found = {each.name: each for each in cues._counted(texts) if each.values != ("even", "odd")}
    assert len(found) == 9
    for word in {word for text in texts for word in text}:
        counts = [Counter(text)[word] for text in texts]
        often = [number for number, items in Counter(counts).items() if items >= cues.FEWEST]
        codes = [min(max(number, min(often)), max(often)) - min(often) for number in counts]
        assert found[f"`{word}`"].codes.tolist() == codes
    assert list(cues._counted([])) == []
    assert list(cues._counted([[]])) == []
