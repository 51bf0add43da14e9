"""Small graphs, and forecasters small enough to learn them in a second."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from benchmarks.forecasting.forecaster import NeuralForecaster
from benchmarks.forecasting.settings import Model, Settings
from solver.graph.model import Dataset, Quadruples, Split, Vocabulary

ENTITIES, RELATIONS, DAYS = 7, 3, 12
Make = Callable[..., NeuralForecaster]


def settings(model: Model, **changes: float) -> Settings:
    """Few dimensions and epochs."""
    small = replace(
        Settings.of(model), size=8, kernels=3, batch=16, epochs=3, dropout=0.1, patience=0
    )
    return replace(small, **changes)  # type: ignore[arg-type]


def random_graph(seed: int, *, valid: bool = True) -> Dataset:
    """Few entities, so that facts repeat, and days without facts."""
    source = np.random.default_rng(seed)
    days = {Split.TRAIN: (0, 7), Split.VALID: (7, 9), Split.TEST: (9, DAYS)}
    splits = {}
    for split, (first, last) in days.items():
        sizes = (ENTITIES, RELATIONS, ENTITIES, last - first)
        rows = np.stack([source.integers(0, size, 25) for size in sizes], axis=1)
        rows[:, 3] = 2 * (rows[:, 3] + first)
        splits[split] = Quadruples.of(rows).distinct()
    if not valid:
        del splits[Split.VALID]
    vocabulary = Vocabulary(entities=ENTITIES, relations=RELATIONS, times=2 * DAYS)
    return Dataset(name="random", vocabulary=vocabulary, splits=splits)


def regular_graph() -> Dataset:
    """Each day e has r0 with e + 1 and r1 with e + 2, so that all answers can be learned."""
    rows = [
        (entity, relation, (entity + relation + 1) % ENTITIES, day)
        for day, entity, relation in product(range(DAYS), range(ENTITIES), range(2))
    ]
    facts = Quadruples.of(np.array(rows))
    splits = {
        Split.TRAIN: facts.take(facts.time < DAYS - 1),
        Split.TEST: facts.take(facts.time == DAYS - 1),
    }
    vocabulary = Vocabulary(entities=ENTITIES, relations=RELATIONS, times=DAYS)
    return Dataset(name="regular", vocabulary=vocabulary, splits=splits)


@pytest.fixture
def graph() -> Dataset:
    return random_graph(1)


@pytest.fixture
def until(graph: Dataset) -> int:
    """The first time that is not learned from."""
    return int(graph.facts(Split.TRAIN).time.max()) + 1
