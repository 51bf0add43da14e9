"""Tasks on a Ray cluster of two nodes with one core each: the same results as in one process."""

from __future__ import annotations

import operator
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Any

import pytest

import solver
from generators.eventhop.config import Config, Shape, Split
from generators.eventhop.run import generate, generate_sharded
from grammar.errors import HopcheckError
from solver.cli import run
from solver.eventhop.engines import ItemSettings
from solver.eventhop.io import read_records
from solver.eventhop.shards import verify_shards
from solver.io import ranges
from solver.io.remote import Folder
from solver.probes.probe import ProbeLevel
from solver.processes import ClusterError, WorkerDiedError, on_ray, parallel_map, parallel_stream
from solver.verification.run import verify

ROOT = Path(__file__).resolve().parents[2]
HOME = Path(solver.__file__).parents[1 + solver.__name__.count(".")]
EXAMPLE = ROOT / "examples" / "right.tsv"
PID = "__import__('os').getpid()"
KILL = "__import__('os').kill(__import__('os').getpid(), 9)"
SLOW = "__import__('time').sleep(.2)"
_ERROR = f"__import__('importlib').import_module('{HopcheckError.__module__}').HopcheckError"
BROKEN = f"(_ for _ in ()).throw({_ERROR}('found x'))"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes; without Ray the tests are skipped, or fail with ``HOPCHECK_REQUIRE_RAY=1``."""
    if find_spec("ray") is None:
        if os.environ.get("HOPCHECK_REQUIRE_RAY") == "1":
            pytest.fail("ray is not installed (make ray)")
        pytest.skip("ray is not installed (make ray)")
    from ray.cluster_utils import Cluster

    size = {"num_cpus": 1, "object_store_memory": 100 * 2**20, "include_dashboard": False}
    nodes = Cluster(initialize_head=True, head_node_args=size)
    nodes.add_node(num_cpus=1, object_store_memory=100 * 2**20)
    yield nodes
    nodes.shutdown()


@pytest.fixture
def connected(cluster: Any) -> Iterator[Any]:
    with on_ray(cluster.address, 1):
        yield cluster


def test_results_keep_the_order_of_their_tasks(connected: Any) -> None:
    assert connected is not None
    found = list(parallel_stream(operator.neg, range(40), 1, lifetime=9))
    assert found == [-number for number in range(40)]
    assert list(parallel_map(operator.neg, range(40), 1)) == found
    processes = set(parallel_stream(eval, [PID] * 20, 1, lifetime=100))
    assert os.getpid() not in processes


def test_workers_read_a_file_named_by_a_uri(
    connected: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert connected is not None
    monkeypatch.setattr(ranges, "PART", 100_000)
    path = tmp_path / "items.tsv"
    path.write_bytes(EXAMPLE.read_bytes() * 60 + b"broken\n" + EXAMPLE.read_bytes())
    for name, source in (("workers", path.as_uri()), ("driver", path)):
        verify(source, "eventhop", folder=tmp_path / name, probes=ProbeLevel.NONE)
    lines = [(tmp_path / name / "items.jsonl").read_text() for name in ("workers", "driver")]
    assert lines[0].replace("file://", "") == lines[1]


def test_errors_are_those_of_one_machine(connected: Any) -> None:
    assert connected is not None
    with pytest.raises(HopcheckError, match=r"^found x$"):
        list(parallel_stream(eval, ["1", BROKEN], 1, lifetime=9))
    with pytest.raises(ZeroDivisionError):
        list(parallel_stream(eval, ["1", "1/0"], 1, lifetime=9))

    def tasks() -> Iterator[int]:
        yield from range(5)
        raise HopcheckError("found an end")

    results = parallel_stream(operator.neg, tasks(), 1, lifetime=9)
    assert [next(results) for _ in range(5)] == [0, -1, -2, -3, -4]
    with pytest.raises(HopcheckError, match="found an end"):
        next(results)


def lines(items: int) -> bytes:
    """The lines of that many items."""
    records = islice(chain.from_iterable(map(read_records, repeat(EXAMPLE))), items)
    shards = verify_shards(records, ItemSettings(), lines=True)
    return b"".join(shard.lines for shard in shards)


def test_five_thousand_items_are_verified_alike(cluster: Any) -> None:
    alone = lines(5_000)
    with on_ray(cluster.address, 1):
        assert lines(5_000) == alone
    assert alone.count(b"\n") == 5_000


def test_two_thousand_items_are_generated_alike(cluster: Any, tmp_path: Path) -> None:
    config = Config(sizes={Split.TEST: 2_000}, shapes=(Shape(events=4, relations=5),))
    generate(config, tmp_path / "alone")
    with on_ray(cluster.address, 1):
        generate(config, tmp_path / "cluster")
    alone, other = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        for name in ("alone", "cluster")
    )
    assert alone == other
    assert alone


def test_workers_write_and_read_shards_at_a_uri(cluster: Any, tmp_path: Path) -> None:
    config = Config(sizes={Split.TEST: 200}, shapes=(Shape(events=4, relations=5),))
    alone, there = tmp_path / "alone", tmp_path / "cluster"
    generate_sharded(config, Folder(str(alone)), 60)
    written: list[int] = []
    with on_ray(cluster.address, 1):
        generate_sharded(config, Folder(there.as_uri()), 60, progress=written.append)
        report = verify(there.as_uri(), probes=ProbeLevel.NONE)
    assert written == [60, 60, 60, 20]
    found, expected = (
        {path.name: path.read_bytes() for path in folder.iterdir()} for folder in (there, alone)
    )
    assert found == expected
    assert report.rows == 200
    assert not report.findings
    assert report.metrics["datasets"] == [there.as_uri()]


def test_questions_are_generated_alike(cluster: Any, tmp_path: Path) -> None:
    graph = ROOT / "examples" / "questions" / "graph"
    command = ["generate", "questions", str(graph), "--format", "jsonl", "--out"]
    assert run([*command, str(tmp_path / "alone")]) == 0
    on = ["--on", "ray", "--address", cluster.address]
    assert run([*command, str(tmp_path / "cluster"), *on]) == 0
    alone, other = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        for name in ("alone", "cluster")
    )
    assert alone == other
    assert "test.jsonl" in alone


def test_a_lost_node_changes_nothing(cluster: Any) -> None:
    lost = cluster.add_node(num_cpus=1, object_store_memory=100 * 2**20)
    with on_ray(cluster.address, 1):
        results = parallel_stream(eval, [f"({SLOW}, {n})[1]" for n in range(60)], 1, lifetime=99)
        found = [next(results) for _ in range(10)]
        cluster.remove_node(lost, allow_graceful=False)
        assert [*found, *results] == list(range(60))


def test_a_task_that_kills_its_worker_ends_in_one_error(connected: Any) -> None:
    assert connected is not None
    with pytest.raises(WorkerDiedError, match="a task was lost on the cluster"):
        list(parallel_stream(eval, [PID, KILL], 1, lifetime=9))


def test_no_cluster_is_an_error_at_once(cluster: Any) -> None:
    assert cluster is not None
    with pytest.raises(ClusterError, match=r"no Ray cluster at 127\.0\.0\.1:1: "):
        on_ray("127.0.0.1:1", 1).__enter__()


def test_no_process_is_left(cluster: Any, tmp_path: Path) -> None:
    """A killed command ends the cluster that it started."""
    assert cluster is not None
    slow = tmp_path / "long.tsv"
    slow.write_bytes(EXAMPLE.read_bytes() * 3_000)
    marker = f"HOPCHECK_TEST={tmp_path.name}"
    words = [sys.executable, "-m", "solver", "verify", str(slow), "--on", "ray", "--jobs", "1"]
    name, _, value = marker.partition("=")
    environment = os.environ | {name: value, "PYTHONPATH": str(HOME)}
    with subprocess.Popen(
        [*words, "--probes", "none"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as command:
        until(lambda: len(running(marker)) > 3)
        command.send_signal(signal.SIGKILL)
    until(lambda: not running(marker))


def running(marker: str) -> list[str]:
    """Processes with a variable of the environment, but zombies."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if marker.encode() in (process / "environ").read_bytes():
                found.append(process.name)
        except OSError:
            continue
    return found


def until(done: Any) -> None:
    deadline = time.monotonic() + 600
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.2)
