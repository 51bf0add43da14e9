"""clingo and the joins find the same peers and groundings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.rules.strikingness.explanation import ITSELF, PeerGroundings, by_joins, by_logic
from benchmarks.rules.strikingness.peers import Evidence
from benchmarks.rules.strikingness.settings import PROFILES, Deviation, Element, Profile, Settings
from solver.graph.model import Dataset, Quadruples, Split
from solver.rules.model import RuleTable

from .conftest import World

EVENTS = 20
"""Of a subgraph; the ten subgraphs of the slow run make 200 queries."""


@pytest.mark.parametrize("seed", range(15))
def test_small_worlds(
    seed: int, world: Callable[[int], World], mixed: Callable[[int], Settings]
) -> None:
    here = world(seed)
    for settings in (PROFILES[Profile.PAPER], PROFILES[Profile.RELEASED], mixed(seed)):
        evidence, events = here.evidence(settings), here.every_event()
        found = by_logic(evidence, events)
        assert found == by_joins(evidence, events)
        for grounding in found.groundings:
            assert grounding.peer in found.peers
            assert (grounding.rule == ITSELF) <= (grounding.peer.element is Element.RELATION)


def subgraph(dataset: Dataset, seed: int, most: int) -> tuple[Dataset, Quadruples]:
    """The facts among some frequent entities, and some of the late ones as events."""
    source = np.random.default_rng(seed)
    facts = dataset.facts()
    counts = np.bincount(np.concatenate([facts.head, facts.tail]))
    some = source.choice(np.argsort(-counts)[:200], size=50, replace=False)
    chosen = np.flatnonzero(np.isin(facts.head, some) & np.isin(facts.tail, some))
    kept = facts.take(np.sort(source.permutation(chosen)[:most]))
    late = kept.take(np.sort(source.choice(len(kept) // 2, EVENTS, replace=False)) + len(kept) // 2)
    part = replace(dataset, splits={Split.TEST: kept})
    return part, late


@pytest.mark.parametrize(
    ("seed", "most"),
    [
        *((seed, 700) for seed in range(3)),
        *(pytest.param(seed, 2000, marks=pytest.mark.slow) for seed in range(10)),
    ],
)
def test_subgraphs_of_the_published_graph(
    seed: int,
    most: int,
    icews_dataset: Dataset,
    icews_rules: RuleTable,
    mixed: Callable[[int], Settings],
) -> None:
    part, events = subgraph(icews_dataset, seed, most)
    assert len(events) == EVENTS
    assert EVENTS < len(part.facts()) <= most
    settings = (PROFILES[Profile.PAPER], PROFILES[Profile.RELEASED], mixed(seed))[seed % 3]
    evidence = Evidence.of(part, icews_rules, settings)
    found = by_logic(evidence, events)
    assert found == by_joins(evidence, events)
    assert _longest(found) > 1


def _longest(found: PeerGroundings) -> int:
    chains: dict[object, int] = {}
    for grounding in found.groundings:
        chains[grounding.peer, grounding.rule] = chains.get((grounding.peer, grounding.rule), 0) + 1
    return max(chains.values())


@pytest.mark.parametrize(
    "deviation", [deviation for deviation in Deviation if deviation not in ("squared", "missing")]
)
def test_each_switch_changes_what_logic_finds(
    deviation: Deviation, world: Callable[[int], World]
) -> None:
    paper = PROFILES[Profile.PAPER]
    changed = replace(paper, deviations=frozenset({deviation}))
    different = 0
    for seed in (1, 2, 5):
        here = world(seed)
        events = here.every_event()
        groundings, other = (
            by_logic(here.evidence(settings), events) for settings in (paper, changed)
        )
        different += groundings != other
    assert different
