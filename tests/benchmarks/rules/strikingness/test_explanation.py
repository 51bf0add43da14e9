"""Explanations add up to what they explain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.rules.strikingness import explanation as explanations
from benchmarks.rules.strikingness.explanation import PeerGroundings, by_logic, explain
from benchmarks.rules.strikingness.explanations import shown_peers
from benchmarks.rules.strikingness.measure import strikingness
from benchmarks.rules.strikingness.settings import PROFILES, Deviation, Element, Profile, Settings

from .conftest import World


@pytest.mark.parametrize("seed", range(12))
def test_it_adds_up(
    seed: int, world: Callable[[int], World], mixed: Callable[[int], Settings]
) -> None:
    here = world(seed)
    for settings in (PROFILES[Profile.PAPER], PROFILES[Profile.RELEASED], mixed(seed)):
        evidence, events = here.evidence(settings), here.every_event()
        chosen = events.take(np.arange(seed, len(events), 13))
        found = strikingness(evidence, chosen)
        for row, event in enumerate(chosen.rows().tolist()):
            output = explain(evidence, tuple(event))
            assert output.proved
            assert output.weight == found.weight[row]
            assert [side.element for side in output.sides] == list(Element)
            for side in output.sides:
                assert side.component == found.components[side.element][row]
                naive = here.expectations(tuple(event), side.element, settings)
                assert {
                    explained_peer.peer: pytest.approx(explained_peer.expectation, abs=1e-12)
                    for explained_peer in side.peers
                    if explained_peer.peer in naive
                } == naive
                assert side.count == len(naive)
                expected = [peer.expectation for peer in side.peers]
                assert expected == sorted(expected, reverse=True)
                for peer in side.peers:
                    total = sum(reason.expectation for reason in peer.reasons)
                    assert total == pytest.approx(peer.expectation, abs=1e-12)
                if any(expected):
                    adds = sum(peer.adds for peer in side.peers)
                    assert side.component == pytest.approx(adds, abs=1e-12)
                assert side.ahead == sum(peer.adds > 1e-12 for peer in side.peers)


def test_the_event_itself_is_always_shown(world: Callable[[int], World]) -> None:
    output = explain(world(1).evidence(PROFILES[Profile.PAPER]), (0, 0, 1, 8))
    for side in output.sides:
        for most in (1, 2, 50):
            shown = shown_peers(side, most)
            assert side.own in shown
            assert len(shown) <= max(most, 1)


def test_a_difference_to_clingo_is_reported(
    world: Callable[[int], World], monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence = world(1).evidence(PROFILES[Profile.PAPER])
    events = (0, 0, 1, 8)
    assert explain(evidence, events).proved

    def other(*arguments: object) -> PeerGroundings:
        found = by_logic(*arguments)  # type: ignore[arg-type]
        return replace(found, groundings=frozenset(list(found.groundings)[1:]))

    monkeypatch.setattr(explanations, "by_logic", other)
    assert not explain(evidence, events).proved


def test_released_relations_have_no_rules(world: Callable[[int], World]) -> None:
    settings = PROFILES[Profile.RELEASED]
    assert settings.has(Deviation.RULELESS)
    side = explain(world(2).evidence(settings), (0, 0, 1, 8)).sides[2]
    assert {reason.rule for peer in side.peers for reason in peer.reasons} <= {-1}
