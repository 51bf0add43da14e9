"""Laws of equations 7 and 8, whatever the expectations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.rules.strikingness.measure import component
from benchmarks.rules.strikingness.peers import Peers
from benchmarks.rules.strikingness.settings import PROFILES, Profile

expectations = st.lists(st.floats(0, 1e3), min_size=1, max_size=8)
profiles = st.sampled_from(list(Profile))


def of(values: list[float], profile: Profile, target: int = 0) -> float:
    """The component of an event among peers 0, 1, ... with these expectations."""
    count = np.arange(len(values), dtype=np.int64)
    peers = Peers(event=np.zeros_like(count), peer=count, expectation=np.array(values))
    return float(component(peers, np.array([target]), PROFILES[profile])[0])


@given(expectations, profiles)
def test_it_lies_between_0_and_1(values: list[float], profile: Profile) -> None:
    assert 0 <= of(values, profile) <= 1


@given(expectations, profiles)
def test_it_is_nothing_just_where_no_peer_is_more_expected(
    values: list[float], profile: Profile
) -> None:
    if values[0] == max(values):
        assert of(values, profile) == 0
    elif max(values) > 1.001 * values[0] + 1e-3:
        assert of(values, profile) > 0


@given(expectations, profiles, st.floats(1e-3, 1e3))
def test_the_unit_does_not_count(values: list[float], profile: Profile, unit: float) -> None:
    scaled = [unit * value for value in values]
    if any(values) == any(scaled):
        assert of(scaled, profile) == pytest.approx(of(values, profile), abs=1e-9)


@given(expectations, profiles, st.floats(0, 1e3))
def test_what_is_more_expected_is_not_more_striking(
    values: list[float], profile: Profile, more: float
) -> None:
    if any(values):
        raised = [values[0] + more, *values[1:]]
        assert of(raised, profile) <= of(values, profile) + 1e-9


@given(st.integers(1, 50), profiles)
def test_more_peers_that_are_alike(count: int, profile: Profile) -> None:
    # By eq. 8 an event that nothing leads to is wholly striking; as released the less the more
    # peers share what is expected.
    expected = 1.0 if profile is Profile.PAPER else 1 / count
    assert of([0.0] + [0.3] * count, profile) == pytest.approx(expected)


def test_expectations_whose_squares_vanish() -> None:
    assert of([0.0, 1e-200], Profile.PAPER) == pytest.approx(1)
    assert of([0.0, 1e-300, 1e-300], Profile.RELEASED) == pytest.approx(0.5)


def test_an_event_that_is_no_peer_is_not_expected() -> None:
    assert of([0.5, 0.5], Profile.PAPER, target=7) == pytest.approx(1)
    settings = replace(PROFILES[Profile.PAPER])
    nothing = Peers.summed(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
    assert component(nothing, np.array([1, 2]), settings).tolist() == [0, 0]
