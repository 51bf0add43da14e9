"""The page on quadruples quotes the measured figures."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"


def test_the_page_shows_the_table() -> None:
    table = (RESULTS / "quadruples.md").read_text(encoding="utf-8")
    assert table in (ROOT / "docs" / "texts-score.md").read_text(encoding="utf-8")


def test_copies_are_scored_in_time() -> None:
    measured = json.loads((RESULTS / "quadruples.json").read_bytes())
    limits = {"single": 3, "multi": 6}
    assert {measurement["set"] for measurement in measured["copies"]} == set(limits)
    for measurement in measured["copies"]:
        assert measurement["seconds"] < limits[measurement["set"]]
    assert measured["many_facts"]["facts"] == 200
    assert measured["many_facts"]["seconds"] < 1
