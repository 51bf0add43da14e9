"""``like`` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solver.cli import run
from solver.graph.statistics import DISTANCES, FIGURES


def test_a_graph_is_like_itself_and_unlike_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    examples = Path(__file__).resolve().parents[3] / "examples"
    graph, other = str(examples / "tkg"), str(examples / "ranks" / "graph")
    assert run(["like", graph, graph, "--json"]) == 0
    same = json.loads(capsys.readouterr().out)
    assert same["graphs"] == ["tkg", "tkg"]
    assert set(same["differences"]) == set(FIGURES)
    assert set(same["distances"]) == set(DISTANCES)
    assert {*same["differences"].values(), *same["distances"].values()} == {0.0}
    assert run(["like", graph, other, "--period", "3", "--report", str(tmp_path / "out")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("degrees, KS" in line and not line.endswith("0.000") for line in lines)
    assert len(json.loads((tmp_path / "out" / "scores.json").read_text())["period"][0]) == 3
    assert (tmp_path / "out" / "report.html").read_text().count("<svg") == 2
