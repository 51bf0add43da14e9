"""What values of parameters mean."""

from __future__ import annotations

import pytest

from benchmarks.tkg.calibration.objective import Figures
from benchmarks.tkg.calibration.space import Choice, Number, Space, SpaceError, space_of
from benchmarks.tkg.calibration.trial import Problem
from generators.tkg.config import Config, Distribution, Mode, Weights, curve_of
from solver.patterns.model import Lag
from solver.tkg.planted import LagProfile

VALUES = {
    "mode": "literal",
    "entities": 30,
    "relations": 7,
    "patterns_1": 3,
    "patterns_2": 2,
    "patterns_3": 1,
    "events_per_step": 8.0,
    "unique": True,
    "prohibit_self": False,
    "prohibit_new_relation": True,
    "sequential": False,
    "entity_distribution": "zipf",
    "entity_exponent": 1.5,
    "entity_shape": 9.0,
    "relation_distribution": "gamma",
    "relation_exponent": 9.0,
    "relation_shape": 0.5,
    "balanced": True,
    "periodic": True,
    "spread": 0.2,
    "repetition": 0.3,
    "mixed": 0.2,
    "arranged": 0.4,
    "quotas": False,
    "loops": 0.5,
    "lags": "1,5",
    "injective": True,
}


def test_values_by_hand(problem: Problem) -> None:
    config = problem.space.config(VALUES)
    # 3 * 2 + 2 * 3 + 1 * 4 facts if each pattern is planted once: 8 a step is half of that.
    assert (config.probability, config.trials) == (0.5, 1)
    assert config.patterns == (3, 2, 1)
    assert config.flags == "1010"
    assert config.lags == Lag(low=1, high=5)
    assert config.mode is Mode.LITERAL
    assert config.injective
    assert config.steps == 30
    assert config.balanced
    assert (config.repetition, config.arranged, config.loops) == (0.3, 0.4, 0.5)
    assert (config.quotas, config.mixed) == (False, 0)
    dealt = problem.space.config(VALUES | {"quotas": True})
    assert (dealt.quotas, dealt.mixed) == (True, 0.2)
    assert config.profile.spread == 0.2
    assert config.profile.period == pytest.approx(problem.profile.period, abs=1e-5)
    assert not problem.space.config(VALUES | {"periodic": False}).profile.period
    assert config.entity_weights == Weights(distribution=Distribution.ZIPF, exponent=1.5)
    assert config.relation_weights == Weights(distribution=Distribution.GAMMA, shape=0.5)
    curved = problem.space.config(VALUES | {"entity_distribution": "curve"}).entity_weights
    wanted = curve_of(problem.profile.degrees, floored=True)
    assert (curved.exponent, curved.values) == (1.5, wanted)


@pytest.mark.parametrize(
    ("events", "trials", "probability"),
    [(15.9, 1, 15.9 / 16), (17, 2, 17 / 32), (40, 3, 40 / 48)],
)
def test_many_events_take_several_trials(
    problem: Problem, events: float, trials: int, probability: float
) -> None:
    config = problem.space.config(VALUES | {"events_per_step": events})
    assert (config.trials, config.probability) == (trials, pytest.approx(probability))


def test_every_option_and_every_end_means_a_config(problem: Problem) -> None:
    start = problem.space.start()
    for name, parameter in problem.space.parameters.items():
        ends = (
            parameter.options
            if isinstance(parameter, Choice)
            else [int(end) if parameter.whole else end for end in (parameter.low, parameter.high)]
        )
        for value in ends:
            config = problem.space.config(start | {name: value})
            assert Config.of_json(config.as_json()) == config
    profiles = {problem.space.config(start | {"lags": profile}).lags for profile in LagProfile}
    assert profiles == set(LagProfile)


def test_ranges_hold_the_first_trial_and_the_graph(problem: Problem, reference: Figures) -> None:
    for name, parameter in problem.space.parameters.items():
        if isinstance(parameter, Number):
            assert parameter.low <= parameter.start <= parameter.high, name
    entities = problem.space.parameters["entities"]
    assert isinstance(entities, Number)
    assert entities.low == reference.metrics["entities"]
    start = problem.space.start()
    recurring = float(start["repetition"]) * (1 - float(start["mixed"]))
    assert recurring == pytest.approx(reference.metrics["repetition"], abs=0.002)


def test_fixed_parameters_are_not_searched(problem: Problem) -> None:
    space = problem.space.with_fixed({"mode": "forced", "entities": "1000", "unique": "TRUE"})
    assert {"mode", "entities", "unique"}.isdisjoint(space.parameters)
    config = space.config(space.start())
    assert (config.mode, config.entities, config.flags[0]) == (Mode.FORCED, 1_000, "1")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("modes", "forced", "found the parameter modes, expected one of mode, entities"),
        ("mode", "backward", "found mode=backward, expected forced, forward, literal"),
        ("entities", "12.5", "found entities=12.5, expected 2"),
        ("events_per_step", "nan", "found events_per_step=nan, expected"),
        ("injective", "maybe", "found injective=maybe, expected false, true"),
    ],
)
def test_values_that_are_none_are_refused(
    problem: Problem, name: str, text: str, message: str
) -> None:
    with pytest.raises(SpaceError, match=message):
        problem.space.with_fixed({name: text})


def test_a_parameter_means_something_with_its_distribution(problem: Problem) -> None:
    space: Space = problem.space
    active = {name for name in space.parameters if space.active(name, VALUES)}
    assert set(space.parameters) - active == {"entity_shape", "relation_exponent", "mixed"}
    dealt = VALUES | {"quotas": True}
    assert space.active("mixed", dealt)
    assert not space.active("arranged", dealt)
    fixed = space.with_fixed({"entity_distribution": "gamma"})
    assert fixed.active("entity_shape", {})
    assert not fixed.active("entity_exponent", {})


def test_a_base_keeps_what_is_not_searched(reference: Figures, problem: Problem) -> None:
    base = Config(distinct=True, steps=7)
    config = space_of(reference, problem.profile, base)
    assert config.base.distinct
    assert config.base.guards == base.guards
    assert config.base.steps == reference.metrics["steps"]
