"""``calibrate`` from the command line."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import solver
from benchmarks.tkg.calibration.objective import ObjectiveKind, measure_graph
from benchmarks.tkg.cli import calibrate as module
from generators.tkg.config import read_config
from generators.tkg.run import generate
from solver import cli
from solver.graph.io import read_dataset

Calibrate = Callable[..., tuple[int, str, str]]

FILES = ("best.json", "summary.json", "trials.jsonl", "report.html", "manifest.json")
# It kills itself after the tenth trial.
KILLED = """
import os, signal
from benchmarks.tkg.calibration.search import Journal
from benchmarks.tkg.cli.calibrate import command
append, trials = Journal.append, []
def kill(journal, *trial):
    append(journal, *trial)
    trials.append(trial)
    if len(trials) == 10:
        os.kill(os.getpid(), signal.SIGKILL)
Journal.append = kill
command()
"""
FEW = {
    "sequential": "true",
    **dict.fromkeys(("unique", "prohibit_self", "prohibit_new_relation", "injective"), "false"),
    **dict.fromkeys(("entity_exponent", "entity_shape", "relation_exponent"), "1"),
}
QUICK = tuple(part for name, value in FEW.items() for part in ("--fix", f"{name}={value}"))
"""There are few sequential patterns to enumerate, and then few parameters to plot."""

# From where the packages are imported.
HOME = Path(solver.__file__).parents[1 + solver.__name__.count(".")]


@pytest.fixture
def graph(examples: Path) -> Path:
    return examples / "tkg"


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


def test_the_best_config_makes_the_best_graph(
    calibrate: Calibrate, graph: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = calibrate(
        graph, *QUICK, "--trials", 10, "--seed", 5, "--out", tmp_path, "--json"
    )
    assert status == 0
    report = json.loads(out)
    assert report["reference"]["name"] == "tkg"
    assert report["reference"]["metrics"] == measure_graph(read_dataset(graph).facts()).metrics
    facts = generate(read_config(tmp_path / "best.json"), 5).facts
    assert report["best"]["metrics"] == measure_graph(facts).metrics
    assert set(report["other_seeds"]) == {"6", "7", "8", "9", "10"}
    scores = [json.loads(line)["score"] for line in (tmp_path / "trials.jsonl").open()]
    assert len(scores) == 10
    assert scores[report["best"]["trial"]] == min(scores) == report["best"]["score"]
    arguments = ["generate", "tkg", "--config", str(tmp_path / "best.json")]
    made = cli.run([*arguments, "--seed", "5", "--out", str(tmp_path / "graph"), "--json"])
    assert made == 0
    assert json.loads(capsys.readouterr().out)["facts"] == report["best"]["metrics"]["facts"]


def test_the_page_shows_the_search(calibrate: Calibrate, graph: Path, tmp_path: Path) -> None:
    status, out, err = calibrate(graph, "--trials", 8, "--check-seeds", 0, "--out", tmp_path)
    assert (status, err) == (0, "")
    assert "Best of 8 trials" in out
    assert "recency_pair_hits10" in out
    assert f"--config {tmp_path / 'best.json'} --seed 0" in out
    page = (tmp_path / "report.html").read_text()
    # The course, and 25 parameters in rows of four.
    assert page.count("<svg") == 1 + 7
    for title in ("best so far", "patterns_2", "entity_distribution", "not tried"):
        assert title in page


def test_a_killed_search_ends_with_the_same_bytes(
    calibrate: Calibrate, graph: Path, tmp_path: Path, python: Callable[..., Any]
) -> None:
    options = [str(graph), *QUICK, "--trials", "16", "--check-seeds", "1", "--out"]
    environment = os.environ | {"PYTHONPATH": str(HOME)}
    killed = python("-c", KILLED, *options, tmp_path / "killed", env=environment)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert (tmp_path / "killed" / "journal.log").stat().st_size > 8_000
    assert not (tmp_path / "killed" / "best.json").exists()
    for name in ("killed", "whole"):
        assert calibrate(*options, tmp_path / name)[0] == 0
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")


def test_weights_and_fixed_parameters_are_heeded(
    calibrate: Calibrate, graph: Path, tmp_path: Path
) -> None:
    arguments = ("--fix", "mode=forced", "--fix", "lags=1,8", "--weight", "facts=9", *QUICK)
    printed = ("--objective", "printed", "--baseline-weight", 2, "--trials", 9, "--json")
    _, out, _ = calibrate(graph, *arguments, *printed, "--out", tmp_path)
    objective = {"kind": "printed", "weights": {"facts": 9}, "baseline_weight": 2}
    assert json.loads(out)["objective"] == objective
    config = json.loads((tmp_path / "best.json").read_text())
    assert (config["mode"], config["lags"]) == ("forced", {"low": 1, "high": 8})
    for line in (tmp_path / "trials.jsonl").open():
        assert "mode" not in json.loads(line)["values"]


@pytest.mark.parametrize(
    ("arguments", "report"),
    [
        (["--fix", "mood=forced"], "error: found the parameter mood, expected one of mode,"),
        (["--fix", "mode"], "found 'mode', expected a name and a value such as mode=forced."),
        (
            ["--weight", "facts=much"],
            "'facts=much', expected a name and a number",
        ),
        (["--weight", "facts=-1"], "error: found the weight -1.0, expected a number from 0"),
        (["--baseline-weight", "nan"], "error: found the weight nan"),
        (["--trials", "0"], "'--trials'"),
        (["--base", "none.json"], "error: none.json: no such file"),
    ],
)
def test_options_that_mean_nothing_are_reported(
    calibrate: Calibrate, graph: Path, tmp_path: Path, arguments: list[str], report: str
) -> None:
    status, out, err = calibrate(graph, *arguments, "--out", tmp_path)
    assert (status, out) == (2, "")
    assert report in err
    assert "Traceback" not in err


def test_a_graph_that_cannot_be_read_is_reported(calibrate: Calibrate, tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("0\t0\t1\t0\n0\tx\t1\t1\n")
    status, _, err = calibrate(tmp_path, "--out", tmp_path / "out")
    assert (status, err.count("\n")) == (2, 1)
    assert "train.txt:2:3: found 'x'" in err
    assert not (tmp_path / "out").exists()


def test_a_search_that_makes_no_graph_is_reported(
    calibrate: Calibrate, graph: Path, tmp_path: Path
) -> None:
    fixed = [part for n in (1, 2, 3) for part in ("--fix", f"patterns_{n}=0")]
    status, out, err = calibrate(graph, *fixed, "--trials", 2, "--out", tmp_path)
    assert (status, out) == (2, "")
    assert err.startswith("error: found no graph in 2 trials; the first failed as found 0, 0, 0")


def test_optuna_that_is_not_installed_is_reported(
    calibrate: Calibrate, graph: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.extras.find_spec", lambda _name: None)
    status, out, err = calibrate(graph, "--out", tmp_path)
    assert (status, out) == (2, "")
    assert err == (
        "error: calibrate needs optuna, which is not installed "
        "(pip install 'hopcheck[calibrate]')\n"
    )


@pytest.mark.slow
def test_icews14_can_be_the_reference(calibrate: Calibrate, shared: Path, tmp_path: Path) -> None:
    graph = shared / "data" / "icews14"
    few = ("--trials", 2, "--check-seeds", 0, "--fix", "mode=forced", *QUICK)
    _, out, _ = calibrate(graph, *few, "--out", tmp_path, "--json")
    report = json.loads(out)
    assert report["reference"]["metrics"]["facts"] == 90_730
    assert report["best"]["metrics"]["steps"] == 365


def test_the_command_names_every_objective() -> None:
    (option,) = (param for param in module.command.params if "--objective" in param.opts)
    assert set(option.type.choices) == set(ObjectiveKind)
