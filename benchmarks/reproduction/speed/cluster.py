"""Measures work on a Ray cluster of two nodes, and the memory of long runs.

    python -m benchmarks.reproduction.speed.cluster bytes [FILE] [--verified N] [--generated N]
    python -m benchmarks.reproduction.speed.cluster speed-up [FILE] [--items N] [--rounds N]
    python -m benchmarks.reproduction.speed.cluster memory [FILE] [--items N ...] [--make N]

``bytes`` compares the output of one process with that of two nodes with one core each, of which one
is killed in the middle. ``speed-up`` measures wall time in rounds: with one process, two processes,
a cluster of two cores and one that ran before, and with two whole runs at the same time: they share
nothing but the machine, so that no division of the work should do better. ``memory`` measures the
peak of any process. FILE has items of the published format, which are repeated; ``--make``
generates distinct ones. Small sizes estimate the minutes of the default ones. With ``--work DIR``,
what is finished is kept there: the same command with the same code resumes. ``--write`` adds the
figures to ``benchmarks/results/cluster.json``. Extra ``ray``; the exit status is 1 if bytes differ
or a process is left.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import click
import msgspec

from benchmarks.reproduction import RESULTS, ROOT
from benchmarks.reproduction.speed.clock import machine, write_results
from benchmarks.reproduction.speed.processes import write_repeated
from generators.eventhop.config import Config, Split
from generators.eventhop.run import generate
from solver.cli.printing import print_json
from solver.eventhop.engines import ItemSettings
from solver.eventhop.io import read_records
from solver.eventhop.shards import SHARD, verify_shards
from solver.io.json_lines import read_document
from solver.io.sources import MANIFEST
from solver.io.writing import line, make_folder, write_json
from solver.manifest import versions
from solver.processes import on_ray

_EXAMPLE = ROOT / "examples" / "right.tsv"
_STORE = 100 * 2**20
_MARK = "HOPCHECK_CLUSTER"
_INTERVAL = 0.2
_NAME = "cluster"
_VERIFIED, _GENERATED, _MEASURED = 500_000, 200_000, 100_000
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


_work = click.option(
    "--work",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of finished parts, to resume from.",
)
_write = click.option(
    "--write", is_flag=True, help=f"Add the figures to benchmarks/results/{_NAME}.json."
)


@main.command("bytes")
@_file
@click.option("--verified", type=click.IntRange(0), default=_VERIFIED, show_default=True)
@click.option("--generated", type=click.IntRange(0), default=_GENERATED, show_default=True)
@_work
@_write
def compare_bytes(
    file: Path, verified: int, generated: int, work: Path | None, *, write: bool
) -> None:
    """Compare the output of one process with that of a cluster which loses a node."""
    os.environ[_MARK] = str(os.getpid())
    os.environ.setdefault("RAY_raylet_start_wait_time_s", str(_START))
    # The nodes of a cluster end with this process only if it ends in order.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    figures: dict[str, Any] = {"machine": machine()}
    with TemporaryDirectory() if work is None else nullcontext(work) as folder:
        kept = Kept(Path(folder), file)
        works: dict[str, tuple[int, int, Work]] = {
            "verified": (verified, _VERIFIED, partial(verified_digest, file)),
            "generated": (generated, _GENERATED, generated_digest),
        }
        for name, (items, full, digest) in works.items():
            if items:
                figures[name] = _compared(name, items, full, digest, kept)
    deadline = time.monotonic() + _PATIENCE
    while (left := _left()) and time.monotonic() < deadline:
        time.sleep(_INTERVAL)
    figures["processes left"] = len(left)
    _print("bytes", figures, write=write)
    same = all(
        figure["same"]
        for figure in figures.values()
        if isinstance(figure, dict) and "same" in figure
    )
    sys.exit(0 if same and not figures["processes left"] else 1)


def _print(name: str, figures: dict[str, Any], *, write: bool) -> None:
    """Print the figures of a command, and add them to the results."""
    print_json(figures)
    if write:
        path = RESULTS / f"{_NAME}.json"
        known = read_document(path, dict[str, Any], "result") if path.exists() else {}
        write_results(_NAME, known | {name: figures})


def _minutes(seconds: float, items: int, full: int) -> dict[str, float]:
    """The minutes that the full size takes, from those of some items."""
    return {f"minutes for {full:,} items": round(seconds * full / items / 60, 1)}


class State(msgspec.Struct):
    """How far a piece of work has come.

    Attributes:
        done: items.
        digest: of the output so far.
        finished: whether that is the whole output.
        killed: whether a node was killed.
        seconds: wall time.
    """

    done: int = 0
    digest: str = ""
    finished: bool = False
    killed: bool = False
    seconds: float = 0.0


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """Wall seconds of a command, and peaks in MiB of its processes: of any, and of the first."""

    seconds: float
    highest: float
    main: float


class Kept:
    """States of pieces of work in a folder, for one version of the code and one file."""

    def __init__(self, folder: Path, file: Path) -> None:
        self.folder = folder / code_digest(file)[:16]
        make_folder(self.folder)

    def state(self, name: str) -> State:
        """The state of a piece of work."""
        path = self.folder / f"{name}.json"
        return read_document(path, State, "state") if path.exists() else State()

    def write(self, name: str, state: State | Run) -> None:
        """Keep a state."""
        write_json(self.folder / f"{name}.json", state)

    def run(self, name: str, measure: Callable[[], Run]) -> Run:
        """A finished run, which is measured if it is not kept."""
        path = self.folder / f"{name}.json"
        if not path.exists():
            self.write(name, measure())
        return read_document(path, Run, "run")


def code_digest(file: Path) -> str:
    """The digest of a file and of all that decides what is made of it: code and versions."""
    digest = hashlib.sha256(line(versions()))
    with file.open("rb") as source:
        digest.update(hashlib.file_digest(source, "sha256").digest())
    for package in ("encodings", "grammar", "solver", "generators"):
        for path in sorted((ROOT / package).rglob("*.*")):
            if path.suffix in (".lp", ".smt2", ".lark", ".py", ".json"):
                digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


Work: TypeAlias = Callable[[int, State, Path, Callable[[], object]], None]
"""Brings a state to its end, in a folder of its own; calls what it is given after each step."""


def _compared(name: str, items: int, full: int, work: Work, kept: Kept) -> dict[str, object]:
    alone = _finished(f"{name}-{items}-alone", items, work, kept)
    other = kept.state(cluster := f"{name}-{items}-cluster")
    if not other.finished:
        with _two_nodes() as (address, kill), on_ray(address, 1):
            other = _finished(cluster, items, work, kept, kill)
    return {
        "items": items,
        "same": alone.digest == other.digest,
        "node killed": other.killed,
        "seconds": {
            "one process": round(alone.seconds, 1),
            "cluster, one node killed in the middle": round(other.seconds, 1),
        },
        **_minutes(alone.seconds + other.seconds, items, full),
    }


def _finished(
    name: str, items: int, work: Work, kept: Kept, kill: Callable[[], None] | None = None
) -> State:
    """The final state of a piece of work, for which a node is killed in the middle."""
    state = kept.state(name)
    if state.finished:
        return state
    before, begun = state.seconds, time.perf_counter()

    def step() -> None:
        if kill is not None and not state.killed and 2 * state.done >= items:
            state.killed = True
            kill()
        state.seconds = before + time.perf_counter() - begun
        kept.write(name, state)

    work(items, state, kept.folder / name, step)
    state.finished = True
    step()
    return state


@contextmanager
def _two_nodes() -> Iterator[tuple[str, Callable[[], None]]]:
    """The address of a cluster of two nodes with one core each, and what kills the second."""
    with _cluster(1) as nodes:
        second = nodes.add_node(num_cpus=1, object_store_memory=_STORE)
        yield nodes.address, lambda: nodes.remove_node(second, allow_graceful=False)


@contextmanager
def _cluster(cores: int) -> Iterator[Any]:
    """A cluster of one node."""
    from ray.cluster_utils import Cluster

    size = {"num_cpus": cores, "object_store_memory": _STORE}
    nodes = Cluster(initialize_head=True, head_node_args=size | {"include_dashboard": False})
    try:
        yield nodes
    finally:
        nodes.shutdown()


_SHARDS = 20
"""Shards between two states of verification."""


def verified_digest(
    file: Path, items: int, state: State, folder: Path, step: Callable[[], object]
) -> None:
    """The digest of the lines of that many items, as a chain, which can be continued."""
    del folder
    records = islice(cycle(list(read_records(file))), items)
    results = verify_shards(records, ItemSettings(), lines=True, skip=-(-state.done // SHARD))
    with closing(results):
        while block := list(islice(results, _SHARDS)):
            for result in block:
                chained = state.digest.encode() + result.lines
                state.digest = hashlib.sha256(chained).hexdigest()
                state.done += result.tally.items
            step()


def generated_digest(items: int, state: State, folder: Path, step: Callable[[], object]) -> None:
    """The digest of the files of a data set, which resumes from its last shard."""
    state.done = 0

    def advance(number: int) -> None:
        state.done += number
        step()

    generate(Config(sizes={Split.TEST: items}), folder, progress=advance)
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        digest.update(path.name.encode())
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    state.digest = digest.hexdigest()
    shutil.rmtree(folder)


@main.command("speed-up")
@_file
@click.option("--items", type=click.IntRange(1), default=_MEASURED, show_default=True)
@click.option("--rounds", type=click.IntRange(1), default=1, show_default=True)
@_work
@_write
def speed_up(file: Path, items: int, rounds: int, work: Path | None, *, write: bool) -> None:
    """Measure wall time with one process, two processes and a cluster of two cores."""
    ways: dict[str, Callable[[Path], Run]] = {
        "one process": _watched,
        "two processes": lambda path: _watched(path, "--jobs", "2"),
        _TWICE: _watched_twice,
        "cluster": lambda path: _watched(path, "--jobs", "2", "--on", "ray"),
        "running cluster": _watched_on_running_cluster,
    }
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    with TemporaryDirectory() as folder:
        kept, path = Kept(Path(work or folder), file), Path(folder) / "long.tsv"
        write_repeated(file, path, items)
        for number in range(rounds):
            for name, way in ways.items():
                measure = partial(way, path)
                run = kept.run(f"{items}-{number}-{name.replace(' ', '-')}", measure)
                seconds[name].append(run.seconds)
    work_done = dict.fromkeys(ways, 1) | {_TWICE: 2}
    figures = {
        "machine": machine(),
        "items": items,
        "seconds": {name: [round(value, 1) for value in taken] for name, taken in seconds.items()},
        "speed-up": {
            name: [
                round(work_done[name] * alone / value, 2)
                for alone, value in zip(seconds["one process"], taken, strict=True)
            ]
            for name, taken in seconds.items()
        },
        "speed-up of the medians": {
            name: round(work_done[name] * median(seconds["one process"]) / median(taken), 2)
            for name, taken in seconds.items()
        },
        **_minutes(sum(map(sum, seconds.values())), items, _MEASURED),
    }
    _print("speed-up", figures, write=write)


_TWICE = "two runs at the same time"


def _watched_twice(path: Path) -> Run:
    """Run ``verify`` twice at the same time; the result is that of the slower run."""
    with ThreadPoolExecutor(2) as threads:
        return max(threads.map(_watched, (path, path)), key=lambda run: run.seconds)


def _watched_on_running_cluster(path: Path) -> Run:
    """Run ``verify`` on a cluster of two cores that was started before."""
    with _cluster(2) as nodes:
        return _watched(path, "--on", "ray", "--address", nodes.address)


@main.command()
@click.argument(
    "file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option(
    "--items",
    type=click.IntRange(1),
    multiple=True,
    default=(200_000, 1_000_000),
    show_default=True,
)
@click.option("--make", type=click.IntRange(1), help="Number of distinct items to generate.")
@_work
@_write
def memory(
    file: Path | None, items: tuple[int, ...], make: int | None, work: Path | None, *, write: bool
) -> None:
    """Measure the peak memory of any process of long runs, and of the main one."""
    if make is not None:
        if file is not None or work is None:
            raise click.UsageError("--make takes --work, and no FILE")
        file = _made(make, work)
    file = file or _EXAMPLE
    found = {}
    with TemporaryDirectory() as folder:
        kept, path = Kept(Path(work or folder), file), Path(folder) / "long.tsv"
        for number in items:
            run = kept.run(f"memory-{number}", partial(_repeated, file, path, number))
            found[str(number)] = {
                "seconds": round(run.seconds, 1),
                "mebibytes, any process": round(run.highest),
                "mebibytes, main process": round(run.main),
            }
    figures = {"machine": machine(), "distinct": make, "runs": found}
    _print("memory", figures, write=write)


def _repeated(file: Path, path: Path, items: int) -> Run:
    """Run ``verify`` on a file of repeated items."""
    write_repeated(file, path, items)
    return _watched(path)


def _made(items: int, work: Path) -> Path:
    """A file of distinct items; an interrupted run resumes from its last shard.

    Raises:
        ClickException: they cannot be generated.
    """
    folder = work / f"{items}-{code_digest(_EXAMPLE)[:16]}"
    file = folder / "test.jsonl"
    if not (folder / MANIFEST).exists():
        options = f"--split test --test-size {items} --jobs 2 --out".split()
        done = subprocess.run(
            [sys.executable, "-m", "solver", "generate", "eventhop", *options, folder.absolute()],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
        if done.returncode:
            raise click.ClickException(done.stderr.decode().strip())
    return file


def _watched(path: Path, *options: str) -> Run:
    """Run ``verify`` on a file, and watch its processes.

    Raises:
        ClickException: it fails.
    """
    arguments = ("-m", "solver", "verify", str(path), "--json", "--probes", "none", *options)
    begun = time.perf_counter()
    mark = f"{os.getpid()}-{begun}"
    with subprocess.Popen(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=os.environ | {_MARK: mark, "PYTHONPATH": str(ROOT)},
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
    return Run(seconds=seconds, highest=highest, main=main)


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


def _left() -> list[int]:
    """The marked processes, but for those that end with this one."""
    return [process for process in _marked() if not _serves_workers(process)]


_SERVERS = (b"multiprocessing.resource_tracker", b"multiprocessing.forkserver")


def _serves_workers(process: int) -> bool:
    """Whether it is what Python starts with its first worker process and ends when it exits."""
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes()
        # What follows the name, which may contain anything: state, parent.
        status = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return any(server in words for server in _SERVERS) and int(status[1]) == os.getpid()


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
