"""Strikingness as a naive program finds it, and in worlds small enough to work by hand."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.rules.strikingness.measure import strikingness
from benchmarks.rules.strikingness.peers import Evidence
from benchmarks.rules.strikingness.settings import (
    PROFILES,
    Deviation,
    Element,
    Profile,
    Settings,
    SettingsError,
    Shares,
)
from solver.graph.model import Quadruples
from solver.rules.model import Rule, RuleTable

from .conftest import TIMES, World, walked_back

PAPER, RELEASED = PROFILES[Profile.PAPER], PROFILES[Profile.RELEASED]


@pytest.mark.parametrize("seed", range(25))
def test_components_are_those_of_a_naive_program(
    seed: int, world: Callable[[int], World], mixed: Callable[[int], Settings]
) -> None:
    here = world(seed)
    for settings in (PAPER, RELEASED, mixed(seed)):
        events = here.every_event()
        found = strikingness(here.evidence(settings), events)
        total = np.zeros(len(events))
        for element in Element:
            expected = [
                here.component(tuple(event), element, settings) for event in events.rows().tolist()
            ]
            np.testing.assert_allclose(found.components[element], expected, atol=1e-12)
            total += settings.shares.of(element) * np.array(expected)
        atol = 1e-12 if settings.decimals is None else 0.5 * 10**-settings.decimals + 1e-12
        np.testing.assert_allclose(found.weight, total, atol=atol)
        assert ((found.weight >= 0) & (found.weight <= 1)).all()


def test_the_worlds_are_not_empty(world: Callable[[int], World]) -> None:
    weights = [
        strikingness(world(seed).evidence(PAPER), world(seed).every_event()).weight
        for seed in range(25)
    ]
    assert len(np.unique(np.concatenate(weights))) > 300


def rule(head: int, body: int, confidence: float = 0.5) -> Rule:
    return Rule(head=head, body=(body,), rule_support=round(100 * confidence), body_support=100)


def component(here: World, event: tuple[int, ...], element: Element, settings: Settings) -> float:
    found = strikingness(here.evidence(settings), Quadruples.of(np.array(event)))
    return float(found.components[element][0])


# The event is that 0 relates to 1; 0 related to 1 at time 4 and to 2 at times 2 and 6. Something
# else happened the day before, so that a step of time is 1.
VISITS = World(facts=((0, 0, 1, 4), (0, 0, 2, 2), (0, 0, 2, 6), (3, 1, 3, 5)), rules=(rule(0, 0),))
EVENT = (0, 0, 1, 8)


def test_the_paper_compares_expectations_over_their_length() -> None:
    value = 0.5 * math.exp(-0.4)
    other = 0.5 * (math.exp(-0.2) + math.exp(-0.6))
    length = math.hypot(value, other)
    expected = other / length * (other - value) / length
    assert component(VISITS, EVENT, Element.OBJECT, PAPER) == pytest.approx(expected)


def test_the_released_program_squares_and_counts_every_other_repetition() -> None:
    # The visit at 6 is the body; that at 2 can only be the head before it.
    event = _squared(math.exp(-0.4), math.exp(-0.2))
    assert component(VISITS, EVENT, Element.OBJECT, RELEASED) == pytest.approx(event)
    # With one at 4 this is that head, and the one at 2 the body before.
    thrice = World(facts=(*VISITS.facts, (0, 0, 2, 4)), rules=VISITS.rules)
    event = _squared(math.exp(-0.4), math.exp(-0.2) + math.exp(-0.6))
    assert component(thrice, EVENT, Element.OBJECT, RELEASED) == pytest.approx(event)


def _squared(target: float, other: float) -> float:
    total = target**2 + other**2
    return other**2 / total * (other**2 - target**2) / total


def test_unexpected_events_among_alike_peers() -> None:
    # Four unit vectors' worth of peers: by eq. 8 it is 1 however many there are, as released 1/4.
    here = World(facts=tuple((0, 0, o, 7) for o in (0, 2, 3)), rules=VISITS.rules)
    assert component(here, EVENT, Element.OBJECT, PAPER) == pytest.approx(1)
    assert component(here, EVENT, Element.OBJECT, RELEASED) == pytest.approx(1 / 3)


def test_the_most_expected_event_is_not_striking() -> None:
    expected = (0, 0, 2, 8)
    for settings in (PAPER, RELEASED):
        assert component(VISITS, expected, Element.OBJECT, settings) == 0


@pytest.mark.parametrize("element", Element)
def test_where_nothing_is_expected(element: Element) -> None:
    unrelated = (2, 1, 3, 8)
    assert component(VISITS, unrelated, element, PAPER) == 0
    assert component(VISITS, unrelated, element, RELEASED) == 1


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        pytest.param((rule(1, 1),), 1, id="no rule for the relation, so no peers"),
        pytest.param((rule(0, 0, 0.001), rule(1, 1)), 1, id="a rule below the threshold"),
        pytest.param((rule(0, 1),), 0, id="a rule that does not fire"),
        pytest.param((rule(0, 3),), 0, id="a rule that only the one-way exclusion removes"),
    ],
)
def test_peers_without_expectation(rules: tuple[Rule, ...], expected: float) -> None:
    # The visits make peers, as released, if there is a rule; but nothing makes them expected.
    here = World(facts=VISITS.facts, rules=rules)
    assert component(here, EVENT, Element.OBJECT, RELEASED) == expected
    for other in (Deviation.MISSING, Deviation.OWN_PEERS):
        changed = replace(RELEASED, deviations=RELEASED.deviations - {other})
        without = other is Deviation.OWN_PEERS
        assert component(here, EVENT, Element.OBJECT, changed) == without


def test_inverse_bodies_fire_in_the_paper_alone() -> None:
    here = World(facts=((2, 1, 0, 6),), rules=(rule(0, 3),))
    assert here.expectations(EVENT, Element.OBJECT, PAPER) == {2: 0.5 * math.exp(-0.2)}
    assert component(here, EVENT, Element.OBJECT, PAPER) == pytest.approx(1)
    two_ways = replace(RELEASED, deviations=RELEASED.deviations - {Deviation.MISSING})
    assert component(here, EVENT, Element.OBJECT, two_ways) == 0


def test_relations_are_expected_by_rules_or_by_their_facts() -> None:
    # 0 related to 1 by relation 1 at time 6, from which only relation 0 follows.
    here = World(facts=((0, 1, 1, 6),), rules=(rule(0, 1),))
    assert component(here, EVENT, Element.RELATION, PAPER) == 0
    assert component(here, EVENT, Element.RELATION, RELEASED) == 1


def test_windows_count_snapshots_or_time() -> None:
    # Facts at 1 and 2 alone: the last two snapshots, but not the last four units of time.
    here = World(facts=((0, 0, 2, 1), (0, 0, 3, 2)), rules=VISITS.rules)
    steps = replace(PAPER, window=4)
    assert component(here, EVENT, Element.OBJECT, steps) == 0
    snapshots = replace(steps, snapshots=True)
    assert component(here, EVENT, Element.OBJECT, snapshots) > 0
    last = replace(snapshots, window=1)
    assert component(here, EVENT, Element.OBJECT, last) == pytest.approx(1)


def test_time_is_counted_in_steps_of_the_graph() -> None:
    hours = World(facts=((0, 0, 1, 0), (0, 0, 2, 3), (0, 0, 1, 6)), rules=VISITS.rules)
    days = World(facts=((0, 0, 1, 0), (0, 0, 2, 1), (0, 0, 1, 2)), rules=VISITS.rules)
    by_hour = component(hours, (0, 0, 2, 8 - 8 % 3 + 3), Element.OBJECT, replace(PAPER, window=3))
    by_day = component(days, (0, 0, 2, 3), Element.OBJECT, replace(PAPER, window=3))
    assert by_hour == pytest.approx(by_day)
    assert by_day > 0


def test_what_is_later_does_not_count() -> None:
    later = World(facts=(*VISITS.facts, (0, 0, 3, 8), (1, 1, 2, 8)), rules=VISITS.rules)
    for settings in (PAPER, RELEASED):
        for element in Element:
            now = component(later, EVENT, element, settings)
            assert now == component(VISITS, EVENT, element, settings)


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("seed", range(30))
def test_no_chain_of_equation_5_gives_a_higher_expectation(seed: int, apart: bool) -> None:
    source = np.random.default_rng(seed)
    bodies, heads = (set(np.flatnonzero(source.random(6) < 0.6).tolist()) for _ in range(2))
    best = 0.0
    for n in range(1, len(bodies) + 1):
        for ys in itertools.combinations(sorted(bodies), n):
            for hs in itertools.combinations(sorted(heads), n - 1):
                later = all(y < h for y, h in zip(ys, (*hs, 6), strict=True))
                gap = 1 if apart else 0
                if later and all(h + gap <= y for h, y in zip(hs, ys[1:], strict=True)):
                    best = max(best, sum(math.exp(-0.1 * (6 - y)) for y in ys))
    found = sum(math.exp(-0.1 * (6 - y)) for y in walked_back(bodies, heads, 6, apart=apart))
    assert found == pytest.approx(best)


@pytest.mark.parametrize(
    ("changed", "output"),
    [
        ({"window": 0}, "found a window of 0, expected 1 or more"),
        ({"decay": math.nan}, "found lambda nan"),
        ({"decay": -1.0}, "found lambda -1"),
        ({"confidence": 1.5}, "found confidence 1.5"),
    ],
)
def test_parameters_out_of_range(changed: dict[str, float], output: str) -> None:
    with pytest.raises(SettingsError, match=output):
        replace(PAPER, **changed)  # type: ignore[arg-type]


@pytest.mark.parametrize("shares", [(0.5, 0.5, 0.5), (1.2, -0.2, 0.0), (math.nan, 0.5, 0.5)])
def test_shares_that_do_not_sum_to_one(shares: tuple[float, float, float]) -> None:
    with pytest.raises(SettingsError, match="expected weights from 0 to 1 that sum to 1"):
        Shares(object=shares[0], subject=shares[1], relation=shares[2])


def test_rules_that_are_of_no_use() -> None:
    long = World(
        facts=VISITS.facts, rules=(Rule(head=0, body=(0, 0), rule_support=1, body_support=1),)
    )
    with pytest.raises(SettingsError, match="none with a body of one fact"):
        long.evidence(PAPER)
    twice = World(facts=VISITS.facts, rules=(rule(0, 1), rule(1, 1), rule(0, 1)))
    with pytest.raises(SettingsError, match="rules 0 and 2 are the same, 0 <- 1"):
        twice.evidence(PAPER)


@pytest.mark.parametrize("seed", range(30))
def test_the_facts_of_the_windows_suffice(
    seed: int, world: Callable[[int], World], mixed: Callable[[int], Settings]
) -> None:
    here, settings = world(seed), mixed(seed)
    rules = RuleTable.of(here.rules)
    every = here.every_event()
    for events in (every, every.take(every.time == TIMES - 1), every.take(slice(0))):
        some = Evidence.of(here.dataset, rules, settings, events)
        whole = strikingness(here.evidence(settings), events)
        found = strikingness(some, events)
        assert found.weight.tolist() == whole.weight.tolist()
        assert len(some.history.rows) <= len(here.evidence(settings).history.rows)
