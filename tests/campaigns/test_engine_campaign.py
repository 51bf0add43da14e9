"""The campaign of random items: what it draws, what it notices, and how it resumes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from grammar.eventhop.model import Item, Label, Relation, Status, Verdict
from solver.eventhop.engines import EngineName
from tests.campaigns import engines, journal

BOTH = (EngineName.ASP, EngineName.GRAPH)


def test_items_cover_ties_repeats_loops_and_empty_premises() -> None:
    items = [engines.random_item(0, number) for number in range(2_000)]
    assert items[7] == engines.random_item(0, 7) != engines.random_item(1, 7)
    assert {len({p.event for r in item.premise for p in (r.left, r.right)}) for item in items} >= {
        *range(7)
    }
    assert any(not item.premise for item in items)
    assert any(len(set(item.premise)) < len(item.premise) for item in items)
    assert any(r.left.event == r.right.event for item in items for r in item.premise)
    assert {type(item.claim).__name__ for item in items} == {"Claim", "Relation"}
    assert all(isinstance(r, Relation) for item in items for r in item.premise)


def test_every_status_occurs_and_the_engines_agree() -> None:
    found = engines.compare(0, 0, 1_000, BOTH)
    assert found["differences"] == 0
    assert min(found["statuses"][status] for status in Status) > 40


def test_a_planted_fault_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong:
        name = EngineName.GRAPH

        def decide(self, items: list[Item]) -> list[Verdict]:
            return [
                Verdict(status=Status.UNKNOWN, consistent=True, label=Label.UNDEFINED)
                for _ in items
            ]

    real = engines.engine
    monkeypatch.setattr(
        engines,
        "engine",
        lambda name, policy: Wrong() if name is EngineName.GRAPH else real(name, policy),
    )
    found = engines.compare(0, 0, 50, BOTH)
    assert found["differences"] > 10
    assert found["first_differences"][0].keys() == {"item", "policy"}


def test_a_campaign_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[int] = []

    def shard(_module: str, first: int, _count: int, _arguments: Any) -> dict[str, Any]:
        if first == 20 and len(ran) == 2:
            raise KeyboardInterrupt
        ran.append(first)
        return {"statuses": {}}

    monkeypatch.setattr(journal, "_shard", shard)
    with pytest.raises(KeyboardInterrupt):
        list(journal.campaign("m", tmp_path, {"seed": 0}, 10, 35))
    ran.append(-1)
    rows = list(journal.campaign("m", tmp_path, {"seed": 0}, 10, 35))
    assert ran == [0, 10, -1, 20, 30]
    assert [(row["first"], row["count"]) for row in rows] == [(0, 10), (10, 10), (20, 10), (30, 5)]
    written = [json.loads(line) for line in (tmp_path / journal.JOURNAL).read_text().splitlines()]
    assert written == rows
    list(journal.campaign("m", tmp_path, {"seed": 1}, 10, 10))
    assert ran[-1] == 0


def test_parts_of_any_size_draw_the_items_and_policies_of_one_run() -> None:
    parts = [(0, 50), (50, 150), (200, 100)]
    found = [engines.compare(0, first, count, BOTH) for first, count in parts]
    whole = engines.compare(0, 0, 300, BOTH)
    assert whole["statuses"] == sum((Counter(record["statuses"]) for record in found), Counter())
    assert list(journal.shards(10, 27, 14)) == [(14, 6), (20, 7)]


def test_figures_accumulate_over_runs_that_are_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "engines.json"
    last = 15

    def shard(_module: str, first: int, count: int, _arguments: Any) -> dict[str, Any]:
        if first >= last:
            os.kill(os.getpid(), signal.SIGTERM)
        different = [{"item": first, "policy": "local"}] * (first == 5)
        return {
            "statuses": {"unknown": count},
            "differences": len(different),
            "first_differences": different,
            "seconds": 1.0,
        }

    def run(*options: str) -> int:
        words = ["engines", "--write", "--out", str(tmp_path / "out"), *options]
        monkeypatch.setattr(sys, "argv", words)
        return engines.main()

    monkeypatch.setattr(journal, "_shard", shard)
    monkeypatch.setattr(engines, "RESULTS", results)
    monkeypatch.setattr(engines, "SHARD", 10)
    assert run("--items", "5") == 0
    with pytest.raises(SystemExit, match="143"):
        run("--items", "35")
    found = json.loads(results.read_text())["asp,graph"]
    assert found == {
        "items": 20,
        "seed": 0,
        "statuses": {"unknown": 20},
        "differences": 1,
        "first_differences": [{"item": 5, "policy": "local"}],
    }
    shutil.rmtree(tmp_path / "out")
    last = 99
    assert run("--items", "35") == run("--items", "10") == 1
    assert run("--items", "10", "--engines", "graph,smt") == 0
    found = json.loads(results.read_text())
    assert {key: record["items"] for key, record in found.items()} == {
        "asp,graph": 35,
        "graph,smt": 10,
    }
    with pytest.raises(SystemExit, match="2"):
        run("--items", "50", "--seed", "1")
    assert json.loads(results.read_text()) == found
