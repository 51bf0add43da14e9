"""Graphs and output folders that are named by URIs: the same output as with paths."""

from __future__ import annotations

from pathlib import Path
from tempfile import gettempdir

import pytest

from hopcheck import load_graph
from solver.io import sources

from .conftest import Solver

COMMANDS = {
    "verify": "verify {examples}/flawed.tsv --report {out}",
    "generate eventhop": "generate eventhop --split test --test-size 12 --shape 4x5 --out {out}",
    "generate shards": "generate eventhop --split test --test-size 12 --shape 4x5 --shard-size 5 "
    "--out {out}",
    "apply": "apply {rules} --data {examples}/tkg --out {ranks}",
    "generate questions": "generate questions {examples}/questions/graph --out {out}",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_uri_is_as_good_as_a_path(
    command: str, solver: Solver, examples: Path, tmp_path: Path
) -> None:
    rules = tmp_path / "rules.json"
    if command == "apply":
        assert solver("mine", (examples / "tkg").as_uri(), "--out", rules).status == 0
    found = []
    for name in ("here", "there"):
        out = tmp_path / name / "out"
        words = [
            word.format(examples=examples.as_uri(), out=out.as_uri(), rules=rules, ranks=out / "r")
            if name == "there" and not word.endswith("tsv")
            else word.format(examples=examples, out=out, rules=rules, ranks=out / "r")
            for word in COMMANDS[command].split()
        ]
        if command == "apply":
            out.mkdir(parents=True)
        ran = solver(*words)
        assert ran.status == (command == "verify"), ran.err
        if name == "there" and command != "apply":
            assert out.as_uri() in ran.out + ran.err
            assert f"{gettempdir()}/hopcheck-" not in ran.out + ran.err
        names = sorted(out.rglob("*"))
        found.append({path.relative_to(out): path.read_bytes() for path in names if path.is_file()})
    for timed in ("summary.json", "report.html"):
        assert found[0].pop(Path(timed), b"").count(b"\n") == found[1].pop(Path(timed), b"").count(
            b"\n"
        )
    assert found[0] == found[1] != {}


def test_each_process_reads_the_graph_of_questions(
    solver: Solver, examples: Path, tmp_path: Path
) -> None:
    questions, graph = examples / "questions" / "flawed.jsonl", examples / "questions" / "graph"
    rules = tmp_path / "rules.json"
    assert solver("mine", graph, "--out", rules).status == 0
    shared = ("--rules", rules, "--jobs", 1, "--json", "--probes", "none", "--data")
    options = ("--kind", "questions", questions, *shared)
    found = []
    for path in (graph, graph.as_uri()):
        ran = solver("verify", *options, path)
        assert ran.status == 1, ran.err
        found.append({key: value for key, value in ran.json.items() if "second" not in key})
    assert found[0] == found[1]
    assert load_graph(graph.as_uri()).vocabulary == load_graph(graph).vocabulary


def test_errors_in_a_graph_name_its_uri(solver: Solver, tmp_path: Path) -> None:
    graph = tmp_path / "graph"
    graph.mkdir()
    (graph / "train.txt").write_text("0\t0\t1\t0\n0\tx\t1\t0\n")
    ran = solver("mine", graph.as_uri(), "--out", tmp_path / "rules.json")
    assert ran.status == 2
    assert f"{graph.as_uri()}/train.txt:2" in ran.err
    ran = solver("mine", "file:///nowhere", "--out", tmp_path / "rules.json")
    assert ran.err == "error: file:///nowhere: no such file or folder\n"


def test_a_store_that_cannot_be_reached_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrow alone tries for 15 minutes; a limit of the user's counts."""
    pytest.importorskip("pyarrow.fs")
    asked: list[str] = []

    class Systems:
        @staticmethod
        def from_uri(uri: str) -> tuple[str, str]:
            asked.append(uri)
            return "system", "path"

    monkeypatch.setattr("pyarrow.fs.FileSystem", Systems)
    for uri in ("gs://b/x", "gcs://b/x?scheme=http", "gs://b/x?retry_limit_seconds=3", "s3://b/x"):
        sources.located(uri)
    assert asked == [
        "gs://b/x?retry_limit_seconds=10",
        "gcs://b/x?scheme=http&retry_limit_seconds=10",
        "gs://b/x?retry_limit_seconds=3",
        "s3://b/x",
    ]


def test_long_messages_of_stores_are_cut() -> None:
    assert sources.first_line("no way. Detail: [errno 2]\nmore") == "no way"
    assert sources.first_line("x" * 300) == "x" * 200 + " ..."
