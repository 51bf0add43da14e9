"""The published weights, all of them, and what each switch does to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.rules.ranking.groups import read_strikingness
from benchmarks.rules.ranking.queries import SplitQueries
from benchmarks.rules.strikingness.measure import Strikingness, ablate, strikingness
from benchmarks.rules.strikingness.peers import Evidence
from benchmarks.rules.strikingness.settings import PROFILES, Deviation, Element, Profile
from solver.graph.model import Dataset, Split
from solver.rules.model import RuleTable

UNROUNDED = "strikingness_unrounded.tsv.gz"
PUBLISHED = "strikingness_test_extend.txt"

MEANS = (
    (Deviation.SQUARED, 0.161),
    (Deviation.MISSING, 0.120),
    (Deviation.ONE_WAY, 0.052),
    (Deviation.RULELESS, 0.041),
    (Deviation.STRICT, 0.013),
    (Deviation.OWN_PEERS, 0.000),
)


@pytest.fixture(scope="module")
def released(icews_dataset: Dataset, icews_rules: RuleTable) -> Strikingness:
    evidence = Evidence.of(icews_dataset, icews_rules, PROFILES[Profile.RELEASED])
    return strikingness(evidence, icews_dataset.splits[Split.TEST])


def test_all_published_weights(icews: Path, icews_dataset: Dataset, released: Strikingness) -> None:
    queries = SplitQueries.of(icews_dataset, Split.TEST)
    published = read_strikingness(str(icews / PUBLISHED), queries)
    assert len(published) == 7371
    assert (released.weight == published).all()


def test_components(icews: Path, released: Strikingness) -> None:
    output = np.loadtxt(icews / UNROUNDED)
    assert (output[:, :4] == released.events.rows()).all()
    for column, element in enumerate(Element, 4):
        np.testing.assert_allclose(released.components[element], output[:, column], atol=1e-6)


@pytest.mark.slow
def test_switches(icews_dataset: Dataset, icews_rules: RuleTable, released: Strikingness) -> None:
    *each, every = ablate(icews_dataset, icews_rules, released)
    for change, (deviation, mean) in zip(each, MEANS, strict=True):
        assert change.switches == {deviation}
        assert change.reading is Profile.PAPER
        assert change.mean == pytest.approx(mean, abs=0.002)
    assert every.mean == pytest.approx(0.173, abs=0.002)
    # Without rounding, noise in the last digits orders what is equal: from .725 to .730.
    assert every.spearman == pytest.approx(0.727, abs=0.001)


@pytest.mark.parametrize("share", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_the_papers_weights_are_bounded(
    icews_dataset: Dataset, icews_rules: RuleTable, share: int
) -> None:
    evidence = Evidence.of(icews_dataset, icews_rules, PROFILES[Profile.PAPER])
    found = strikingness(evidence, icews_dataset.facts(Split.TEST).take(slice(None, None, share)))
    for values in (found.weight, *found.components.values()):
        assert ((values >= 0) & (values <= 1)).all()
        assert len(np.unique(values)) > 1000 / share


def test_it_is_fast(
    icews_dataset: Dataset, icews_rules: RuleTable, within: Callable[..., Any]
) -> None:
    def measure() -> None:
        evidence = Evidence.of(icews_dataset, icews_rules, PROFILES[Profile.RELEASED])
        strikingness(evidence, icews_dataset.splits[Split.TEST])

    within(2, measure)


def test_rules_that_never_fire(icews_dataset: Dataset, icews_rules: RuleTable) -> None:
    settings = PROFILES[Profile.RELEASED]
    two_ways = replace(settings, deviations=settings.deviations - {Deviation.ONE_WAY})
    used = [
        len(Evidence.of(icews_dataset, icews_rules, other_settings).book)
        for other_settings in (two_ways, settings)
    ]
    assert used == [6421, 6421 - 2574]
