"""Exports of chains of thought: what each format says is what was decided."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hopcheck as hc
from generators.traces.run import TraceSettings, generate
from hopcheck.rewards import progress
from solver.cli import run
from solver.probes.probe import ProbeLevel


@pytest.fixture(scope="module")
def chains(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "chains"
    generate(TraceSettings(test=42, hops=(3, 4), detours=1), folder, probes=ProbeLevel.NONE)
    return folder


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def exported(chains: Path, tmp_path: Path) -> Callable[[str], list[dict[str, Any]]]:
    def call(name: str) -> list[dict[str, Any]]:
        files = hc.export(name, chains, tmp_path / name)
        assert [file.name for file in files] == ["test.jsonl", "manifest.json"]
        return lines(files[0])

    return call


def test_processbench(chains: Path, exported: Callable[[str], list[dict[str, Any]]]) -> None:
    rows = lines(chains / "test.jsonl")
    for row, made in zip(rows, exported("processbench"), strict=True):
        assert made["label"] == row["first_error"]
        assert made["steps"] == [step["text"] for step in row["steps"]]
        assert made["final_answer_correct"] is row["answer_correct"]
        assert row["premise"] in made["problem"]
        assert row["claim"] in made["problem"]


def test_prm800k_ends_with_the_first_wrong_step(
    chains: Path, exported: Callable[[str], list[dict[str, Any]]]
) -> None:
    for row, made in zip(lines(chains / "test.jsonl"), exported("prm800k"), strict=True):
        ratings = [step["completions"][0]["rating"] for step in made["label"]["steps"]]
        first = row["first_error"]
        assert made["label"]["finish_reason"] == ("solution" if first < 0 else "found_error")
        assert -1 not in ratings[:-1]
        assert len(ratings) == (len(row["steps"]) if first < 0 else first + 1)
        for rating, step in zip(ratings, row["steps"], strict=False):
            assert (rating == 1) is (step["verdict"] == "follows")


def test_stepwise_labels_are_the_verdicts(
    chains: Path, exported: Callable[[str], list[dict[str, Any]]]
) -> None:
    for row, made in zip(lines(chains / "test.jsonl"), exported("stepwise"), strict=True):
        assert len(made["completions"]) == len(made["labels"])
        wrong = [place for place, right in enumerate(made["labels"]) if not right]
        assert (wrong[0] if wrong else -1) == row["first_error"]


def test_preferred_chains_are_paid_and_rejected_ones_are_not(
    chains: Path, exported: Callable[[str], list[dict[str, Any]]]
) -> None:
    rows = {row["premise"]: row for row in lines(chains / "test.jsonl")}
    made = exported("preference")
    assert len(made) > 35
    paid = 0
    for pair in made:
        row = next(
            row for premise, row in rows.items() if f"Statements: {premise}\n" in pair["prompt"]
        )
        item = {name: [row[name]] * 2 for name in ("premise", "claim", "domain")}
        chosen, rejected = progress(["", ""], [pair["chosen"], pair["rejected"]], **item)
        assert rejected == 0
        paid += chosen == 1
    # Two statements prove some items, which pay nothing.
    assert paid > len(made) / 2


def test_a_report_of_verify_is_exported_and_other_data_are_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report, out = str(tmp_path / "report"), str(tmp_path / "out")
    chains = "examples/traces/right.jsonl"
    assert run(["verify", "--kind", "traces", chains, "--report", report]) == 0
    assert run(["export", "processbench", f"{report}/items.jsonl", "--out", out]) == 0
    assert [row["label"] for row in lines(Path(out) / "train.jsonl")] == [-1, -1, -1]
    capsys.readouterr()
    assert run(["export", "stepwise", chains, "--out", out]) != 0
    assert "expected decided chains" in capsys.readouterr().err
    assert run(["export", "stepwise", "examples/ranks/graph", "--out", out]) != 0
    assert "expected traces" in capsys.readouterr().err
