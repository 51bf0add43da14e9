"""The commands: train, rank, score."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solver.cli import run

pytestmark = pytest.mark.usefixtures("torch")
ROOT = Path(__file__).resolve().parents[3]
GRAPH = str(ROOT / "examples" / "tkg")


def train(out: Path, *more: str) -> int:
    small = ("--size", "8", "--epochs", "2", "--device", "cpu")
    given = ("--data", GRAPH, "--model", "cygnet", "--out", str(out))
    return run(["train", "forecaster", *given, *small, *more])


def test_a_forecaster_is_trained_asked_and_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert train(out, "--json") == 0
    course = json.loads(capsys.readouterr().out)
    assert len(course["losses"]) == len(course["validation"]) == 2
    assert sorted(path.name for path in out.iterdir()) == ["model", "run.json"]
    assert train(out) == 0
    assert "training is already complete" in capsys.readouterr().err
    assert train(out, "--seed", "1") == 2
    assert "a training with different seed" in capsys.readouterr().err
    ranks, scores = tmp_path / "ranks.txt", tmp_path / "scores"
    asked = ("baseline", "forecaster", str(out), "--data", GRAPH, "--device", "cpu")
    assert run([*asked, "--out", str(ranks)]) == 0
    printed = capsys.readouterr().err.split("MRR ")[1].split()[0]
    again = tmp_path / "again.txt"
    assert run([*asked, "--out", str(again), "--scores", str(scores)]) == 0
    assert again.read_bytes() == ranks.read_bytes()
    for path in (ranks, scores):
        assert run(["score", "ranks", str(path), "--data", GRAPH, "--json"]) == 0
        model = json.loads(capsys.readouterr().out)["models"][0]
        assert f"{100 * model['plain']['mrr']:.2f}" == printed
    assert run([*asked, "--split", "valid", "--out", str(again)]) == 2
    assert "pass --allow-leak" in capsys.readouterr().err


def test_a_folder_without_a_forecaster(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--data", GRAPH, "--out", str(tmp_path / "ranks.txt"))
    assert run(["baseline", "forecaster", str(tmp_path), *given]) == 2
    assert "expected a folder that `train forecaster` wrote" in capsys.readouterr().err


def test_queries_of_later_days_are_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    days = ("--from", "2032-03-02", "--to", "2032-03-08", "--most", "3")
    future = ["forecast", GRAPH, *days]
    assert run([*future, "--queries", "--out", str(tmp_path)]) == 0
    assert train(tmp_path / "run") == 0
    asked = ("baseline", "forecaster", str(tmp_path / "run"), "--data", GRAPH, "--device", "cpu")
    queries = ("--queries", str(tmp_path / "queries.npy"))
    assert run([*asked, *queries, "--scores", str(tmp_path / "scores")]) == 0
    capsys.readouterr()
    out = str(tmp_path / "future")
    assert run([*future, "--scores", str(tmp_path / "scores"), "--out", out, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["facts"] > 10
    assert run(["verify", out]) == 0
    assert run([*asked, *queries]) == 2
    assert "--queries needs --scores" in capsys.readouterr().err
    assert run([*asked, "--queries", str(tmp_path / "run" / "run.json"), *asked[-2:]]) == 2
