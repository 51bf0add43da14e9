"""``answer`` scores its output as ``score questions`` does, given gold answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grammar.errors import ExitStatus

KINDS = ("1-hop", "2-hop", "yes-unknown", "fact-reasoning")

Solver = Callable[..., Any]


@pytest.mark.parametrize("options", [("--observe", "past"), ("--observe", "all")])
def test_answer_prints_the_scores_of_score_questions(
    solver: Solver, made: Path, data: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    out = tmp_path / "answers.jsonl"
    result = solver("answer", made, "--data", data, "--out", out, *options)
    scored = solver("score", "questions", out, "--questions", made)
    assert result.status == scored.status == ExitStatus.OK
    _, tables = scored.out.split("\n", 1)
    assert result.out.endswith(tables)
    for kind in KINDS:
        assert re.search(rf"^ {kind} .*\[[\d.]+-[\d.]+\]", result.out, re.MULTILINE), kind


def test_figures_of_json(solver: Solver, made: Path, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    result = solver("answer", made, "--data", data, "--out", out, "--observe", "all", "--json")
    parts = result.json["scores"]["parts"]
    assert set(KINDS) <= set(parts)
    assert {figure["value"] for part in parts.values() for figure in part["figures"].values()} == {
        1
    }


def test_without_right_answers_none_are_scored(
    solver: Solver, made: Path, data: Path, tmp_path: Path
) -> None:
    bare = tmp_path / "bare.jsonl"
    row = json.loads((made / "test.jsonl").read_bytes().splitlines()[0])
    bare.write_text(json.dumps({"id": row["id"], "text": row["text"]}) + "\n", encoding="utf-8")
    out = tmp_path / "answers.jsonl"
    command = ("answer", bare, "--data", data, "--out", out, "--observe", "all")
    result = solver(*command)
    assert result.status == ExitStatus.OK
    assert result.out == "1 questions: 1 1-hop\n"
    assert f"note: not scored: {bare}:1:" in result.err
    result = solver(*command, "--json")
    assert result.json["scores"] is None


def test_the_oracle_gives_all_answers(solver: Solver, tmp_path: Path) -> None:
    graph, out = tmp_path / "graph", tmp_path / "answers.jsonl"
    graph.mkdir()
    for time, split in enumerate(("train", "valid", "test")):
        rows = [
            f"Hub_{hub}\tConsult\tNode_{hub}_{number}\t{time}\n"
            for hub in range(8)
            for number in range(12)
        ]
        (graph / f"{split}.tsv").write_text("".join(rows))
    asked = tmp_path / "asked"
    made = solver("generate", "questions", graph, "--out", asked, "--kinds", "1-hop")
    assert made.status == ExitStatus.OK
    command = ("answer", asked, "--data", graph, "--out", out, "--observe", "all", "--json")
    parts = solver(*command).json["scores"]["parts"]
    assert "1-hop" in parts
    assert {figure["value"] for part in parts.values() for figure in part["figures"].values()} == {
        1
    }
    assert max(len(json.loads(line)["ranking"]) for line in out.open()) == 12
    assert solver(*command, "--most", "7").status == ExitStatus.OK
    assert max(len(json.loads(line)["ranking"]) for line in out.open()) == 7
