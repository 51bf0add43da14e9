"""The figures that pages quote are those that the script wrote, and they are as they should be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.reproduction.rules.strikingness import EXPECTED, Agreement, page
from benchmarks.reproduction.speed.clock import RESULTS
from benchmarks.rules.strikingness.measure import Change
from benchmarks.rules.strikingness.settings import Deviation, Profile

DOCS = Path(__file__).resolve().parents[3] / "docs"


def test_the_page_quotes_both_tables() -> None:
    output = (RESULTS / "strikingness.md").read_text(encoding="utf-8")
    tables = [part for part in output.split("\n\n") if part.startswith("|")]
    assert len(tables) == 2
    quoted = (DOCS / "rules-strikingness.md").read_text(encoding="utf-8")
    for table in tables:
        assert table in quoted


def test_the_figures_are_as_they_should_be() -> None:
    output = json.loads((RESULTS / "strikingness.json").read_bytes())
    assert output["equal"] == output["events"] == 7371
    assert all(apart <= 1e-6 for apart in output["apart"].values())
    assert sum(output["seconds"].values()) <= 3
    assert {"processor", "cores", "numpy"} <= set(output["machine"])
    assert output["published_minutes"] == 31
    assert 0 <= output["paper_least"] <= output["paper_most"] <= 1
    for change, mean in zip(output["switches"], EXPECTED.values(), strict=True):
        assert change["mean_difference"] == pytest.approx(mean, abs=0.002)


def test_a_page_reports_the_measurements() -> None:
    agreed = Agreement(
        events=10,
        equal=9,
        apart={"object": 0.25},
        paper_least=0.0,
        paper_most=0.5,
        seconds={"reading": 1.0},
    )
    changed = (
        Change(
            switches=frozenset({Deviation.STRICT}),
            reading=Profile.PAPER,
            mean=0.0625,
            most=0.5,
            changed=3,
            spearman=None,
        ),
        Change(
            switches=frozenset(Deviation),
            reading=Profile.PAPER,
            mean=0.125,
            most=0.5,
            changed=3,
            spearman=0.5,
        ),
    )
    text = page(agreed, changed)
    for words in ("| 10 | 9 |", "2.5e-01", "0.000 to 0.500", "0.0625", "0.1250", "six: 0.500"):
        assert words in text
