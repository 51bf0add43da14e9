"""Options that make a graph like a real one: rates, profile over time, arrangement, repetition."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest

from generators.tkg.config import (
    Config,
    ConfigError,
    Distribution,
    TimeProfile,
    Weights,
    curve_of,
)
from generators.tkg.files import write_graph
from generators.tkg.planting import PlantedGraph, plant_graph
from generators.tkg.rates import balanced
from generators.tkg.run import generate
from hopcheck import verify
from solver.graph.model import Quadruples

BASE = {
    "entities": 60,
    "relations": 12,
    "steps": 140,
    "patterns": [4, 8, 6],
    "flags": "1100",
    "mode": "forced",
    "probability": 0.5,
    "entity_weights": {"distribution": "zipf", "exponent": 1.0},
    "relation_weights": {"distribution": "zipf", "exponent": 1.2},
}
LIKE = {
    "balanced": True,
    "repetition": 0.4,
    "arranged": 1.0,
    "loops": 0.0,
    "profile": {"period": [4, 4, 4, 4, 4, 1, 1], "spread": 0.2},
}


def config(**options: object) -> Config:
    return Config.of_json(BASE | options)


def instances(start: PlantedGraph) -> list[tuple[int, Quadruples]]:
    """Pattern and facts of the planted instances that are complete."""
    found = []
    for pattern, codes in zip(start.planted.pattern, start.planted.codes, strict=True):
        there = codes[: start.plan.hops[pattern] + 1]
        if (there >= 0).all():
            found.append((int(pattern), start.space.facts(there)))
    return found


def bindings(start: PlantedGraph) -> list[tuple[int, dict[int, int]]]:
    """Pattern and entities by placeholder of the complete instances."""
    found = []
    for pattern, facts in instances(start):
        steps = start.plan.patterns[pattern].template.steps
        bound: dict[int, int] = {}
        for step, head, tail in zip(steps, facts.head, facts.tail, strict=True):
            bound |= {step.head: int(head), step.tail: int(tail)}
        found.append((pattern, bound))
    return found


@pytest.mark.parametrize("seed", range(20))
def test_rates_bring_relations_to_weights_that_can_be_had(seed: int) -> None:
    random = np.random.default_rng(seed)
    slots = random.integers(0, 3, (30, 8)).astype(float)
    slots[:, 0] += 1
    wanted = random.gamma(0.5, 1, 30) @ slots
    rates = balanced(slots, wanted)
    reached = rates @ slots
    assert (rates >= 0).all()
    assert rates.mean() == pytest.approx(1)
    assert reached / reached.sum() == pytest.approx(wanted / wanted.sum(), rel=0.02)


def test_relations_of_a_balanced_graph_occur_by_their_weights() -> None:
    values = [500, 60, 20, 10]
    wanted = np.exp(
        np.interp(np.log(np.arange(1, 13)), np.linspace(0, np.log(12), 4), np.log(values))
    )
    apart = []
    for fitted in (True, False):
        graph = generate(config(balanced=fitted, relation_weights=_curve(values)), 0)
        uses = np.sort(np.bincount(graph.facts.relation, minlength=12))[::-1]
        apart.append(np.abs(uses / uses.sum() - wanted / wanted.sum()).sum() / 2)
    assert apart[0] < 0.05
    assert apart[1] > 0.2


def _curve(values: list[float]) -> dict[str, object]:
    return {"distribution": "curve", "values": values}


def test_a_curve_goes_through_the_counts() -> None:
    counts = np.array([900, 300, 100, 40, 20, 10, 5, 2, 1, 1, 1, 1])
    weights = Weights(distribution=Distribution.CURVE, values=curve_of(counts, points=50))
    drawn = np.sort(weights.drawn(12, np.random.default_rng(0), named="entities"))[::-1]
    assert drawn == pytest.approx(counts, rel=0.15)
    squared = Weights(distribution=Distribution.CURVE, values=weights.values, exponent=2)
    assert np.sort(squared.drawn(12, np.random.default_rng(0), named="entities"))[
        ::-1
    ] == pytest.approx(drawn**2)
    alone = Weights(distribution=Distribution.CURVE, values=(3.0,))
    assert alone.drawn(5, np.random.default_rng(0), named="entities") == pytest.approx(3)


@pytest.mark.parametrize("lags", [{"low": 1, "high": 3}, {"low": 0, "high": 6}, "loose"])
def test_facts_follow_the_period(lags: object) -> None:
    graph = generate(config(probability=1, lags=lags, profile={"period": [4, 4, 4, 4, 4, 1, 1]}), 1)
    shares = np.bincount(graph.facts.time % 7, minlength=7) / len(graph.facts)
    assert shares == pytest.approx([4 / 22] * 5 + [1 / 22] * 2, rel=0.12)


def test_the_spread_is_the_variation_of_the_steps() -> None:
    even, uneven = (
        np.bincount(generate(config(profile={"spread": spread}), 2).facts.time)
        for spread in (0, 0.6)
    )
    assert even.std() / even.mean() < 0.25
    assert uneven.std() / uneven.mean() == pytest.approx(0.6, abs=0.15)


def test_each_pattern_has_a_probability_and_trials_of_its_own() -> None:
    rates = config(patterns=[2, 1, 1], probability=[0, 1, 1, 0.5], trials=[9, 1, 3, 2])
    start = plant_graph(rates, 0)
    planted = Counter(start.planted.pattern.tolist())
    assert (planted[0], planted[1], planted[2]) == (0, 140, 3 * 140)
    assert planted[3] == pytest.approx(140, abs=40)


def test_rarer_entities_are_in_fewer_facts_of_an_arranged_instance() -> None:
    weights = {"distribution": "given", "values": list(range(60, 0, -1))}
    checked = 0
    for share in (0.0, 1.0):
        start = plant_graph(config(entity_weights=weights, arranged=share), 3)
        right = []
        for _, facts in instances(start):
            ends = Counter([*facts.head.tolist(), *facts.tail.tolist()])
            # Entities in more facts have no larger ids, which have smaller weights.
            right.append(
                all(x <= y for x in ends for y in ends if ends[x] > ends[y])
                or len(ends) < start.plan.placeholders
            )
        checked += len(right)
        assert all(right) is (share == 1.0)
    assert checked > 200


@pytest.mark.parametrize("repetition", [0.0, 0.5])
def test_self_loops_are_kept_by_their_share(repetition: float) -> None:
    loops = [
        float(np.mean(graph.facts.head == graph.facts.tail))
        for share in (0.0, 0.5, 1.0)
        for graph in [generate(config(loops=share, repetition=repetition, arranged=0.5), 4)]
    ]
    assert loops[0] == 0
    assert 0.25 * loops[2] < loops[1] < 0.75 * loops[2]


@pytest.mark.parametrize("repetition", [0.0, 0.5, 1.0])
def test_instances_repeat_the_entities_of_earlier_ones(repetition: float) -> None:
    wide = {"entities": 2_000, "entity_weights": {}, "repetition": repetition}
    seen: defaultdict[int, set[str]] = defaultdict(set)
    again = []
    for pattern, bound in bindings(plant_graph(config(**wide), 5)):
        if seen[pattern]:
            again.append(str(sorted(bound.items())) in seen[pattern])
        seen[pattern].add(str(sorted(bound.items())))
    assert np.mean(again) == pytest.approx(repetition, abs=0.06)


@pytest.mark.parametrize("mode", ["forced", "forward"])
@pytest.mark.parametrize("dealt", [{}, {"quotas": True, "mixed": 0.5}])
def test_such_a_graph_is_proved_like_any_other(
    mode: str, dealt: dict[str, object], tmp_path: Path
) -> None:
    made = config(mode=mode, steps=40, **LIKE, **dealt)
    assert Config.of_json(made.as_json()) == made
    write_graph(tmp_path, generate(made, 6), made, 6)
    report = verify(tmp_path, kind="tkg")
    assert report.rows
    assert not report.findings


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"probability": [0.5, 0.5]}, "found 2 probabilities, expected one or 18"),
        ({"probability": [0.5] * 17 + [2]}, "found probability 2.0, expected 0 to 1"),
        ({"trials": [1] * 18, "balanced": True}, "found trials of each pattern in a balanced"),
        ({"repetition": 1.5}, "found repetition 1.5, expected 0 to 1"),
        ({"mixed": 0.5}, r"found mixed 0.5 without quotas, expected quotas or 0"),
        ({"loops": -1}, "found loops -1.0, expected 0 to 1"),
        ({"profile": {"period": [0, 0]}}, "found a period that sums to 0"),
        ({"profile": {"period": [1, -1]}}, "found a negative part of the period"),
        ({"profile": {"spread": 11}}, "found spread 11.0, expected a number from 0 to 10"),
        ({"profile": {"peroid": [1]}}, "found unknown option profile.peroid"),
        ({"entity_weights": {"distribution": "curve"}}, "found a curve of no values"),
    ],
)
def test_options_without_a_meaning_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        config(**options)


def test_a_profile_without_differences_changes_no_graph() -> None:
    plain, flat = (
        generate(config(profile={"period": period}), 7).facts.rows().tolist()
        for period in ([], [3, 3])
    )
    assert plain == flat
    assert TimeProfile(period=(2.0, 2.0)).flat
