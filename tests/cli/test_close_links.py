"""``close`` and ``reduce``: what they write is read back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "links"
Solver = Callable[..., Any]


def links(text: str) -> list[str]:
    (one,) = [json.loads(line) for line in text.splitlines()]
    return [f"{link['left']} {link['relation']} {link['right']}" for link in one["links"]]


def test_close_and_reduce(solver: Solver, tmp_path: Path) -> None:
    market = EXAMPLE / "market.tml"
    out = tmp_path / "closed.jsonl"
    assert solver("close", market, "--out", out).status == 0
    events = ["e1", "e2", "e3", "e4"]
    assert links(out.read_text(encoding="utf-8")) == [
        f"{left} BEFORE {right}" for n, left in enumerate(events) for right in events[n + 1 :]
    ]
    assert solver("verify", out, "--json").json["redundant"] == 3
    ran = solver("reduce", out)
    assert links(ran.out) == ["e1 BEFORE e2", "e2 BEFORE e3", "e3 BEFORE e4"]


def test_inconsistent_documents_are_left_out(solver: Solver) -> None:
    ran = solver("close", EXAMPLE)
    assert ran.status == 1
    assert ran.err == "left out: harbour contradicts itself\n"
    assert len(ran.out.splitlines()) == 1
