"""The algorithms as printed: worked cases by simulation, and what they repair."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from generators.tkg.config import Config, Mode
from generators.tkg.literal import look_back
from generators.tkg.plan import ABSENT, Instances, Plan, RunawayError, Space
from generators.tkg.planting import PlantedGraph
from generators.tkg.presets import Preset, config_of
from generators.tkg.run import generate
from solver.graph.model import Quadruples
from solver.patterns.model import Lag
from solver.tkg.planted import PlantedPattern, planted

RUNS = 3_000


def pattern(text: str, low: int, high: int) -> PlantedPattern:
    count = text.count(",") + 1
    return planted(0, text, [Lag(low=low, high=high)] * count)


def beginning(
    pattern: PlantedPattern, config: Config, facts: list[list[list[int]]]
) -> PlantedGraph:
    """Instances of one pattern, each given by the facts of its steps."""
    space = Space(entities=config.entities, relations=config.relations, steps=config.steps)
    steps = len(facts[0])
    rows = np.array(facts, dtype=np.int64).reshape(-1, 4)
    codes = np.full((len(facts), 4), ABSENT, dtype=np.int64)
    codes[:, :steps] = space.codes(Quadruples.of(rows)).reshape(-1, steps)
    instances = Instances(pattern=np.zeros(len(facts), np.int64), codes=codes)
    return PlantedGraph(space=space, plan=Plan.of([pattern]), planted=instances)


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (2, Fraction(3, 2)),
        (3, Fraction(16, 9)),
        (4, Fraction(125, 64)),
        (5, Fraction(1296, 625)),
    ],
)
def test_an_isolated_instance_is_multiplied_as_calculated(width: int, expected: Fraction) -> None:
    """Consequences of one instance, over many that share no entity; within 3 standard errors."""
    assert expected == Fraction(width + 1, width) ** (width - 1)
    config = Config(entities=2 * RUNS, relations=2, steps=width + 1, mode=Mode.LITERAL)
    random = np.random.default_rng(width)
    gaps = random.integers(1, width + 1, RUNS).tolist()
    facts = [[[2 * n, 0, 2 * n + 1, 0], [2 * n, 1, 2 * n + 1, gap]] for n, gap in enumerate(gaps)]
    start = beginning(pattern("1 -0-> 2 => 1 -1-> 2", 1, width), config, facts)
    added = look_back(start, config, random)
    found = start.space.facts(np.union1d(start.planted.facts(), added.facts()))
    counts = np.bincount(found.head[found.relation == 1] // 2, minlength=RUNS)
    error = counts.std() / math.sqrt(RUNS)
    assert error > 0
    assert abs(counts.mean() - float(expected)) < 3 * error


@pytest.mark.parametrize(("tail", "found"), [(0, 1), (1, 0)])
def test_a_consequence_between_one_placeholder_has_one_entity(tail: int, found: int) -> None:
    """As printed, the tail 1 would overwrite the head 0, and the fact (1, 0, 1) be matched."""
    config = Config(entities=2, relations=2, steps=9)
    planted_pattern = pattern("1 -0-> 1 => 1 -1-> 1", 3, 3)
    facts = [[[0, 0, 0, 0]], [[1, 0, 1, 0]], [[0, 1, tail, 3]]]
    added = look_back(beginning(planted_pattern, config, facts), config, np.random.default_rng(0))
    assert len(added) == found


def test_lags_of_one_value_add_nothing_to_an_instance() -> None:
    config = Config(entities=4, relations=3, steps=9)
    planted_pattern = pattern("1 -0-> 2, 2 -1-> 3 => 1 -2-> 3", 2, 2)
    facts = [[[0, 0, 1, 0], [1, 1, 2, 2], [0, 2, 2, 4]]]
    added = look_back(beginning(planted_pattern, config, facts), config, np.random.default_rng(0))
    assert len(added) == 0


def test_antecedents_alone_are_not_seen() -> None:
    """The algorithms look back from consequences; closure would add one here."""
    config = Config(entities=4, relations=3, steps=9)
    planted_pattern = pattern("1 -0-> 2 => 2 -1-> 1", 1, 1)
    added = look_back(
        beginning(planted_pattern, config, [[[0, 0, 1, 0]]]), config, np.random.default_rng(0)
    )
    assert len(added) == 0


def test_a_run_away_is_named_soon() -> None:
    config = replace(config_of(Preset.ONLY_1_HOP), mode=Mode.LITERAL)
    config = Config.of_json(config.as_json() | {"guards": {"edges": 25_000}})
    with pytest.raises(RunawayError, match=r"pattern \d+ .* ran away"):
        generate(config, 0)
