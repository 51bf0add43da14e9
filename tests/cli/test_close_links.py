"""``close`` and ``reduce``: what they write is read back."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "links"
Solver = Callable[..., Any]


def links(text: str) -> list[str]:
    (record,) = [json.loads(line) for line in text.splitlines()]
    return [f"{link['left']} {link['relation']} {link['right']}" for link in record["links"]]


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


def test_timeml_gains_and_loses_nothing_but_links(solver: Solver, tmp_path: Path) -> None:
    before = (EXAMPLE / "market.tml").read_bytes()
    ran = solver("close", EXAMPLE, "--folder", tmp_path / "closed")
    assert (ran.status, ran.out) == (1, "")
    assert [path.name for path in (tmp_path / "closed").iterdir()] == ["market.tml"]
    after = (tmp_path / "closed" / "market.tml").read_bytes()
    added = [line for line in after.splitlines(keepends=True) if b'lid="c' in line]
    assert len(added) == 3
    for line in added:
        assert line.startswith(b"<TLINK ")
        after = after.replace(line, b"")
    assert after == before
    ran = solver("reduce", tmp_path / "closed", "--folder", tmp_path / "reduced")
    assert ran.status == 0
    assert (tmp_path / "reduced" / "market.tml").read_bytes() == before
    closed = solver("close", tmp_path / "closed").out
    assert links(closed) == links(solver("close", EXAMPLE / "market.tml").out)


def test_tables_gain_and_lose_rows(solver: Solver, tmp_path: Path) -> None:
    rows = [b"d\te1\te2\tb\r\n", b"x\te1\te2\tb\n", b"d\te2\te3\tb\r\n", b"x\te2\te1\tb\n",
            b"y\te1\te2\tv\n", b"d\te3\te2\ta"]  # fmt: skip
    table = tmp_path / "links.tsv.gz"
    table.write_bytes(gzip.compress(b"".join(rows)))
    assert solver("close", table, "--folder", tmp_path / "closed").status == 1
    written = gzip.decompress((tmp_path / "closed" / "links.tsv.gz").read_bytes())
    assert written == b"".join([rows[0], rows[2], rows[4], rows[5], b"\nd\te1\te3\tb\n"])
    assert solver("reduce", table, "--folder", tmp_path / "reduced").status == 1
    written = gzip.decompress((tmp_path / "reduced" / "links.tsv.gz").read_bytes())
    assert written == b"".join([rows[0], rows[2]])


def test_json_lines_keep_equal_links_apart(solver: Solver, tmp_path: Path) -> None:
    path = tmp_path / "links.jsonl"
    name = '{"id":"c1","left":"a","relation":"BEFORE","right":"b"}'
    two = '{"id":"2","left":"b","relation":"BEFORE","right":"c"}'
    path.write_text(f'{{"document":"d","links":[{name},{name},{two}]}}\n', encoding="utf-8")
    assert solver("reduce", path, "--folder", tmp_path / "out").status == 0
    text = (tmp_path / "out" / "links.jsonl").read_text(encoding="utf-8")
    assert links(text) == ["a BEFORE b", "b BEFORE c"]
    assert solver("close", path, "--folder", tmp_path / "out").status == 0
    (row,) = map(json.loads, (tmp_path / "out" / "links.jsonl").read_text("utf-8").splitlines())
    assert [link["id"] for link in row["links"]] == ["c1", "c1", "2", "c2"]


def test_one_output_at_a_time(solver: Solver, tmp_path: Path) -> None:
    ran = solver("close", EXAMPLE, "--folder", tmp_path / "a", "--out", tmp_path / "b")
    assert ran.status == 2
