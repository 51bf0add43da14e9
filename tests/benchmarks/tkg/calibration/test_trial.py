"""A trial: measured if there is a graph, and the penalty with the reason if there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.reproduction.tkg.costs import preset_facts, stop_costs
from benchmarks.tkg.calibration.objective import PENALTY, measure_graph
from benchmarks.tkg.calibration.space import space_of
from benchmarks.tkg.calibration.trial import Problem, problem_of
from generators.tkg.config import Closure, Config, Cycles
from generators.tkg.presets import Preset
from generators.tkg.run import generate

STOP_LIMIT = 2
"""Seconds of processor time of a stopped trial."""


def test_a_trial_is_the_score_of_its_graph(problem: Problem) -> None:
    values = problem.space.start()
    outcome = problem.trial(values)
    facts = generate(problem.space.config(values), problem.seed).facts
    measured = measure_graph(facts, problem.profile)
    assert outcome.figures == measured
    assert outcome.score == problem.objective.score(measured, problem.reference)
    assert not outcome.failure


@pytest.mark.parametrize(
    ("changed", "failure"),
    [
        ({"patterns_1": 0, "patterns_2": 0, "patterns_3": 0}, "found 0, 0, 0 patterns"),
        ({"events_per_step": 1e-9}, "found no facts"),
        ({"events_per_step": 1e9}, "instances to plant, expected at most 20,000 facts"),
    ],
)
def test_what_is_no_graph_has_the_penalty(
    problem: Problem, changed: dict[str, float], failure: str
) -> None:
    outcome = problem.trial(problem.space.start() | changed)
    assert outcome.score.total == PENALTY
    assert outcome.figures is None
    assert failure in outcome.failure


def test_a_run_away_graph_has_the_penalty_and_names_its_pattern(within: Callable[..., Any]) -> None:
    """21 thousand planted facts; consequences are followed without end."""
    base = Config(closure=Closure(depth=None, cycles=Cycles.FOLLOW))
    problem = problem_of(preset_facts(Preset.LAG_1_5), seed=0, base=base)
    values = problem.space.start() | {"mode": "forward"}
    problem.trial(values | {"mode": "forced"})
    outcome = within(STOP_LIMIT, lambda: problem.trial(values))
    assert outcome.score.total == PENALTY
    assert outcome.failure.startswith("pattern ")
    assert " ran away: " in outcome.failure


@pytest.mark.slow
def test_the_examples_of_run_away_graphs_do_run_away(within: Callable[..., Any]) -> None:
    costs = within(2 * STOP_LIMIT, stop_costs)
    assert len(costs) == 2
    assert all(cost.message.startswith("pattern ") for cost in costs)


def test_guards_follow_the_size_of_the_reference(problem: Problem) -> None:
    metrics = {**problem.reference.metrics, "facts": 100_000.0}
    larger = replace(problem.reference, metrics=metrics)
    guards = space_of(larger, problem.profile).base.guards
    assert (guards.edges, guards.matches) == (300_000, 3_000_000)
    assert problem.space.base.guards.edges == 20_000
