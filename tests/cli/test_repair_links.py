"""``repair``: repaired files differ from the given ones in the repaired links only."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "links"
Solver = Callable[..., Any]


def test_the_example(solver: Solver, tmp_path: Path) -> None:
    ran = solver("repair", EXAMPLE, "--out", tmp_path / "out", "--report", tmp_path / "page")
    assert ran.status == 0
    assert "1 of 2 documents are inconsistent; 1 links removed" in ran.out
    before = (EXAMPLE / "harbour.tml").read_text(encoding="utf-8").splitlines(keepends=True)
    after = (tmp_path / "out" / "harbour.tml").read_text(encoding="utf-8")
    (removed,) = [line for line in before if line not in after]
    assert "TLINK" in removed
    assert "".join(line for line in before if line != removed) == after
    market = (tmp_path / "out" / "market.tml").read_bytes()
    assert market == (EXAMPLE / "market.tml").read_bytes()
    assert solver("verify", tmp_path / "out" / "harbour.tml").status == 0
    (change,) = (tmp_path / "out" / "changes.tsv").read_text(encoding="utf-8").splitlines()
    assert change.split("\t")[0] == "harbour"
    page = (tmp_path / "page" / "report.html").read_text(encoding="utf-8")
    for text in ("The smallest change", "Remove:", "Contradictory cycle", "Timeline of harbour"):
        assert text in page


def test_figures(solver: Solver) -> None:
    found = solver("repair", EXAMPLE, "--json").json
    assert (found["removed"], found["proved_minimal"]) == (1, True)
    assert found["by_document"] == {"harbour": 1}
    assert found["confirmed_by_second_solver"] == 1


def test_tables_keep_their_other_bytes(solver: Solver, tmp_path: Path) -> None:
    rows = [b"d\te1\te2\tb\r\n", b"d\te2\te3\tb\n", b"\n", b"x\te1\te2\ts\n", b"d\te3\te1\tb"]
    table = tmp_path / "links.tsv.gz"
    table.write_bytes(gzip.compress(b"".join(rows)))
    weights = tmp_path / "weights"
    weights.write_text("d\t1\t5\nd\t5\t7\n", encoding="utf-8")
    arguments = ("repair", table, "--weights", weights, "--out", tmp_path / "out")
    assert solver(*arguments).status == 0
    written = gzip.decompress((tmp_path / "out" / "links.tsv.gz").read_bytes())
    assert written == b"".join(rows[:1] + rows[2:])
    assert solver(*arguments, "--relabel").status == 0
    written = gzip.decompress((tmp_path / "out" / "links.tsv.gz").read_bytes())
    assert written == b"".join([rows[0], b"d\te2\te3\ta\n", *rows[2:]])


def test_json_lines(solver: Solver, tmp_path: Path) -> None:
    path = tmp_path / "links.jsonl"
    links = ('{"id":"1","left":"a","relation":"BEFORE","right":"b"}',
             '{"id":"2","left":"b","relation":"BEFORE","right":"a","weight":3}')  # fmt: skip
    path.write_text(f'{{"document":"d","links":[{",".join(links)}]}}\n', encoding="utf-8")
    assert solver("repair", path, "--out", tmp_path / "out").status == 0
    out = tmp_path / "out" / "links.jsonl"
    assert '"id":"2"' in out.read_text(encoding="utf-8")
    found = solver("verify", out, "--json").json
    assert (found["kind"], found["links"], found["inconsistent"]) == ("links", 1, 0)


def test_wrong_weights(solver: Solver, tmp_path: Path) -> None:
    weights = tmp_path / "weights"
    weights.write_text("d\t1\t-5\n", encoding="utf-8")
    ran = solver("repair", EXAMPLE, "--weights", weights)
    assert ran.status == 2
    assert "expected document, link and a number" in ran.err


def test_formulas_are_marked_in_the_table_of_changes(solver: Solver, tmp_path: Path) -> None:
    (tmp_path / "in.tsv").write_text("=d\t@A\tB\tb\n=d\tB\t@A\tb\n", encoding="utf-8")
    assert solver("repair", tmp_path / "in.tsv", "--out", tmp_path / "out").status == 0
    (change,) = (tmp_path / "out" / "changes.tsv").read_text(encoding="utf-8").splitlines()
    cells = change.split("\t")
    assert cells[0] == "'=d"
    assert {cells[2], cells[4]} == {"'@A", "B"}
