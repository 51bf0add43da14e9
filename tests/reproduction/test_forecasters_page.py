"""Forecasters are trained once for each seed, and the pages are those of the figures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.reproduction.forecasters import NAME, measured, page
from benchmarks.reproduction.speed import clock, processes
from benchmarks.reproduction.speed.clock import with_earlier
from benchmarks.reproduction.speed.processes import Process
from benchmarks.rules.ranking.queries import SplitQueries
from solver.graph.io import read_dataset
from solver.graph.model import Split
from solver.rules.application import write_ranks

ROOT = Path(__file__).resolve().parents[2]
GRAPH = ROOT / "examples" / "tkg"
VALUES: dict[str, Any] = json.loads((ROOT / f"benchmarks/results/{NAME}.json").read_bytes())
COURSE = {"losses": [3.0, 2.0004, 1.5], "validation": [0.1, 0.30004, 0.2], "best": 2}


def test_each_step_is_run_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = read_dataset(GRAPH)
    asked = SplitQueries.of(dataset, Split.TEST).asked
    ran: list[tuple[str, ...]] = []

    def command(*arguments: str) -> Process:
        ran.append(arguments)
        if arguments[0] == "baseline":
            rank = 2.0 if "raw" in arguments else 1.0
            ranks = np.full(len(asked), rank)
            write_ranks(Path(arguments[arguments.index("--out") + 1]), asked, ranks)
        return Process(seconds=1, mebibytes=1, spent=1, output=json.dumps(COURSE))

    monkeypatch.setattr(processes, "command", command)
    (row, again) = (measured(GRAPH, dataset, tmp_path, "re-net", 4) for _ in range(2))
    assert row == again
    assert [arguments[:2] for arguments in ran] == [
        ("train", "forecaster"),
        ("baseline", "forecaster"),
        ("baseline", "forecaster"),
    ]
    assert ran[0][ran[0].index("--seed") + 1] == "4"
    assert {run[2] for run in ran[1:]} == {str(tmp_path / "re-net-4")}
    assert row == {
        "model": "re-net",
        "seed": 4,
        "setting": "one step, true snapshots before each day",
        "epochs": 3,
        "best": 2,
        "loss": [3.0, 2.0, 1.5],
        "validation": [10.0, 30.0, 20.0],
        "test": {"raw": 50.0, "time-aware": 100.0},
    }


def test_results_of_other_models_and_seeds_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "RESULTS", tmp_path)

    def rows(*keys: tuple[str, int, int]) -> list[dict[str, Any]]:
        return [{"model": model, "seed": seed, "at": at} for model, seed, at in keys]

    def keys(found: Sequence[dict[str, Any]]) -> list[tuple[str, int, int]]:
        return [(row["model"], row["seed"], row["at"]) for row in found]

    fields = ["model", "seed"]
    new = rows(("re-gcn", 1, 0))
    assert with_earlier(NAME, "models", new, fields) == new
    earlier = rows(("re-gcn", 0, 1), ("cygnet", 1, 1), ("cygnet", 0, 1))
    (tmp_path / f"{NAME}.json").write_text(json.dumps({"models": earlier}), encoding="utf-8")
    found = with_earlier(NAME, "models", rows(("cygnet", 1, 2), ("re-gcn", 2, 2)), fields)
    assert keys(found) == [("cygnet", 1, 2), ("re-gcn", 2, 2), ("re-gcn", 0, 1), ("cygnet", 0, 1)]
    assert keys(with_earlier(NAME, "models", rows(("cygnet", 7, 2)), ["model"])) == [
        ("cygnet", 7, 2), ("re-gcn", 0, 1),
    ]  # fmt: skip


def test_the_pages_are_written_from_the_figures() -> None:
    written = page(VALUES)
    assert (ROOT / f"benchmarks/results/{NAME}.md").read_text(encoding="utf-8") == written
    rows = [line for line in written.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + len(VALUES["models"])
    shown = (ROOT / "docs/forecasting.md").read_text(encoding="utf-8").splitlines()
    assert rows == shown[shown.index(rows[0]) :][: len(rows)]
    for row in VALUES["models"]:
        assert len(row["validation"]) == len(row["loss"]) == row["epochs"]
        assert row["best"] == row["validation"].index(max(row["validation"])) + 1
