"""The figures that the page of ``mine`` quotes are those that its script wrote."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_quotes_the_measurement() -> None:
    measured = json.loads((ROOT / "benchmarks/results/mining.json").read_bytes())
    page = (ROOT / "docs/rules-mine.md").read_text(encoding="utf-8")
    assert len(measured["exact"]) == 2
    for measurement in measured["exact"]:
        counts = f"| {measurement['groundings']:,} | {measurement['rules']:,} |"
        cost = f"| {measurement['seconds']:.2f} | {measurement['mebibytes']} MiB |"
        assert f"| exact | {measurement['length']} {counts[:-1]}{cost}" in page
    sampled = measured["sampled"]
    rules = ", ".join(f"{length['rules']:,}" for length in sampled["lengths"])
    assert f"| sample | 1, 2, 3 | | {rules} | {sampled['seconds']:.2f} | |" in page
    assert f"{100 * sampled['near_exact']:.1f}% have a confidence" in page
    published = [f"{length['published_rules']:,}" for length in sampled["lengths"]]
    assert f"{published[0]}, {published[1]} and {published[2]} rules" in page.replace("\n", " ")


def test_the_measurement_is_what_was_promised() -> None:
    measured = json.loads((ROOT / "benchmarks/results/mining.json").read_bytes())
    first, second = measured["exact"]
    assert (first["rules"], first["rule_support"]) == (41_068, 1_019_096)
    assert (second["groundings"], second["rules"]) == (62_246_847, 2_516_003)
    assert first["seconds"] <= 0.4
    assert second["seconds"] <= 25
    assert second["mebibytes"] <= 3 * 1024
    assert measured["sampled"]["seconds"] <= 60
    assert measured["sampled"]["near_exact"] >= 0.99
    assert measured["sampled"]["same_on_two"]
