"""The page on retrieval quotes the figures that its script wrote."""

from __future__ import annotations

import json
from pathlib import Path

from generators.tkg.presets import PUBLISHED, Preset

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


def test_the_page_quotes_the_forecasters() -> None:
    text = (ROOT / "docs" / "tkg-retrieval.md").read_text(encoding="utf-8")
    kept = ROOT / "benchmarks" / "results" / "tkg-table7-forecasters.json"
    measured = json.loads(kept.read_bytes())
    rows = [
        [PUBLISHED[preset].name]
        + [
            f"{value:.3f}"
            for place, forecaster in enumerate(("cygnet", "re-net"))
            for value in (found["hits"][forecaster]["3"]["mean"], found["printed_neural"][place])
        ]
        for preset in Preset
        if (found := measured.get(preset))
    ]
    head = "| data set | CyGNet | printed | RE-NET | printed |\n"
    table = text.partition(head)[2].split("\n\n")[0]
    assert table.splitlines()[1:] == [f"| {' | '.join(row)} |" for row in rows]
    page = " ".join(text.split())
    for column, words in (
        (1, "CyGNet differs from its printed figures by"),
        (3, "RE-NET by"),
    ):
        apart = [float(row[column]) - float(row[column + 1]) for row in rows]
        assert f"{words} {min(apart):+.3f} to {max(apart):+.3f}" in page
    shapes = {
        name.removeprefix("shape: "): group["re-net"]["mean"]
        for name, group in measured["ent-u-rel-u"]["groups"].items()
        if name.startswith("shape: ")
    }
    assert f"for {shapes.pop('reflexivity'):.3f} of the consequences of reflexivity" in page
    assert set(shapes.values()) == {0}
