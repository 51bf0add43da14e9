"""The page of ``forecast`` quotes the figures written by its script."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FEATURES = ("bounds", "pairs", "relations")
RESULTS = ROOT / "benchmarks/results/forecast.json"


def test_the_page_quotes_the_measurement() -> None:
    runs = json.loads(RESULTS.read_bytes())["runs"]
    page = (ROOT / "docs/facts-forecast.md").read_text(encoding="utf-8")
    assert len(runs) == 5
    for run in runs:
        options = f" `{run['options']}`" if run["options"] else ""
        counts = f"{run['known']:,} | {run['rules']:,} | {run['facts']:,}"
        distances = " | ".join(
            f"{distance:.3f} ({floor:.3f})"
            for distance, floor in (run["compared"][name] for name in FEATURES)
        )
        seconds = "" if run["seconds"] is None else f" {run['seconds']:.1f}"
        violations = sum(run["violations"].values())
        new = f"{run['new_pairs']:,} | {distances} | {violations:,}"
        row = f"| {run['graph']} |{options} | {counts} | {new} |{seconds} |"
        assert row in page


def test_the_measurement_meets_the_targets() -> None:
    plain, published, loose, released, icews = json.loads(RESULTS.read_bytes())["runs"]
    assert plain["facts"] == plain["wanted"] >= 4_000
    assert plain["certificates"] == plain["facts"]
    assert plain["seconds"] < 300
    assert released["violations"] == {}
    for run in (plain, icews):
        assert run["violations"] == {}
        for distance, floor in run["compared"].values():
            assert floor <= distance <= floor + 0.15
    assert published["violations"] == {}
    assert sum(loose["violations"].values()) > 1_000
    assert plain["new_pairs"] > plain["facts"] / 3 > 100 * published["new_pairs"]
