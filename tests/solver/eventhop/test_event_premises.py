"""Items whose premises relate events: verified, certified and checked like all others."""

from __future__ import annotations

import json
from pathlib import Path

import hopcheck as hc
from solver.eventhop.check import Item, check_verdict, read_texts
from solver.verification.report import Kind
from solver.verification.run import verify

ROWS = [
    {"id": "a", "premise": "Breakfast ended before Lunch began. Lunch met Tea",
     "claim": "Breakfast happens before Tea", "label": "true"},
    {"id": "b", "premise": "Lunch happened during Tea and Tea happened before Supper",
     "claim": "Lunch overlaps with Supper", "label": "true"},
    {"id": "c", "premise": "Breakfast hapened before Lunch",
     "claim": "Breakfast happens before Lunch", "label": "true"},
]  # fmt: skip


def test_they_are_verified_and_their_certificates_checked(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    report = verify([path], Kind.EVENTHOP, folder=tmp_path / "run")
    assert report.findings.counts() == {"unparsed": 1, "wrong-label": 1}
    rows = [json.loads(line) for line in (tmp_path / "run" / "items.jsonl").open()]
    assert [row["verdict"] and row["verdict"]["label"] for row in rows] == ["true", "false", None]
    assert [row["premise"] for row in rows] == [row["premise"] for row in ROWS]
    for row in rows[:2]:
        texts = read_texts(row["premise"], row["claim"], row["domain"], row["spatial"])
        check_verdict(Item(texts), row["verdict"], row["policy"], row["certificate"])
    assert "sentences that are read" in rows[2]["error"]


def test_they_are_explained() -> None:
    verdict = hc.explain(premise=ROWS[0]["premise"], claim=ROWS[0]["claim"])
    assert (verdict.label, verdict.hops) == ("true", 2)
    hc.check(verdict)
