"""The page on retrieval quotes the figures that its script wrote."""

from __future__ import annotations

import json
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


def test_the_page_quotes_the_forecasters() -> None:
    page = " ".join((ROOT / "docs" / "tkg-retrieval.md").read_text(encoding="utf-8").split())
    kept = ROOT / "benchmarks" / "results" / "tkg-table7-forecasters.json"
    found = json.loads(kept.read_bytes())["ent-u-rel-u"]
    cygnet, renet = (f"{found['hits'][name]['3']['mean']:.3f}" for name in ("cygnet", "re-net"))
    printed = [f"{value:.3f}" for value in found["printed_neural"]]
    assert f"CyGNet is {cygnet} (printed {printed[0]})" in page
    assert f"RE-NET {renet} (printed {printed[1]})" in page
    shapes = {
        name.removeprefix("shape: "): group["re-net"]["mean"]
        for name, group in found["groups"].items()
        if name.startswith("shape: ")
    }
    assert f"for {shapes.pop('reflexivity'):.3f} of the consequences of reflexivity" in page
    assert set(shapes.values()) == {0}
