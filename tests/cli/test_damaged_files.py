"""Damaged, truncated or compressed files give a one-line error and never a traceback."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Solver = Callable[..., Any]

MARK = b"\xef\xbb\xbf"
DEEP = b"[" * 100_000
FACTS = "verify --kind facts facts/right.tsv --schema"
APPLY = "apply rules.json --data tkg"
PATTERN = b'{"pattern": "1 -1-> 2 => 1 -2-> 2"}\n'
TEXT = b'{"text": "Ada Brook joined the Northmill Rovers on 2026-01-11."}\n'
QUADRUPLES = b"[['Ada Brook', 'startMemberOf', 'Northmill Rovers', '2026-01-11']]\n"


@pytest.fixture
def folder(examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a copy of the examples, and files that other commands make."""
    shutil.copytree(examples, tmp_path, dirs_exist_ok=True)
    rule = b'{"0": [{"head_rel": 0, "body_rels": [1], "var_constraints": [], "conf": 0.5,'
    (tmp_path / "rules.json").write_bytes(rule + b' "rule_supp": 2, "body_supp": 4}]}')
    (tmp_path / "list.jsonl").write_bytes(PATTERN)
    (tmp_path / "list.manifest.json").write_bytes(b'{"config": {"flags": "0000"}}')
    (tmp_path / "texts.jsonl").write_bytes(TEXT)
    (tmp_path / "facts.txt").write_bytes(QUADRUPLES)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "manifest.json").write_bytes(b'{"outputs": {"right.tsv": ""}}')
    shutil.copy(examples / "right.tsv", tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("command", "file", "content", "message"),
    [
        ("verify data", "data/manifest.json", DEEP, "found an invalid manifest"),
        (
            "verify data",
            "data/manifest.json",
            b'{"outputs": [1]}',
            "found an invalid manifest",
        ),
        ("verify data", "data/manifest.json", b'{"x": "\\ud800"}', "found broken JSON"),
        ("verify --kind patterns list.jsonl", "list.manifest.json", b'{"a":' * 60_000, "manifest"),
        (f"{FACTS} facts/schema", "facts/schema/classes.csv", b'"' + b"a" * 200_000, ":1: found a"),
        (f"{FACTS} facts/schema/shapes.ttl", "facts/schema/shapes.ttl", DEEP, "nested brackets"),
        (f"{FACTS} facts/schema", "facts/schema/types.tsv", b"Ada\t" + b"a" * 9_000, "class 'aaa"),
        (f"{FACTS} facts/schema", "facts/schema/types.tsv", b"a" * 9_000, ":1: found 'aaa"),
        (APPLY, "tkg/stat.txt", b"20 8 \xe9\n", "stat.txt:1:6: found"),
        (APPLY, "tkg/test.txt", b"", "found no facts of the split test"),
    ],
)
def test_damage_is_reported_in_one_line(
    solver: Solver, folder: Path, command: str, file: str, content: bytes, message: str
) -> None:
    (folder / file).write_bytes(content)
    ran = solver(*command.split())
    assert ran.status == 2
    (line,) = ran.err.splitlines()
    assert message in line
    assert len(line) < 300


@pytest.mark.parametrize("wrapped", [MARK.__add__, gzip.compress], ids=["marked", "packed"])
@pytest.mark.parametrize(
    ("command", "file"),
    [
        (APPLY, "rules.json"),
        (APPLY, "tkg/stat.txt"),
        ("apply rules.json --data ranks/graph", "ranks/graph/entity2id.json"),
        (f"{FACTS} facts/schema/shapes.ttl", "facts/schema/shapes.ttl"),
        ("verify --kind text texts.jsonl --facts facts.txt", "texts.jsonl"),
    ],
)
def test_a_byte_order_mark_and_gzip_are_passed_over(
    solver: Solver, folder: Path, command: str, file: str, wrapped: Callable[[bytes], bytes]
) -> None:
    before = solver(*command.split(), "--json")
    (folder / file).write_bytes(wrapped((folder / file).read_bytes()))
    after = solver(*command.split(), "--json")
    assert before.json
    assert (after.status, after.err) == (before.status, before.err)
    assert _untimed(after.json) == _untimed(before.json)


def _untimed(summary: dict[str, object]) -> dict[str, object]:
    """The summary without timings."""
    return {name: value for name, value in summary.items() if "second" not in name}
