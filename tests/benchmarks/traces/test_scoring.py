"""Scores of critics and of own chains, counted again one by one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from generators.traces.run import TraceSettings, generate
from grammar.eventhop.model import Domain
from solver.cli import run
from solver.probes.probe import ProbeLevel

WRONG = ("contradicts", "open", "carried")


@pytest.fixture(scope="module")
def chains(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("chains")
    settings = TraceSettings(test=21, domains=(Domain.TEMPORAL, Domain.LOGICAL), hops=(2, 3))
    generate(settings, folder, probes=ProbeLevel.NONE)
    return folder / "test.jsonl"


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def scored(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    chains: Path,
    predictions: Sequence[dict[str, Any]],
    *more: str,
    status: int = 0,
) -> dict[str, Any]:
    path = tmp_path / "predictions.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in predictions))
    arguments = ["score", "traces", str(path), "--data", str(chains), "--json", *more]
    assert run(arguments, program="hopcheck") == status
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_critics_are_scored_as_by_hand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], chains: Path
) -> None:
    draw, rows = Random(4), rows_of(chains)
    said = {
        row["id"]: row["first_error"]
        if draw.random() < 0.6
        else draw.randrange(-1, len(row["steps"]))
        for row in rows
    }
    report = scored(
        tmp_path, capsys, chains, [{"id": n, "first_error": first} for n, first in said.items()]
    )
    by: dict[bool, list[bool]] = {True: [], False: []}
    twins: dict[str, list[bool]] = {}
    for row in rows:
        right = said[row["id"]] == row["first_error"]
        by[row["first_error"] >= 0].append(right)
        twins.setdefault(row["twin"], []).append(right)
    wrong, plain = (sum(by[flag]) / len(by[flag]) for flag in (True, False))
    overall = {name: figure["value"] for name, figure in report["overall"].items()}
    assert overall["accuracy on wrong chains"] == pytest.approx(wrong, abs=1e-4)
    assert overall["accuracy on right chains"] == pytest.approx(plain, abs=1e-4)
    assert overall["F1"] == pytest.approx(2 * wrong * plain / (wrong + plain), abs=1e-4)
    assert overall["twins both right"] == pytest.approx(
        sum(map(all, twins.values())) / len(twins), abs=1e-4
    )
    for figure in report["overall"].values():
        assert figure["low"] <= figure["value"] <= figure["high"]
    for error, figures in report["by"]["error"].items():
        of_error = [row for row in rows if row["error"] == error]
        share = sum(said[row["id"]] == row["first_error"] for row in of_error) / len(of_error)
        assert figures["accuracy on wrong chains"]["value"] == pytest.approx(share, abs=1e-4)
    assert set(report["by"]) == {"error", "hops", "domain"}
    assert set(report["by"]["domain"]) == {"temporal", "logical"}


def test_step_scores_are_scored_as_by_hand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], chains: Path
) -> None:
    draw, rows = Random(5), rows_of(chains)
    scores = {row["id"]: [round(draw.random(), 1) for _ in row["steps"]] for row in rows}
    given = [{"id": name, "scores": values} for name, values in scores.items()]
    report = scored(tmp_path, capsys, chains, given, "--threshold", "0.4")
    pairs = [
        (score, step["verdict"] in WRONG)
        for row in rows
        for score, step in zip(scores[row["id"]], row["steps"], strict=True)
    ]
    found = sum(score < 0.4 and wrong for score, wrong in pairs)
    precision = found / sum(score < 0.4 for score, _ in pairs)
    recall = found / sum(wrong for _, wrong in pairs)
    overall = {name: figure["value"] for name, figure in report["overall"].items()}
    assert overall["step precision"] == pytest.approx(precision, abs=1e-4)
    assert overall["step recall"] == pytest.approx(recall, abs=1e-4)
    mean = 2 * precision * recall / (precision + recall)
    assert overall["step F1"] == pytest.approx(mean, abs=1e-4)
    above = [
        (low < high) + (low == high) / 2
        for low, wrong in pairs
        for high, other in pairs
        if wrong and not other
    ]
    assert report["step_auc"] == pytest.approx(sum(above) / len(above), abs=1e-4)
    first = {
        name: next((n for n, score in enumerate(values) if score < 0.4), -1)
        for name, values in scores.items()
    }
    of_right = [row for row in rows if row["first_error"] < 0]
    share = sum(first[row["id"]] == -1 for row in of_right) / len(of_right)
    assert overall["accuracy on right chains"] == pytest.approx(share, abs=1e-4)


def test_own_chains_are_scored_by_their_proofs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], chains: Path
) -> None:
    rows = rows_of(chains)
    given = [
        {"id": row["id"], "trace": "\n".join(step["text"] for step in row["steps"])}
        for row in rows[1:]
    ]
    report = scored(tmp_path, capsys, chains, given, status=1)
    assert report["missing"] == [rows[0]["id"]]
    right = sum(row["first_error"] < 0 for row in rows[1:])
    answered = [row for row in rows[1:] if row["answer_correct"]]
    lucky = sum(row["first_error"] >= 0 for row in answered)
    overall = {name: figure["value"] for name, figure in report["overall"].items()}
    assert overall["right chains"] == pytest.approx(right / len(rows), abs=1e-4)
    assert overall["right answers"] == pytest.approx(len(answered) / len(rows), abs=1e-4)
    assert overall["lucky of right answers"] == pytest.approx(lucky / len(answered), abs=1e-4)
    assert overall["faithful of right answers"] == pytest.approx(
        1 - lucky / len(answered), abs=1e-4
    )
    assert overall["statements read"] == 1
    assert sum(report["first_errors"].values()) == len(rows) - 1 - right


def test_copies_of_the_premise_and_silence_are_not_faithful(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], chains: Path
) -> None:
    rows = rows_of(chains)
    for before in ("", "{premise}.\n"):
        given = [
            {"id": row["id"], "trace": f"{before.format(**row)}Answer: {row['label']}"}
            for row in rows
        ]
        report = scored(tmp_path, capsys, chains, given)
        assert report["overall"]["right answers"]["value"] == 1
    assert report["overall"]["lucky of right answers"]["value"] == 0
    silent = [{"id": row["id"], "trace": f"Answer: {row['label']}"} for row in rows]
    report = scored(tmp_path, capsys, chains, silent)
    assert report["overall"]["faithful of right answers"]["value"] == 0
    assert report["overall"]["right chains"]["value"] == 0


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([{"id": "test-000000-a"}], "found no trace, first_error or scores"),
        ([{"id": "test-000000-a", "scores": [1, "x"]}], "list of finite numbers"),
        ([{"id": "test-000000-a", "scores": [1]}], "one for each step"),
        ([{"id": "test-000000-a", "first_error": 99}], "first_error: found 99"),
        (
            [{"id": "test-000000-a", "first_error": 1}, {"id": "test-000000-b", "trace": "x"}],
            "expected one of the two",
        ),
        ([{"id": "elsewhere", "first_error": 1}], "none of the 1 ids"),
    ],
)
def test_bad_predictions_are_one_line(
    rows: list[dict[str, Any]],
    words: str,
    tmp_path: Path,
    chains: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "predictions.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert run(["score", "traces", str(path), "--data", str(chains)], program="hopcheck") != 0
    assert words in capsys.readouterr().err


def test_the_report_has_a_page_and_the_figures(tmp_path: Path, chains: Path) -> None:
    path, out = tmp_path / "critic.jsonl", tmp_path / "report"
    rows = rows_of(chains)
    path.write_text("".join(f'{{"id": "{row["id"]}", "first_error": -1}}\n' for row in rows))
    arguments = ["score", "traces", str(path), "--data", str(chains), "--report", str(out)]
    assert run(arguments, program="hopcheck") == 0
    assert {"scores.json", "scores.md", "manifest.json"} <= {file.name for file in out.iterdir()}
    figures = json.loads((out / "scores.json").read_text())["overall"]
    assert figures["accuracy on right chains"]["value"] == 1
    assert figures["twins both right"]["value"] == 0
    assert "accuracy on right chains" in (out / "scores.md").read_text()
