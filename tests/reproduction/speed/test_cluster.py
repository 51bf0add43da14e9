"""Work on a cluster of two nodes, of which one is killed, and the memory of processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import nullcontext
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks.reproduction.speed.cluster import (
    Kept,
    Run,
    State,
    generated_digest,
    main,
    verified_digest,
)

ALONE: tuple[str, ...] = ()
TWO, RAY = ("--jobs", "2"), ("--jobs", "2", "--on", "ray")
RUNNING = ("--on", "ray", "--address", "head:1")
SECONDS = {ALONE: 8.0, TWO: 5.0, RAY: 6.4, RUNNING: 4.0}
SPEED = "benchmarks.reproduction.speed"
EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "right.tsv"


def measured(*arguments: str) -> dict[str, Any]:
    done = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_memory_is_that_of_every_process() -> None:
    run = measured("memory", "--items", "30")["runs"]["30"]
    assert 20 < run["mebibytes, main process"] <= run["mebibytes, any process"] < 500


def test_speed_ups_are_measured_once_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[tuple[str, ...]] = []

    def watched(path: Path, *options: str) -> Run:
        assert path.read_bytes().count(b"\n") == 30
        if len(ran) == 10:
            ran.append(())
            raise InterruptedRunError
        ran.append(options)
        return Run(seconds=SECONDS[options], highest=1, main=1)

    monkeypatch.setattr(f"{SPEED}.cluster._watched", watched)
    cluster = SimpleNamespace(address="head:1")
    monkeypatch.setattr(f"{SPEED}.cluster._cluster", lambda _: nullcontext(cluster))
    for module in ("clock", "cluster"):
        monkeypatch.setattr(f"{SPEED}.{module}.RESULTS", tmp_path)
    (tmp_path / "cluster.json").write_text('{"memory": {}}')
    options = ["speed-up", "--items", "30", "--rounds", "2", "--write", "--work"]
    with pytest.raises(InterruptedRunError):
        measured(*options, str(tmp_path / "work"))
    found = measured(*options, str(tmp_path / "work"))
    # The first round, with two runs at the same time, and three more ways are kept; the cluster of
    # the second round was interrupted.
    kept = [ALONE, TWO, ALONE, ALONE, RAY, RUNNING]
    assert ran == [*kept, ALONE, TWO, ALONE, ALONE, ALONE, RAY, RUNNING]
    assert found["seconds"] == {
        "one process": [8, 8],
        "two processes": [5, 5],
        "two runs at the same time": [8, 8],
        "cluster": [6.4, 6.4],
        "running cluster": [4, 4],
    }
    assert found["speed-up"] == {
        "one process": [1, 1],
        "two processes": [1.6, 1.6],
        "two runs at the same time": [2, 2],
        "cluster": [1.25, 1.25],
        "running cluster": [2, 2],
    }
    assert found["minutes for 100,000 items"] == round(2 * 31.4 * 100_000 / 30 / 60, 1)
    written = json.loads((tmp_path / "cluster.json").read_bytes())
    assert written == {"memory": {}, "speed-up": found}


class InterruptedRunError(Exception):
    """Ends a run in the middle."""


@pytest.mark.parametrize("name", ["verified", "generated"])
def test_an_interrupted_comparison_resumes(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.eventhop.shards.SHARD", 16)
    monkeypatch.setattr("benchmarks.reproduction.speed.cluster.SHARD", 16)
    monkeypatch.setattr("benchmarks.reproduction.speed.cluster._SHARDS", 1)
    monkeypatch.setattr("generators.eventhop.shards.ITEMS", 36)
    items = 72
    work = {"verified": partial(verified_digest, EXAMPLE), "generated": generated_digest}[name]
    whole, state, steps = State(), State(), []
    work(items, whole, tmp_path / "whole", lambda: steps.append(whole.done))
    assert len(steps) > 1

    def interrupt() -> None:
        if state.done == steps[0]:
            raise InterruptedRunError

    with pytest.raises(InterruptedRunError):
        work(items, state, tmp_path / "part", interrupt)
    kept = Kept(tmp_path, EXAMPLE)
    kept.write(name, state)
    state, again = Kept(tmp_path, EXAMPLE).state(name), []
    assert state.done == steps[0]
    assert state.digest != whole.digest
    work(items, state, tmp_path / "part", lambda: again.append(state.done))
    assert state == whole
    assert again == steps[name == "verified" :]


def test_memory_of_distinct_items(tmp_path: Path) -> None:
    options = ("--items", "30", "--make", "45", "--work", str(tmp_path))
    found = measured("memory", *options)
    assert measured("memory", *options) == found
    (folder,) = tmp_path.glob("45-*")
    (folder / "test.jsonl").unlink()
    done = CliRunner().invoke(main, ("memory", *options))
    assert "no such file" in str(done.exception).lower()


LEFT = """
import operator, subprocess, sys, time
from subprocess import PIPE
from benchmarks.reproduction.speed.cluster import _left, _marked
from solver.processes import Processes
if __name__ == "__main__":
    assert list(Processes(1).stream(operator.neg, iter([1]), 9, int)) == [-1]
    # The environment of a process that was just started is not there yet.
    while _left() or len(_marked()) != 1 + sys.platform.startswith("linux"):
        time.sleep(0.05)
    program = [sys.executable, "-c", "print(); input()"]
    with subprocess.Popen(program, stdin=PIPE, stdout=PIPE) as process:
        process.stdout.readline()
        assert _left() == [process.pid]
        process.kill()
"""


def test_what_ends_with_this_process_is_not_left() -> None:
    """Python starts one or two processes with the first worker, and ends them last."""
    subprocess.run(
        [sys.executable, "-c", LEFT],
        cwd=EXAMPLE.parents[1],
        env=os.environ | {"HOPCHECK_CLUSTER": f"test-{os.getpid()}"},
        timeout=600,
        check=True,
    )


@pytest.mark.slow
def test_a_killed_node_changes_no_byte(tmp_path: Path) -> None:
    if find_spec("ray") is None:
        pytest.skip("ray is not installed (make ray)")
    options = ("--verified", "3000", "--generated", "600", "--work", str(tmp_path))
    found = measured("bytes", *options)
    assert found["verified"]["same"]
    assert found["generated"]["same"]
    assert found["verified"]["node killed"]
    assert measured("bytes", *options) == found
