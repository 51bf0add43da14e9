"""The pages on proving and reading questions quote what was measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.reproduction.speed.questions import STEPS, steps, whole
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
    millisecond = MEASURED["milliseconds"][kind]
    cells = [
        f"`{kind}`",
        *(f"{millisecond[step]:.2g}" if step in millisecond else "" for step in SHOWN),
    ]
    assert f"| {' | '.join(cells)} |".replace("|  |", "| |") in PROVED


def test_the_plain_loop_is_quoted() -> None:
    loop, words = MEASURED["plain_loop"], " ".join(PROVED.split())
    kind = QuestionKind.FACT_REASONING
    cost = whole(MEASURED["milliseconds"][kind])
    assert f"the plain loop takes {loop['milliseconds']:.2f} ms an item" in words
    assert f"takes {cost:.2f} ms, {loop['loops per question'][kind]:.2f} times as long" in words


def test_the_whole_is_quoted() -> None:
    cost = COSTS["verify --kind questions --jobs 2"]
    assert f"take {cost['seconds']:.1f} s with two processes and {cost['mebibytes']} MiB" in PROVED
    assert f"batches of {MEASURED['batch']}" in PROVED


def test_wording_is_quoted() -> None:
    kinds = MEASURED["milliseconds"]
    writing = [1000 * kind["writing"] for kind in kinds.values()]
    reading = {kind: 1000 * record["text"] for kind, record in kinds.items()}
    words = " ".join(TEXTS.split())
    assert f"written in {min(writing):.0f} to {max(writing):.0f} µs" in words
    choices = reading.pop(QuestionKind.FACT_REASONING)
    assert f"with its four choices in {choices:.0f} µs" in words
    assert f"read in {min(reading.values()):.0f} to {max(reading.values()):.0f} µs" in words
    assert f"the parser takes {MEASURED['parser_seconds']} s to make" in words


def test_a_small_graph_is_measured_in_the_same_way(tmp_path: Path) -> None:
    graph = ROOT / "examples" / "questions" / "graph"
    options = ("--out", str(tmp_path), "--format", "jsonl")
    assert run(["generate", "questions", str(graph), *options]) == 0
    measured = steps(tmp_path, graph)
    assert list(measured) == list(QuestionKind)
    for kind, measurement in measured.items():
        others = {"ranks"} if kind != QuestionKind.FACT_REASONING else set()
        assert set(measurement) == {"questions", *STEPS} - others
        assert min(measurement.values()) > 0
