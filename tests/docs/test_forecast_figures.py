"""The page of ``forecast`` quotes the figures written by its script."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks/results/forecast.json"


def test_the_page_quotes_the_measurement() -> None:
    runs = json.loads(RESULTS.read_bytes())["runs"]
    page = (ROOT / "docs/facts-forecast.md").read_text(encoding="utf-8")
    assert len(runs) == 5
    for run in runs:
        options = f" `{run['options']}`" if run["options"] else ""
        counts = f"{run['known']:,} | {run['rules']:,} | {run['facts']:,}"
        distances = f"{run['total_variation']:.3f} | {run['least']:.3f}"
        seconds = "" if run["seconds"] is None else f" {run['seconds']:.1f}"
        violations = sum(run["violations"].values())
        row = f"| {run['graph']} |{options} | {counts} | {distances} | {violations:,} |{seconds} |"
        assert row in page
    released = runs[3]
    lost = f"{released['wanted'] - released['facts']:,} of {released['wanted']:,} facts"
    assert lost in page


def test_the_measurement_meets_the_targets() -> None:
    plain, loose, matched, _, icews = json.loads(RESULTS.read_bytes())["runs"]
    assert plain["facts"] == plain["wanted"] >= 4_000
    assert plain["certificates"] == plain["facts"]
    assert plain["seconds"] < 300
    assert plain["violations"] == matched["violations"] == icews["violations"] == {}
    assert sum(loose["violations"].values()) > 1_000
    assert matched["total_variation"] < plain["total_variation"]
