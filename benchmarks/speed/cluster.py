"""Measures work on a Ray cluster of two nodes, and the memory of long runs.

    python -m benchmarks.speed.cluster bytes [FILE] [--verified N] [--generated N]
    python -m benchmarks.speed.cluster speed-up [FILE] [--items N]
    python -m benchmarks.speed.cluster memory [FILE] [--items N ...]

``bytes`` compares the output of one process with that of two nodes with one core each, of which one
is killed in the middle. ``speed-up`` measures wall time with one process, two processes and a
cluster of two cores; ``memory`` the peak of any process. FILE has items of the published format,
which are repeated. Extra ``ray``; the exit status is 1 if bytes differ or a process is left.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from benchmarks.speed.clock import machine
from benchmarks.speed.processes import write_repeated
from generators.eventhop.config import Config
from generators.eventhop.presets import Split
from generators.eventhop.run import generate
from solver.cli.printing import print_json
from solver.eventhop.engines import ItemSettings
from solver.eventhop.io import read_records
from solver.eventhop.verify import verify_shards
from solver.processes import on_ray

_ROOT = Path(__file__).resolve().parents[2]
_EXAMPLE = _ROOT / "examples" / "right.tsv"
_STORE = 100 * 2**20
_MARK = "HOPCHECK_CLUSTER"
_INTERVAL = 0.2
_START = 300
"""Seconds that a node of a cluster has to start, on a machine with other work too."""

_PATIENCE = 60
"""Seconds that the processes of a cluster have to end."""


@click.group()
def main() -> None:
    """Measure work on a Ray cluster, and the memory of long runs."""


_file = click.argument(
    "file", default=_EXAMPLE, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)


@main.command("bytes")
@_file
@click.option("--verified", type=click.IntRange(0), default=500_000, show_default=True)
@click.option("--generated", type=click.IntRange(0), default=200_000, show_default=True)
def compare_bytes(file: Path, verified: int, generated: int) -> None:
    """Compare the output of one process with that of a cluster which loses a node."""
    os.environ[_MARK] = str(os.getpid())
    os.environ.setdefault("RAY_raylet_start_wait_time_s", str(_START))
    figures: dict[str, Any] = {"machine": machine()}
    with TemporaryDirectory() as folder:
        home = Path(folder)
        works: dict[str, tuple[int, Callable[[str, Callable[[int], object]], str]]] = {
            "verified": (verified, lambda _, done: _verified(file, verified, done)),
            "generated": (generated, lambda name, done: _generated(home / name, generated, done)),
        }
        for name, (items, work) in works.items():
            if items:
                figures[name] = _compared(items, work)
    deadline = time.monotonic() + _PATIENCE
    while (left := _marked()) and time.monotonic() < deadline:
        time.sleep(_INTERVAL)
    figures["processes left"] = len(left)
    print_json(figures)
    same = all(one["same"] for one in figures.values() if isinstance(one, dict) and "same" in one)
    sys.exit(0 if same and not figures["processes left"] else 1)


def _compared(items: int, work: Callable[[str, Callable[[int], object]], str]) -> dict[str, object]:
    begun = time.perf_counter()
    alone = work("alone", lambda _: None)
    between = time.perf_counter()
    with _two_nodes() as (address, kill), on_ray(address, 1):
        done, killed = 0, False

        def advance(number: int) -> None:
            nonlocal done, killed
            done += number
            if not killed and 2 * done >= items:
                killed = True
                kill()

        other = work("cluster", advance)
    return {
        "items": items,
        "same": alone == other,
        "node killed": killed,
        "seconds": {
            "one process": round(between - begun, 1),
            "cluster, one node killed in the middle": round(time.perf_counter() - between, 1),
        },
    }


@contextmanager
def _two_nodes() -> Iterator[tuple[str, Callable[[], None]]]:
    """The address of a cluster of two nodes with one core each, and what kills the second."""
    from ray.cluster_utils import Cluster

    size = {"num_cpus": 1, "object_store_memory": _STORE}
    nodes = Cluster(initialize_head=True, head_node_args=size | {"include_dashboard": False})
    second = nodes.add_node(**size)
    try:
        yield nodes.address, lambda: nodes.remove_node(second, allow_graceful=False)
    finally:
        nodes.shutdown()


def _verified(file: Path, items: int, done: Callable[[int], object]) -> str:
    """The digest of the lines of that many items."""
    digest = hashlib.sha256()
    records = islice(cycle(list(read_records(file))), items)
    for shard in verify_shards(records, ItemSettings(), lines=True):
        digest.update(shard.lines)
        done(shard.lines.count(b"\n"))
    return digest.hexdigest()


def _generated(folder: Path, items: int, done: Callable[[int], object]) -> str:
    """The digest of the files of a data set."""
    generate(Config(sizes={Split.TEST: items}), folder, progress=done)
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        digest.update(path.name.encode())
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


@main.command("speed-up")
@_file
@click.option("--items", type=click.IntRange(1), default=100_000, show_default=True)
def speed_up(file: Path, items: int) -> None:
    """Measure wall time with one process, two processes and a cluster of two cores."""
    ways = {
        "one process": (),
        "two processes": ("--jobs", "2"),
        "cluster": ("--jobs", "2", "--on", "ray"),
    }
    with TemporaryDirectory() as folder:
        path = Path(folder) / "long.tsv"
        write_repeated(file, path, items)
        runs = {name: _watched(path, *options) for name, options in ways.items()}
    alone = runs["one process"].seconds
    print_json(
        {
            "machine": machine(),
            "items": items,
            "seconds": {name: round(run.seconds, 1) for name, run in runs.items()},
            "speed-up": {name: round(alone / run.seconds, 2) for name, run in runs.items()},
        }
    )


@main.command()
@_file
@click.option(
    "--items",
    type=click.IntRange(1),
    multiple=True,
    default=(200_000, 1_000_000),
    show_default=True,
)
def memory(file: Path, items: tuple[int, ...]) -> None:
    """Measure the peak memory of any process of long runs, and of the main one."""
    found = {}
    for number in items:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "long.tsv"
            write_repeated(file, path, number)
            run = _watched(path)
        found[str(number)] = {
            "seconds": round(run.seconds, 1),
            "mebibytes, any process": round(run.highest),
            "mebibytes, main process": round(run.main),
        }
    print_json({"machine": machine(), "runs": found})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """Wall seconds of a command, and peaks in MiB of its processes: of any, and of the first."""

    seconds: float
    highest: float
    main: float


def _watched(path: Path, *options: str) -> _Run:
    """Run ``verify`` on a file, and watch its processes.

    Raises:
        ClickException: it fails.
    """
    arguments = ("-m", "solver", "verify", str(path), "--json", "--probes", "none", *options)
    begun = time.perf_counter()
    mark = f"{os.getpid()}-{begun}"
    with subprocess.Popen(
        [sys.executable, *arguments],
        cwd=_ROOT,
        env=os.environ | {_MARK: mark, "PYTHONPATH": str(_ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        highest = main = 0.0
        while process.poll() is None:
            main = max(main, _peak(process.pid))
            highest = max(highest, main, *map(_peak, _marked(mark)))
            time.sleep(_INTERVAL)
        seconds = time.perf_counter() - begun
        if process.returncode not in (0, 1):
            assert process.stderr is not None
            raise click.ClickException(process.stderr.read().decode())
    return _Run(seconds=seconds, highest=highest, main=main)


def _marked(mark: str | None = None) -> list[int]:
    """Other processes that inherited a mark in their environment, by default that of this one."""
    wanted = f"{_MARK}={mark or os.environ[_MARK]}\0".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if int(process.name) != os.getpid() and wanted in (process / "environ").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return found


def _peak(process: int) -> float:
    """The peak memory of a process in MiB, 0 if it has ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return max(
        (int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), default=0
    )


if __name__ == "__main__":
    main()
