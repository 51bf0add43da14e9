"""The released descriptions, counted over all of them, and the page that quotes the counts."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.reproduction.texts.audit import TARGET, mentioned, rewritten

ROOT = Path(__file__).resolve().parents[3]


def test_the_released_descriptions_of_single_facts(shared: Path) -> None:
    counts = mentioned(shared / "data" / "yago2026", "yago2026/single")
    faults = counts["texts_with_fault"]
    assert counts["texts"] == 4_209
    assert counts["facts_with_an_empty_name"] == 10
    # Counted by hand-written logic before, with another normalisation: 1, 10 and 3.
    assert faults["missing-subject"] == 1
    assert abs(faults["missing-object"] - 10) <= 2
    assert faults["missing-date"] == 3
    assert faults["wrong-weekday"] == 1
    raw = counts["texts_with_fault_letter_by_letter"]
    assert (raw["missing-subject"], raw["missing-object"]) == (367, 805)
    assert json.loads(TARGET.read_bytes())["released"]["yago2026/single"] == counts


def test_the_released_facts_are_rewritten(shared: Path) -> None:
    anew = rewritten(shared / "data" / "yago2026")
    assert (anew["facts"], anew["written"], anew["read_back"]) == (4_209, 4_199, 4_199)
    assert json.loads(TARGET.read_bytes())["rewritten"] == anew


def test_the_page_quotes_the_counts() -> None:
    measured = json.loads(TARGET.read_bytes())
    page = (ROOT / "docs" / "texts.md").read_text(encoding="utf-8")
    for name, counts in measured["released"].items():
        faults = counts["texts_with_fault"].values()
        assert f"| {name} | {counts['texts']:,} | {' | '.join(map(str, faults))} |" in page
    anew = measured["rewritten"]
    assert f"{anew['read_back']:,} of {anew['facts']:,}" in page
