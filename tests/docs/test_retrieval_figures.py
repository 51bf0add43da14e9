"""The page on retrieval quotes the figures that its script wrote."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_quotes_the_results() -> None:
    page = (ROOT / "docs" / "tkg-retrieval.md").read_text(encoding="utf-8")
    kept = (ROOT / "benchmarks" / "results" / "tkg-heuristics.md").read_text(encoding="utf-8")
    hits = kept.split("\n\n")[1].strip()
    assert hits in page
    assert hits.count("\n") == 12
    ceilings = kept.partition("Retrieval ceilings")[2].splitlines()
    for name in ("Only 3-hop", "Ent-U Rel-U"):
        rows = [line for line in ceilings if line.startswith(f"| {name} |")]
        assert len(rows) == 6
        assert "\n".join(rows) in page
