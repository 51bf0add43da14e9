"""The published table of probes is made of its figures, and has no shortcut."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.reproduction.questions.probes import measured, page

ROOT = Path(__file__).resolve().parents[3]
RESULTS = ROOT / "benchmarks" / "results"
VALUES: dict[str, Any] = json.loads((RESULTS / "question-probes.json").read_bytes())


def test_the_page_shows_the_figures() -> None:
    assert (RESULTS / "question-probes.md").read_text(encoding="utf-8") == page(VALUES)


def test_no_probe_predicts_or_ranks_answers() -> None:
    probes = VALUES["probes"]
    assert {(probe["questions"], probe["split"]) for probe in probes} == {
        (kind, split)
        for kind in ("yes-unknown", "fact-reasoning")
        for split in ("train", "valid", "test")
    }
    for probe in probes:
        assert probe["accuracy"] <= probe["chance"] + 0.03
        # Of few hundred questions the interval, of .1 and more, is what counts.
        few = probe["items"] < 1_000
        assert probe["auc_low"] < 0.5 if few else probe["auc"] < 0.56
    assert not [probe for probe in probes if probe["shortcut"]]


def test_a_small_graph_is_measured_in_the_same_way(folder: Path) -> None:
    values = measured(folder, ROOT / "examples" / "questions" / "graph")
    assert "too few items" in page(values)
