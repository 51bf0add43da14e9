"""The page of synthetic graphs shows the table that the script wrote."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"


def test_the_page_shows_the_table() -> None:
    table = (RESULTS / "tkg-table1.md").read_text(encoding="utf-8")
    assert table in (ROOT / "docs" / "tkg.md").read_text(encoding="utf-8")


def test_the_page_says_how_near_the_presets_come() -> None:
    presets = json.loads((RESULTS / "tkg-table1.json").read_bytes())["presets"]
    assert len(presets) == 11
    for preset in presets.values():
        assert abs(preset["means"]["facts"] / preset["paper"]["facts"] - 1) < 0.01
        for name in ("gini_entities", "gini_relations"):
            assert abs(preset["means"][name] - preset["paper"][name]) < 0.02
    assert all(max(preset["milliseconds"].values()) < 800 for preset in presets.values())
