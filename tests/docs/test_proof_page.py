"""The figures of the page are those that the script wrote, and within what is promised."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GRAPHS = json.loads((ROOT / "benchmarks" / "results" / "tkg-proof.json").read_bytes())["graphs"]


def row(record: dict[str, object]) -> str:
    names = ("graph", "facts", "labels", "read", "asp", "join", "whole")
    cells = [f"{record[n]:,}" if n in ("facts", "labels") else f"{record[n]}" for n in names]
    return f"| {' | '.join(cells)} |"


def test_the_page_shows_what_was_measured() -> None:
    page = (ROOT / "docs" / "tkg-verify.md").read_text(encoding="utf-8")
    for graph in GRAPHS:
        assert row(graph) in page


def test_graphs_of_the_papers_size_are_proved_within_two_seconds() -> None:
    assert len(GRAPHS) == 4
    for graph in GRAPHS:
        assert graph["facts"] > 19_000
        assert graph["violations"] == 0
        assert graph["whole"] < 2
