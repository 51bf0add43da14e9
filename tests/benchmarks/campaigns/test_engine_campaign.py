"""The campaign of random items: what it draws, what it notices, and how it resumes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.campaigns import engines, journal
from grammar.eventhop.model import Item, Label, Relation, Status, Verdict
from solver.eventhop.engines import EngineName

BOTH = (EngineName.ASP, EngineName.GRAPH)


def test_items_cover_ties_repeats_loops_and_empty_premises() -> None:
    items = [engines.random_item(0, number) for number in range(2_000)]
    assert items[7] == engines.random_item(0, 7) != engines.random_item(1, 7)
    assert {len({p.event for r in one.premise for p in (r.left, r.right)}) for one in items} >= {
        *range(7)
    }
    assert any(not one.premise for one in items)
    assert any(len(set(one.premise)) < len(one.premise) for one in items)
    assert any(r.left.event == r.right.event for one in items for r in one.premise)
    assert {type(one.claim).__name__ for one in items} == {"Claim", "Relation"}
    assert all(isinstance(r, Relation) for one in items for r in one.premise)


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
        journal.campaign("m", tmp_path, {"seed": 0}, 10, 35)
    ran.append(-1)
    rows = journal.campaign("m", tmp_path, {"seed": 0}, 10, 35)
    assert ran == [0, 10, -1, 20, 30]
    assert [(row["first"], row["count"]) for row in rows] == [(0, 10), (10, 10), (20, 10), (30, 5)]
    written = [json.loads(one) for one in (tmp_path / journal.JOURNAL).read_text().splitlines()]
    assert written == rows
    journal.campaign("m", tmp_path, {"seed": 1}, 10, 10)
    assert ran[-1] == 0
