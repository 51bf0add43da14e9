"""Commands with ``--on``: their tasks run on the cluster, with the same output."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from solver.processes import InProcess, Preparation, _cluster

from .conftest import Solver


class Cluster:
    """Replaces a cluster of two cores: runs tasks in this process, and counts them."""

    def __init__(self) -> None:
        self.workers, self.tasks = 2, 0

    def stream(
        self,
        function: Callable[[Any], Any],
        tasks: Iterator[Any],
        lifetime: int,
        prepare: Preparation | None = None,
    ) -> Iterator[Any]:
        for result in InProcess().stream(function, tasks, lifetime, prepare):
            self.tasks += 1
            yield result


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Cluster:
    found = Cluster()

    @contextmanager
    def on_ray(address: str | None, jobs: int) -> Iterator[None]:
        assert (address, jobs) == ("head:6379", 1)
        token = _cluster.set(found)
        try:
            yield
        finally:
            _cluster.reset(token)

    monkeypatch.setattr("solver.cli.options.on_ray", on_ray)
    return found


FEW = " ".join(
    f"--fix {name}={value}"
    for name, value in {
        "sequential": "true",
        **dict.fromkeys(("unique", "prohibit_self", "prohibit_new_relation", "injective"), "false"),
        **dict.fromkeys(("entity_exponent", "entity_shape", "relation_exponent"), "1"),
    }.items()
)
"""Quick to calibrate."""
COMMANDS = {
    "verify": "verify {examples}/right.tsv --probes none --json",
    "verify questions": "verify --kind questions {examples}/questions/flawed.jsonl --rules {rules} "
    "--data {examples}/questions/graph --probes none --json",
    "generate eventhop": "generate eventhop --split test --test-size 12 --shape 4x5 --out {out}",
    "generate questions": "generate questions {examples}/questions/graph --out {out}",
    "mine": "mine {examples}/tkg --lengths 1,2 --out {out}.json",
    "apply": "apply {rules} --data {examples}/tkg --out {out}.txt",
    "calibrate": f"calibrate {{examples}}/tkg --trials 2 --check-seeds 0 {FEW} --out {{out}}",
}


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(command, marks=[pytest.mark.slow] if command == "calibrate" else [])
        for command in COMMANDS
    ],
)
def test_tasks_run_on_the_cluster(
    command: str, solver: Solver, cluster: Cluster, examples: Path, tmp_path: Path
) -> None:
    graph, rules = examples / "tkg", tmp_path / "rules.json"
    if "{rules}" in COMMANDS[command]:
        graph = examples / "questions" / "graph" if "questions" in command else graph
        assert solver("mine", graph, "--lengths", 1, "--out", rules).status == 0
    found = []
    for name, options in (("here", ()), ("there", ("--on", "ray", "--address", "head:6379"))):
        home = tmp_path / name
        home.mkdir()
        assert cluster.tasks == 0
        places = {"examples": examples, "rules": rules, "out": home / "out"}
        arguments = [word.format(**places) for word in COMMANDS[command].split()]
        ran = solver(*arguments, "--jobs", 1, *options)
        assert ran.status == (command == "verify questions"), ran.err
        report = ran.json if "--json" in arguments else {}
        report = {key: value for key, value in report.items() if "second" not in key}
        files = {
            str(path.relative_to(home)): path.read_bytes()
            for path in home.rglob("*")
            if path.is_file() and path.name != "journal.log"
        }
        found.append((files, report))
    assert cluster.tasks > 0
    assert found[0] == found[1]
