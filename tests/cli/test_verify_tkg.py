"""``verify --kind tkg`` on the command line: what is printed, written and given back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generators.tkg.config import Config
from generators.tkg.files import write_graph
from generators.tkg.run import generate
from grammar.errors import ExitStatus
from solver.encodings import ViolationAtom
from solver.tkg import verify as tkg

Solver = Callable[..., Any]


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    folder = tmp_path / "graph"
    folder.mkdir()
    config = Config(patterns=(2, 2, 1), steps=20)
    write_graph(folder, generate(config, 1), config, 1)
    return folder


def test_a_graph_as_it_was_made(solver: Solver, graph: Path) -> None:
    ran = solver("verify", "--kind", "tkg", graph)
    assert ran.status == ExitStatus.OK
    assert "engines asp and join agree" in ran.out
    assert "right: every label is correct" in ran.out


def test_a_graph_is_rebuilt(solver: Solver, graph: Path) -> None:
    assert solver("verify", graph, "--regenerate").status == ExitStatus.OK
    (graph / "stat.txt").write_text((graph / "stat.txt").read_text() + "\n")
    ran = solver("verify", "--kind", "tkg", "--regenerate", "--unsealed", graph)
    assert ran.status == ExitStatus.VIOLATIONS
    assert "stat.txt: not-reproduced\n" in ran.out
    assert "differs from the file rebuilt from the config and the seed" in ran.out


def test_json_and_report(solver: Solver, graph: Path, tmp_path: Path) -> None:
    with (graph / "train.txt").open("a") as file:
        file.write("0\t0\t1\t15\n")
    report = tmp_path / "report"
    ran = solver("verify", "--kind=tkg", graph, "--unsealed", "--json", "--report", report)
    assert ran.status == ExitStatus.VIOLATIONS
    assert ran.json["violations"]["unlabelled"] == 1
    assert ran.json["engines"] == ["asp", "join"]
    assert ran.json["figures"]["mode"] == "forward"
    violations = [
        json.loads(line) for line in (report / "violations.jsonl").read_text().splitlines()
    ]
    assert "(e0, r0, e1, 15) has no label, expected at least one" in [
        violation["message"] for violation in violations
    ]
    assert "(e0, r0, e1, 15) has no label" in (report / "report.html").read_text()
    manifest = json.loads((report / "manifest.json").read_text())
    assert "tkg/proof.lp" in manifest["encodings"]


def test_a_folder_that_is_none(solver: Solver, tmp_path: Path) -> None:
    ran = solver("verify", "--kind", "tkg", tmp_path)
    assert ran.status == ExitStatus.UNREADABLE
    assert ran.out == ""
    assert "manifest.json: not found, expected a manifest" in ran.err
    assert "generate tkg --out DIR" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_engines_that_differ(
    solver: Solver, graph: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        tkg, "findings", lambda _: [ViolationAtom(code="unsupported", numbers=(0,))]
    )
    monkeypatch.chdir(tmp_path)
    ran = solver("verify", "--kind", "tkg", graph)
    assert ran.status == ExitStatus.DISAGREEMENT
    assert "unsupported(0) is found by asp alone" in ran.err


def test_help_shows_the_options_of_the_kind(solver: Solver) -> None:
    ran = solver("verify", "--kind", "tkg", "--help")
    assert ran.status == ExitStatus.OK
    assert "--policy" not in ran.out
    assert "verify --kind tkg graph --json" in ran.out
