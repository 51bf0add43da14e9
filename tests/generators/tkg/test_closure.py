"""Closure against all there is to count in small graphs, and against the least model of clingo."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

import numpy as np
import pytest

from generators.tkg.config import Config, ConfigError
from generators.tkg.plan import (
    ABSENT,
    Instances,
    LabelledGraph,
    Plan,
    RunawayError,
    Space,
    label_graph,
)
from generators.tkg.planting import PlantedGraph, plant_graph
from generators.tkg.run import close, generate
from solver.asp import Program
from solver.graph.model import Quadruples
from solver.patterns.model import Lag
from solver.tkg.planted import PlantedPattern, planted

Fact = tuple[int, int, int, int]
"""Head, relation, tail, time."""


def small(**options: object) -> Config:
    """A small graph; with single-valued lags unless specified otherwise."""
    given: dict[str, object] = {
        "entities": 5,
        "relations": 4,
        "steps": 9,
        "patterns": [2, 2, 1],
        "lags": {"low": 1, "high": 1},
        "probability": 0.12,
        "closure": {"depth": None, "cycles": "follow"},
        "guards": {"edges": 300, "matches": 100_000},
    }
    return Config.of_json(given | options)


def facts_of(graph: LabelledGraph) -> set[Fact]:
    return set(map(tuple, graph.facts.rows().tolist()))


def facts_planted(start: PlantedGraph) -> list[tuple[int, list[Fact]]]:
    """The pattern and the facts of each instance that is planted."""
    lines = []
    given = start.planted
    for number, codes in zip(given.pattern.tolist(), given.codes.tolist(), strict=True):
        there = np.array([code for code in codes if code != ABSENT], dtype=np.int64)
        lines.append((number, list(map(tuple, start.space.facts(there).rows().tolist()))))
    return lines


def least_model(facts: Iterable[Fact], patterns: Iterable[PlantedPattern], steps: int) -> set[Fact]:
    """All that follows, with lags of one value, as clingo says."""
    lines = [f"horizon({steps})."]
    for pattern in patterns:
        lines.append(f"closed({pattern.id}).")
        for place, step in enumerate(pattern.template.steps, 1):
            lines.append(
                f"step({pattern.id},{place},{step.head},{pattern.relation(step)},{step.tail})."
            )
        for place, lag in enumerate(pattern.lags, 1):
            lines.append(f"lag({pattern.id},{place},{lag.low},{lag.high}).")
    lines += [f"planted{fact}." for fact in facts]
    model = Program(encodings=("tkg/closure.lp",)).unique_model("\n".join(lines))
    return {tuple(map(int, map(str, atom.arguments))) for atom in model}  # type: ignore[misc]


def matches(held: set[Fact], pattern: PlantedPattern) -> Iterator[tuple[tuple[Fact, ...], Fact]]:
    """Each match of the antecedents, and its consequence at the earliest time."""
    relations = [pattern.relation(step) for step in pattern.template.antecedents]
    chosen = [sorted(fact for fact in held if fact[1] == relation) for relation in relations]
    for facts in product(*chosen):
        bound = binding(facts, pattern)
        if bound is not None:
            end = pattern.template.consequence
            time = facts[-1][3] + pattern.lags[-1].low
            yield facts, (bound[end.head], pattern.relation(end), bound[end.tail], time)


def binding(facts: tuple[Fact, ...], pattern: PlantedPattern) -> dict[int, int] | None:
    """Bindings of the placeholders by these antecedents; entities are distinct."""
    bound: dict[int, int] = {}
    for step, fact in zip(pattern.template.antecedents, facts, strict=True):
        for name, entity in ((step.head, fact[0]), (step.tail, fact[2])):
            if bound.setdefault(name, entity) != entity:
                return None
    for lag, fact, other in zip(pattern.lags, facts, facts[1:], strict=False):
        if not lag.low <= other[3] - fact[3] <= lag.high:
            return None
    return bound if len(set(bound.values())) == len(bound) else None


def interleaved(start: PlantedGraph, steps: int) -> set[Fact]:
    """Algorithm 1: time after time and pattern after pattern, plant and then follow.

    With lags of one value. Antecedents that come to be at a time after their pattern had its turn
    are not seen again.
    """
    held: set[Fact] = set()
    given = facts_planted(start)
    for time in range(steps):
        for pattern in start.plan.patterns:
            for number, facts in given:
                if number == pattern.id and facts[0][3] == time:
                    held.update(facts)
            due = [new for facts, new in matches(held, pattern) if facts[-1][3] == time]
            held.update(fact for fact in due if fact[3] < steps)
    return held


def begun_with(config: Config, pattern: PlantedPattern, *facts: Fact) -> PlantedGraph:
    """One pattern, and one instance that holds these facts."""
    space = Space(entities=config.entities, relations=config.relations, steps=config.steps)
    codes = space.codes(Quadruples.of(np.array(facts, dtype=np.int64))).tolist()
    row = np.array([[*codes, *[ABSENT] * (4 - len(codes))]], dtype=np.int64)
    instances = Instances(pattern=np.zeros(1, np.int64), codes=row)
    return PlantedGraph(space=space, plan=Plan.of([pattern]), planted=instances)


def test_lags_of_one_value_give_the_least_model_of_clingo() -> None:
    grown = strictly = 0
    for seed in range(24):
        config = small()
        start = plant_graph(config, seed)
        facts = {fact for _, some in facts_planted(start) for fact in some}
        model = least_model(facts, start.plan.patterns, config.steps)
        assert facts_of(generate(config, seed)) == model, seed
        part = interleaved(start, config.steps)
        assert part <= model, seed
        strictly += part < model
        grown += len(model) > len(facts)
    assert grown >= 15
    assert strictly >= 1


@pytest.mark.parametrize("seed", range(12))
def test_windows_are_filled_once_and_no_match_is_left(seed: int) -> None:
    config = small(lags={"low": 0, "high": 2}, closure={"depth": 2, "cycles": "leave-out"})
    graph = generate(config, seed)
    held, depth = facts_of(graph), depths(graph)
    followed = [pattern for pattern in graph.plan.patterns if pattern.closed]
    for pattern in followed:
        last = pattern.lags[-1]
        for facts, (head, relation, tail, first) in matches(held, pattern):
            if max(depth[fact] for fact in facts) >= 2 or facts[-1][3] + last.high >= config.steps:
                continue
            window = range(first, first + last.high - last.low + 1)
            assert any((head, relation, tail, time) in held for time in window)
    assert {depth[fact] for fact in held} <= {0, 1, 2}
    assert consequences_of_closure(graph) <= {pattern.id for pattern in followed}


def test_nothing_is_added_to_a_window_that_holds_a_consequence() -> None:
    """Facts at times 0 and 2 are followed in windows that meet at time 3."""
    config = small(entities=2, relations=2, steps=20)
    pattern = planted(0, "1 -0-> 2 => 1 -1-> 2", [Lag(low=1, high=3)])
    shared = 0
    for seed in range(60):
        start = begun_with(config, pattern, (0, 0, 1, 0), (0, 0, 1, 2))
        followed = close(start, config, np.random.default_rng(seed))
        times = start.space.facts(followed.codes[:, 1]).time.tolist()
        if times[0] == 3:
            assert len(times) == 1
            shared += 1
        else:
            assert times[0] in (1, 2)
            assert len(times) == 2
            assert times[1] in (3, 4, 5)
    # The first window is filled first, and one of its three times lies in the other as well.
    assert 8 <= shared <= 32


def depths(graph: LabelledGraph) -> dict[Fact, int]:
    """How many consequences each fact rests on; those of planted instances rest on none."""
    rows = list(map(tuple, graph.facts.rows().tolist()))
    labels = graph.labels
    parts: dict[int, list[tuple[int, bool]]] = {}
    for fact, number, end in zip(
        labels.fact.tolist(), labels.instance.tolist(), labels.consequence.tolist(), strict=True
    ):
        parts.setdefault(number, []).append((fact, end))
    found: dict[Fact, int] = {}
    for number in sorted(parts):
        for fact, end in parts[number]:
            if number < graph.forced:
                found[rows[fact]] = 0
            elif end and rows[fact] not in found:
                found[rows[fact]] = 1 + max(
                    found[rows[index]] for index, e in parts[number] if not e
                )
    return found


def consequences_of_closure(graph: LabelledGraph) -> set[int]:
    """The patterns that closure followed."""
    return set(graph.labels.pattern[graph.labels.instance >= graph.forced].tolist())


def test_an_inverse_of_one_relation_goes_back_and_forth() -> None:
    config = small(entities=3, relations=1, steps=12, lags={"low": 2, "high": 2})
    pattern = planted(0, "1 -0-> 2 => 2 -0-> 1", [Lag(low=2, high=2)])
    start = begun_with(config, pattern, (0, 0, 1, 0), (1, 0, 0, 2))
    followed = close(start, config, np.random.default_rng(0))
    graph = label_graph(Instances.joined(start.planted, followed), start.plan, start.space, 1)
    expected = [(0, 0, 1, time) if time % 4 == 0 else (1, 0, 0, time) for time in range(0, 12, 2)]
    assert sorted(facts_of(graph)) == sorted(expected)


@pytest.mark.parametrize(("depth", "facts"), [(0, 2), (1, 3), (2, 4), (None, 6)])
def test_depth_counts_consequences_that_rest_on_each_other(depth: int | None, facts: int) -> None:
    config = small(entities=3, relations=1, steps=12, closure={"depth": depth, "cycles": "follow"})
    pattern = planted(0, "1 -0-> 2 => 2 -0-> 1", [Lag(low=2, high=2)])
    start = begun_with(config, pattern, (0, 0, 1, 0), (1, 0, 0, 2))
    followed = close(start, config, np.random.default_rng(0))
    assert len(np.union1d(start.planted.facts(), followed.facts())) == facts


def test_cycles_of_relations_are_left_out_or_refused() -> None:
    config = small(relations=2, patterns=[4, 0, 0])
    leaving = Config.of_json(config.as_json() | {"closure": {"cycles": "leave-out"}})
    patterns = plant_graph(leaving, 0).plan.patterns
    assert {pattern.closed for pattern in patterns} == {True, False}
    leads = {
        (pattern.relation(step), pattern.relation(pattern.template.consequence))
        for pattern in patterns
        if pattern.closed
        for step in pattern.template.antecedents
    }
    assert not {(b, a) for a, b in leads} & leads
    assert all(a != b for a, b in leads)
    refusing = Config.of_json(config.as_json() | {"closure": {"cycles": "refuse"}})
    with pytest.raises(ConfigError, match=r"leads from relation \d back to it"):
        plant_graph(refusing, 0)


@pytest.mark.parametrize("guards", [{"edges": 40}, {"matches": 60}])
def test_a_run_away_is_named(guards: dict[str, int]) -> None:
    config = small(steps=40, guards=guards, probability=0.05)
    with pytest.raises(RunawayError, match=r"^pattern \d \(1 -.*\) ran away: it") as caught:
        generate(config, 3)
    assert caught.value.pattern in range(5)
