"""The synthetic graph of the measurement of memory."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.reproduction.speed import clock, large_graph
from benchmarks.reproduction.speed.large_graph import (
    ENTITIES,
    RELATIONS,
    TIMES,
    grown,
    synthetic_graph,
)
from solver.graph.model import Split


def test_the_graph() -> None:
    graph = synthetic_graph(20_000, 100)
    facts = graph.facts()
    assert len(facts) == len(facts.distinct()) == 20_000
    assert synthetic_graph(20_000, 100).facts().rows().tobytes() == facts.rows().tobytes()
    sizes = [len(graph.splits[split]) for split in Split]
    assert sizes[0] > 8 * sizes[1] > 8 * sizes[2] >= 800
    ends = [(part.time.min(), part.time.max()) for part in map(graph.splits.get, Split) if part]
    assert ends[0][1] < ends[1][0] <= ends[1][1] < ends[2][0]
    for column, size in ((facts.head, ENTITIES), (facts.relation, RELATIONS), (facts.time, TIMES)):
        assert 0 <= column.min() <= column.max() < size
    pairs = np.unique(facts.rows()[:, :3], axis=0)
    assert len(pairs) < 0.75 * len(facts)


def test_growth_is_an_exponent() -> None:
    assert grown({"mebibytes": 50, "seconds": 3}, {"mebibytes": 100, "seconds": 12}) == {
        "growth of mebibytes": 1.0,
        "growth of seconds": 2.0,
    }


def test_results_of_other_sizes_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "large-graph.json"
    kept.write_text(json.dumps({"runs": [{"facts": number} for number in (500, 1_000, 9_000)]}))
    monkeypatch.setattr(clock, "RESULTS", tmp_path)
    options = ["--facts", "1000", "--queries", "20", "--only", "strikingness", "--write"]
    given = ["--only", "mine --lengths 1", *options]
    assert CliRunner().invoke(large_graph.main, given).exit_code == 0
    runs = json.loads(kept.read_bytes())["runs"]
    assert [run["facts"] for run in runs] == [500, 1_000, 9_000]
    assert set(runs[1]["commands"]) == {"mine --lengths 1", "strikingness"}
