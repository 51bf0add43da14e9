"""The page on applying rules shows what its commands draw, and what the script measured."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median

import pytest

from solver.cli import run

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "rules-apply.md"
RULE = "blames(A, B) <- allies(C, A), sanctions(B, C)"


@pytest.mark.pinned("matplotlib")
def test_the_grounding_is_drawn_as_shown(tmp_path: Path) -> None:
    graph, rules, drawn = ROOT / "examples" / "tkg", tmp_path / "rules.json", tmp_path / "g.svg"
    assert run(["mine", str(graph), "--out", str(rules)]) == 0
    explained = ["explain", "--rule", RULE, "--rules", str(rules), "--data", str(graph)]
    assert run([*explained, "--svg", str(drawn)]) == 0
    assert drawn.read_bytes() == (ROOT / "docs" / "images" / "grounding.svg").read_bytes()


def test_the_page_quotes_what_was_measured() -> None:
    measured = json.loads((ROOT / "benchmarks" / "results" / "application.json").read_bytes())
    page = PAGE.read_text(encoding="utf-8")
    lines = [line for line in page.splitlines() if line.startswith("| length")]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    assert len(rows) == 3
    for row, found in zip(rows, [*measured["published_rules"], measured["own_rules"]], strict=True):
        assert row[1] == f"{100 * found['figures']['optimistic']['mrr']:.2f}"
        assert row[3] == f"{found['seconds']:.1f}"
        if found["equal"] is not None:
            assert row[2] == f"{100 * min(found['equal'].values()):.2f}%"
            assert row[4].replace("about ", "") == f"{found['published_seconds']:,}"
            assert row[5] == str(found["mebibytes"])


def test_the_page_quotes_the_speed_up() -> None:
    results = ROOT / "benchmarks" / "results" / "application.json"
    jobs = json.loads(results.read_bytes())["jobs"]
    value, two = (median(jobs["seconds"][number]) for number in ("1", "2"))
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    rounds = len(jobs["seconds"]["1"])
    assert f"takes {two:.1f} s with `--jobs 2` and {value:.1f} s with one process" in page
    assert f"(medians of {rounds} rounds), {jobs['speed_up']:.2f} times as fast" in page


def test_the_page_quotes_the_large_graphs() -> None:
    runs = json.loads((ROOT / "benchmarks" / "results" / "large-graph.json").read_bytes())["runs"]
    page = PAGE.read_text(encoding="utf-8")
    for measured in runs:
        assert f"{measured['facts']:,} facts and {measured['queries']:,} queries" in page
        for name, cost in measured["commands"].items():
            growth = (cost[f"growth of {name}"] for name in ("mebibytes", "process_seconds"))
            memory, time = (f"{exponent:.2f}" for exponent in growth)
            figures = f"{cost['mebibytes']:,} | {cost['process_seconds']:,.1f} | {memory} | {time}"
            assert f"| {measured['facts']:,} | {name} | {figures} |" in page.replace("`", "")
    (five,) = (measured for measured in runs if measured["facts"] == 5_000_000)
    assert max(cost["mebibytes"] for cost in five["commands"].values()) < 2_048
