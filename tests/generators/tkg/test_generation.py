"""What is planted, and what its labels say of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.tkg.config import (
    Config,
    ConfigError,
    Distribution,
    Mode,
    Weights,
    draw,
    draw_distinct,
)
from generators.tkg.plan import LabelledGraph
from generators.tkg.planting import plant_graph
from generators.tkg.run import generate


def config(**options: object) -> Config:
    base: dict[str, object] = {"entities": 30, "relations": 8, "steps": 25, "patterns": [3, 3, 2]}
    return Config.of_json(base | options)


def require_right_labels(graph: LabelledGraph, steps: int, *, injective: bool) -> None:
    """Each label is what its pattern and the other facts of its instance allow."""
    labels, rows = graph.labels, graph.facts.rows().tolist()
    instances: dict[int, dict[int, tuple[int, list[int]]]] = {}
    for fact, pattern, instance, end, position in zip(
        labels.fact.tolist(),
        labels.pattern.tolist(),
        labels.instance.tolist(),
        labels.consequence.tolist(),
        labels.position.tolist(),
        strict=True,
    ):
        assert position not in instances.setdefault(instance, {})
        instances[instance][position] = (pattern, rows[fact])
        assert end == (position == graph.plan.patterns[pattern].hops + 1)
    assert sorted(instances) == list(range(graph.instances))
    assert set(labels.fact.tolist()) == set(range(len(rows)))
    for number, facts in instances.items():
        require_instance(graph, number, facts, steps, injective=injective)


def require_instance(
    graph: LabelledGraph,
    number: int,
    facts: dict[int, tuple[int, list[int]]],
    steps: int,
    *,
    injective: bool,
) -> None:
    (pattern,) = {pattern for pattern, _ in facts.values()}
    planted_pattern = graph.plan.patterns[pattern]
    assert sorted(facts) == list(range(1, len(facts) + 1))
    bound: dict[int, int] = {}
    for position, (_, (head, relation, tail, time)) in facts.items():
        step = planted_pattern.template.steps[position - 1]
        assert relation == planted_pattern.relation(step)
        assert bound.setdefault(step.head, head) == head
        assert bound.setdefault(step.tail, tail) == tail
        if position > 1:
            lag = planted_pattern.lags[position - 2]
            assert lag.low <= time - facts[position - 1][1][3] <= lag.high
    if injective or number >= graph.forced:
        assert len(set(bound.values())) == len(bound)
    if len(facts) <= planted_pattern.hops:
        # The next step fell behind the last time.
        assert number < graph.forced
        assert facts[len(facts)][1][3] + planted_pattern.lags[len(facts) - 1].high >= steps


@settings(max_examples=40)
@given(
    mode=st.sampled_from(Mode),
    seed=st.integers(0, 1000),
    low=st.integers(0, 3),
    width=st.integers(0, 3),
    injective=st.booleans(),
    probability=st.floats(0, 0.4),
)
def test_labels_tell_the_truth(
    mode: Mode, seed: int, low: int, width: int, injective: bool, probability: float
) -> None:
    given_config = config(
        mode=mode.value,
        lags={"low": low, "high": low + width},
        injective=injective,
        probability=probability,
        guards={"edges": 20_000, "matches": 10_000_000},
    )
    graph = generate(given_config, seed)
    require_right_labels(graph, given_config.steps, injective=injective)


def test_facts_are_sorted_and_each_is_there_once() -> None:
    graph = generate(config(probability=0.9), 1)
    rows = graph.facts.by_time().rows()
    assert (graph.facts.rows() == rows).all()
    assert len(np.unique(rows, axis=0)) == len(rows)


@pytest.mark.parametrize("mode", list(Mode))
def test_the_same_seed_gives_the_same_graph_and_another_another(mode: Mode) -> None:
    graph, again, other = (generate(config(mode=mode.value), seed) for seed in (1, 1, 2))
    assert (graph.facts.rows() == again.facts.rows()).all()
    assert (graph.labels.instance == again.labels.instance).all()
    assert not np.array_equal(graph.facts.rows(), other.facts.rows())


def test_modes_begin_with_the_same_instances() -> None:
    starts = [plant_graph(config(mode=mode.value), 5) for mode in Mode]
    assert len({start.planted.codes.tobytes() for start in starts}) == 1


def test_as_many_instances_are_planted_as_asked() -> None:
    start = plant_graph(config(probability=1.0, trials=3), 0)
    assert len(start.planted) == 8 * 25 * 3
    assert len(plant_graph(config(probability=0.0), 0).planted) == 0
    sizes = [
        len(plant_graph(config(probability=0.3, trials=4), seed).planted) for seed in range(20)
    ]
    mean, deviation = 800 * 0.3, (800 * 0.3 * 0.7) ** 0.5
    assert abs(np.mean(sizes) - mean) < 4 * deviation / 20**0.5


def test_patterns_are_as_many_as_asked_and_differ() -> None:
    patterns = plant_graph(config(relations=20, patterns=[20, 10, 5]), 3).plan.patterns
    assert [sum(pattern.hops == hops for pattern in patterns) for hops in (1, 2, 3)] == [20, 10, 5]
    assert len(set(map(str, patterns))) == 35
    assert [pattern.id for pattern in patterns] == list(range(35))


def test_no_pattern_is_a_part_of_an_earlier_one_if_so_asked() -> None:
    """One hop within two: with two relations and many patterns there is such a pair else."""
    options = {"relations": 2, "patterns": [2, 12, 0]}
    from solver.patterns.engine import without_parts
    from solver.patterns.model import Pattern, Triple

    def concrete(seed: int, *, distinct: bool) -> list[Pattern]:
        found = []
        for pattern in plant_graph(config(distinct=distinct, **options), seed).plan.patterns:
            steps = [
                Triple(head=s.head, relation=pattern.relation(s) + 1, tail=s.tail)
                for s in pattern.template.steps
            ]
            found.append(Pattern(antecedents=tuple(steps[:-1]), consequence=steps[-1]))
        return found

    drawn = [concrete(seed, distinct=True) for seed in range(3)]
    assert all(without_parts(found) == found for found in drawn)


@pytest.mark.parametrize("profile", ["tight", "back_loaded", "recency"])
def test_lags_are_drawn_from_a_profile(profile: str) -> None:
    patterns = plant_graph(config(lags=profile), 0).plan.patterns
    for pattern in patterns:
        if profile == "tight":
            assert all(lag.low == lag.high for lag in pattern.lags)
        elif profile == "recency":
            assert all(lag.high <= 5 for lag in pattern.lags)
        else:
            assert (pattern.lags[-1].low, pattern.lags[-1].high) == (5, 10)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (Weights(), [1.0] * 4),
        (Weights(distribution=Distribution.ZIPF, exponent=2), [1, 1 / 4, 1 / 9, 1 / 16]),
        (Weights(distribution=Distribution.GIVEN, values=(3, 0, 2, 1)), [3, 2, 1, 0]),
    ],
)
def test_weights(weights: Weights, expected: list[float]) -> None:
    found = weights.drawn(4, np.random.default_rng(0), named="entities")
    assert sorted(found.tolist(), reverse=True) == pytest.approx(sorted(expected, reverse=True))


def test_gamma_weights_have_the_moments_of_the_distribution() -> None:
    drawn = Weights(distribution=Distribution.GAMMA).drawn(
        40_000, np.random.default_rng(0), named="entities"
    )
    assert drawn.mean() == pytest.approx(2, rel=0.03)
    assert drawn.var() == pytest.approx(4, rel=0.06)


def test_draws_have_the_probabilities_of_their_weights() -> None:
    random = np.random.default_rng(0)
    counts = np.bincount(draw(np.array([1.0, 0.0, 3.0]), 40_000, random), minlength=3) / 40_000
    assert counts == pytest.approx([0.25, 0, 0.75], abs=0.01)
    rows = draw_distinct(np.array([1.0, 1.0, 8.0]), 40_000, 2, random)
    assert (rows[:, 0] != rows[:, 1]).all()
    # Without putting back: after the frequent one both others are alike.
    second = rows[rows[:, 0] == 2, 1]
    assert np.bincount(second, minlength=2) / len(second) == pytest.approx([0.5, 0.5], abs=0.01)
    with pytest.raises(ConfigError, match="found 1 ids with a weight above 0, expected 2"):
        draw_distinct(np.array([1.0, 0.0]), 3, 2, random)
