"""The pages on proving and reading questions quote what was measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.speed.questions import STEPS, steps
from grammar.questions.model import QuestionKind
from solver.cli import run

ROOT = Path(__file__).resolve().parents[2]
PROVED = (ROOT / "docs" / "questions-verify.md").read_text(encoding="utf-8")
TEXTS = (ROOT / "docs" / "questions-texts.md").read_text(encoding="utf-8")
RESULTS = ROOT / "benchmarks" / "results"
MEASURED: dict[str, Any] = json.loads((RESULTS / "proved-questions.json").read_bytes())
COSTS: dict[str, Any] = json.loads((RESULTS / "questions.json").read_bytes())["costs"]
SHOWN = [step for step in STEPS if step != "writing"]


@pytest.mark.parametrize("kind", QuestionKind)
def test_each_step_is_quoted(kind: QuestionKind) -> None:
    one = MEASURED["milliseconds"][kind]
    cells = [f"`{kind}`", *(f"{one[step]:.2g}" if step in one else "" for step in SHOWN)]
    assert f"| {' | '.join(cells)} |".replace("|  |", "| |") in PROVED


def test_the_whole_is_quoted() -> None:
    cost = COSTS["verify --kind questions --jobs 2"]
    assert f"take {cost['seconds']:.1f} s with two processes and {cost['mebibytes']} MiB" in PROVED
    assert f"batches of {MEASURED['batch']}" in PROVED


def test_wording_is_quoted() -> None:
    kinds = MEASURED["milliseconds"].values()
    writing = [1000 * one["writing"] for one in kinds]
    reading = [1000 * one["text"] for one in kinds]
    words = " ".join(TEXTS.split())
    assert f"written in {min(writing):.0f} to {max(writing):.0f} µs" in words
    assert f"read in {min(reading):.0f} to {sorted(reading)[-2]:.0f} µs" in words
    assert f"with its four choices in {max(reading):.0f} µs" in words
    assert f"the parser takes {MEASURED['parser_seconds']} s to make" in words


def test_a_small_graph_is_measured_in_the_same_way(tmp_path: Path) -> None:
    graph = ROOT / "examples" / "questions" / "graph"
    options = ("--out", str(tmp_path), "--format", "jsonl")
    assert run(["generate", "questions", str(graph), *options]) == 0
    measured = steps(tmp_path, graph)
    assert list(measured) == list(QuestionKind)
    for kind, one in measured.items():
        others = {"ranks"} if kind != QuestionKind.FACT_REASONING else set()
        assert set(one) == {"questions", *STEPS} - others
        assert min(one.values()) > 0
