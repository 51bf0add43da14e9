"""Figures of a graph against worked cases, a published row and a slow second way."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.graph.io import read_dataset
from solver.graph.model import Quadruples
from solver.graph.statistics import EmptyGraphError, gini, graph_statistics, time_step

COUNTS = st.lists(st.integers(0, 50), min_size=1, max_size=12).filter(any)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [([3, 3, 3], 0.0), ([7], 0.0), ([0, 1], 0.5), ([1, 3], 0.25), ([0, 0, 0, 4], 0.75)],
)
def test_gini_of_worked_cases(counts: list[int], expected: float) -> None:
    assert gini(np.array(counts)) == pytest.approx(expected)


@given(COUNTS)
def test_gini_is_half_the_relative_mean_difference(counts: list[int]) -> None:
    mean = sum(counts) / len(counts)
    apart = sum(abs(x - y) for x, y in product(counts, counts)) / len(counts) ** 2
    found = gini(np.array(counts))
    assert found == pytest.approx(apart / (2 * mean))
    assert 0 <= found + 1e-12 < 1


def test_times_in_hours_are_counted_in_days() -> None:
    facts = Quadruples.of(np.array([[0, 0, 1, 24], [1, 1, 5, 72], [0, 0, 1, 120]]))
    found = graph_statistics(facts)
    assert (found.step, found.steps) == (48, 3)
    assert (found.facts, found.entities, found.relations) == (3, 3, 2)
    assert found.average_degree == 2.0
    assert found.events_per_step == 1.0
    assert found.as_json()["gini_relations"] == pytest.approx(1 / 6)


def test_one_time_has_one_step() -> None:
    assert time_step(np.array([8, 8])) == 1
    assert time_step(np.array([6, 0, 10])) == 2


def test_nothing_can_be_said_of_an_empty_graph() -> None:
    with pytest.raises(EmptyGraphError, match="found no facts"):
        graph_statistics(Quadruples.of(np.empty((0, 4), np.int64)))


def test_the_published_row(shared: Path) -> None:
    found = graph_statistics(read_dataset(shared / "data" / "icews14").facts())
    assert (found.facts, found.entities, found.relations) == (90_730, 7_128, 230)
    assert (found.steps, found.step) == (365, 1)
    assert round(found.average_degree, 2) == 25.46
    assert round(found.gini_entities, 2) == 0.85
    assert round(found.gini_relations, 2) == 0.88
