"""Measures work on a Ray cluster of two nodes, and the memory of long runs.

    python -m benchmarks.speed.cluster bytes [FILE] [--verified N] [--generated N] [--work DIR]
    python -m benchmarks.speed.cluster speed-up [FILE] [--items N]
    python -m benchmarks.speed.cluster memory [FILE] [--items N ...] [--make N --work DIR]

``bytes`` compares the output of one process with that of two nodes with one core each, of which one
is killed in the middle. ``speed-up`` measures wall time with one process, two processes and a
cluster of two cores; ``memory`` the peak of any process. FILE has items of the published format,
which are repeated; ``--make`` generates distinct ones. What is finished is kept in ``--work``: the
same command with the same code resumes there. Extra ``ray``; the exit status is 1 if bytes differ
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
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import click
import msgspec

from benchmarks.speed.clock import machine
from benchmarks.speed.processes import write_repeated
from generators.eventhop.config import Config
from generators.eventhop.presets import Split
from generators.eventhop.run import generate
from solver.cli.printing import print_json
from solver.eventhop.engines import ItemSettings
from solver.eventhop.io import read_records
from solver.eventhop.verify import SHARD, verify_shards
from solver.io.json_lines import read_document
from solver.io.sources import MANIFEST
from solver.io.writing import line, make_folder, write_json
from solver.manifest import versions
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


_work = click.option(
    "--work",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of finished parts, to resume from.",
)


@main.command("bytes")
@_file
@click.option("--verified", type=click.IntRange(0), default=500_000, show_default=True)
@click.option("--generated", type=click.IntRange(0), default=200_000, show_default=True)
@_work
def compare_bytes(file: Path, verified: int, generated: int, work: Path | None) -> None:
    """Compare the output of one process with that of a cluster which loses a node."""
    os.environ[_MARK] = str(os.getpid())
    os.environ.setdefault("RAY_raylet_start_wait_time_s", str(_START))
    # The nodes of a cluster end with this process only if it ends in order.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    figures: dict[str, Any] = {"machine": machine()}
    with TemporaryDirectory() if work is None else nullcontext(work) as folder:
        kept = Kept(Path(folder), file)
        works: dict[str, tuple[int, Work]] = {
            "verified": (verified, partial(verified_digest, file)),
            "generated": (generated, generated_digest),
        }
        for name, (items, digest) in works.items():
            if items:
                figures[name] = _compared(name, items, digest, kept)
    deadline = time.monotonic() + _PATIENCE
    while (left := _marked()) and time.monotonic() < deadline:
        time.sleep(_INTERVAL)
    figures["processes left"] = len(left)
    print_json(figures)
    same = all(one["same"] for one in figures.values() if isinstance(one, dict) and "same" in one)
    sys.exit(0 if same and not figures["processes left"] else 1)


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


class Kept:
    """States of pieces of work in a folder, for one version of the code and one file."""

    def __init__(self, folder: Path, file: Path) -> None:
        self.folder = folder / code_digest(file)[:16]
        make_folder(self.folder)

    def state(self, name: str) -> State:
        """The state of a piece of work."""
        path = self.folder / f"{name}.json"
        return read_document(path, State, "state") if path.exists() else State()

    def write(self, name: str, state: State) -> None:
        """Keep a state."""
        write_json(self.folder / f"{name}.json", state)


def code_digest(file: Path) -> str:
    """The digest of a file and of all that decides what is made of it: code and versions."""
    digest = hashlib.sha256(line(versions()))
    digest.update(file.read_bytes())
    for package in ("encodings", "grammar", "solver", "generators"):
        for path in sorted((_ROOT / package).rglob("*.*")):
            if path.suffix in (".lp", ".smt2", ".lark", ".py", ".json"):
                digest.update(f"{path.relative_to(_ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


Work: TypeAlias = Callable[[int, State, Path, Callable[[], object]], None]
"""Brings a state to its end, in a folder of its own; calls what it is given after each step."""


def _compared(name: str, items: int, work: Work, kept: Kept) -> dict[str, object]:
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
    from ray.cluster_utils import Cluster

    size = {"num_cpus": 1, "object_store_memory": _STORE}
    nodes = Cluster(initialize_head=True, head_node_args=size | {"include_dashboard": False})
    second = nodes.add_node(**size)
    try:
        yield nodes.address, lambda: nodes.remove_node(second, allow_graceful=False)
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
def memory(file: Path | None, items: tuple[int, ...], make: int | None, work: Path | None) -> None:
    """Measure the peak memory of any process of long runs, and of the main one."""
    if make is not None:
        if file is not None or work is None:
            raise click.UsageError("--make takes --work, and no FILE")
        file = _made(make, work)
    file = file or _EXAMPLE
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
            cwd=_ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
        if done.returncode:
            raise click.ClickException(done.stderr.decode().strip())
    return file


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
