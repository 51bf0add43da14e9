"""The script that counts and times patterns says what it found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.reproduction.patterns.__main__ import main
from benchmarks.reproduction.patterns.costs import EVERY_FLAGS, Cost, costs, seconds, table
from solver.patterns.model import PatternFlags

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def _no_collecting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between timings all garbage is collected, which takes long in a process full of tests."""
    monkeypatch.setattr("benchmarks.reproduction.speed.clock.gc.collect", lambda: 0)


def test_every_combination_is_counted() -> None:
    found = costs(hops=(1,), rounds=1)
    assert len(found) == 32 == 2 * len(EVERY_FLAGS)
    counted = {cost.flags: cost.patterns for cost in found}
    assert (counted["0000"], counted["1000"], counted["1111"]) == (10, 8, 1)
    assert all(cost.milliseconds > 0 for cost in found)


def test_longer_patterns_take_longer() -> None:
    found = costs(hops=(1, 2), flags=(PatternFlags(),), rounds=2)
    cost, _, two, _ = found
    assert cost.milliseconds < two.milliseconds


def test_the_table_and_the_sums() -> None:
    found = [
        Cost(hops=hops, flags="1100", reading=reading, patterns=patterns, milliseconds=1500.0)
        for hops, reading, patterns in [
            (2, "fixed", 154),
            (3, "literal", 9470),
            (3, "fixed", 10190),
        ]
    ]
    assert table(found).splitlines()[-1] == "| 1100 |  | 154 | 9,470 | 10,190 |"
    assert seconds(found) == {"literal": 1.5, "fixed": 1.5}


def test_the_script_runs() -> None:
    ran = CliRunner().invoke(main, ["--hops", "1", "--rounds", "1", "--json"])
    assert ran.exit_code == 0
    values = json.loads(ran.stdout)
    assert len(values["rows"]) == 32


def test_the_page_shows_what_was_counted() -> None:
    results = ROOT / "benchmarks" / "results"
    page = (ROOT / "docs" / "patterns.md").read_text(encoding="utf-8")
    assert (results / "patterns.md").read_text(encoding="utf-8") in page
    values = json.loads((results / "patterns.json").read_bytes())
    for taken in values["seconds"].values():
        assert f"{taken} s" in page
        # Required bound on one core.
        assert taken < 30
