"""Presets compared with the paper's Table 1: means over five seeds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from generators.tkg.config import Mode
from generators.tkg.presets import PUBLISHED, Preset, config_of
from generators.tkg.run import generate
from solver.graph.statistics import GraphStatistics, graph_statistics

SEEDS = range(5)
_TIGHT = {"facts": 0.01, "gini_entities": 0.01, "gini_relations": 0.03}
_LOOSE = {"facts": 0.03, "gini_entities": 0.03, "gini_relations": 0.03}


@pytest.mark.parametrize("preset", list(Preset))
def test_means_over_five_seeds_are_near_the_row(preset: Preset) -> None:
    config, row = config_of(preset), PUBLISHED[preset]
    found = [graph_statistics(generate(config, seed).facts) for seed in SEEDS]
    allowed = _TIGHT if preset is Preset.ENT_U_REL_U else _LOOSE
    assert mean(found, "facts") == pytest.approx(row.facts, rel=allowed["facts"])
    for name in ("gini_entities", "gini_relations"):
        assert mean(found, name) == pytest.approx(getattr(row, name), abs=allowed[name])
    assert {statistics.steps for statistics in found} == {row.steps}
    assert mean(found, "entities") == pytest.approx(row.entities, rel=0.03)
    assert mean(found, "relations") == pytest.approx(row.relations, rel=0.05)
    if preset is Preset.ENT_U_REL_U:
        assert {statistics.entities for statistics in found} == {1_800}


@pytest.mark.parametrize("preset", list(Preset))
def test_rows_agree_with_themselves(preset: Preset) -> None:
    """Degree and events are what the paper's other figures make them, but for rounding."""
    row = PUBLISHED[preset]
    assert row.average_degree == pytest.approx(2 * row.facts / row.entities, abs=0.011)
    assert row.events_per_step == pytest.approx(row.facts / row.steps, abs=0.011)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "mode", "seconds"),
    [
        (Preset.ENT_U_REL_U, Mode.FORCED, 0.15),
        (Preset.ENT_U_REL_U, Mode.FORWARD, 0.15),
        (Preset.ICEWS14_SYNTH, Mode.FORCED, 0.8),
        (Preset.ICEWS14_SYNTH, Mode.FORWARD, 0.8),
    ],
)
def test_generation_is_fast(
    preset: Preset, mode: Mode, seconds: float, within: Callable[..., Any]
) -> None:
    from dataclasses import replace

    config = replace(config_of(preset), mode=mode)
    # The first one lists the templates, once in a process.
    generate(config, 0)
    within(seconds, lambda: generate(config, 0))


def mean(found: list[GraphStatistics], name: str) -> float:
    return float(np.mean([getattr(statistics, name) for statistics in found]))
