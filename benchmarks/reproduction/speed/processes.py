"""Measures whole processes: memory, time, and start-up."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from itertools import chain, count, islice
from pathlib import Path
from statistics import median
from typing import Any

import click
import msgspec

from benchmarks.reproduction import ROOT
from grammar.errors import HopcheckError
from solver.eventhop.io import read_records, write_tsv
from solver.eventhop.records import Record
from solver.io.writing import write_json

# Peak memory of the process alone; that of getrusage includes the parent's.
_PROBE = """
import re, resource, sys
from pathlib import Path
from solver.cli import run
status = run(sys.argv[1:])
own = Path("/proc/self/status")
mark = re.search(r"VmHWM:\\s+(\\d+)", own.read_text()) if own.exists() else None
kib = int(mark[1]) if mark else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(kib, file=sys.stderr)
sys.exit(status)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """The cost of a finished process: wall seconds, and peak memory in MiB.

    Attributes:
        spent: process time in seconds, including child processes.
        output: what it printed to standard output.
    """

    seconds: float
    mebibytes: float
    spent: float
    output: str = ""


def verify(path: Path, *, jobs: int = 1) -> Process:
    """Run ``verify`` on a file in its own process.

    Raises:
        HopcheckError: it fails; findings are not a failure.
    """
    return command("verify", str(path), "--json", "--jobs", str(jobs))


def command(*arguments: str) -> Process:
    """Run a command line in its own process.

    Raises:
        HopcheckError: it fails; findings are not a failure.
    """
    began, before = time.perf_counter(), _spent()
    done = _python("-c", _PROBE, *arguments)
    seconds, spent = time.perf_counter() - began, _spent() - before
    if done.returncode not in (0, 1):
        message = f"{arguments[0]} ends with {done.returncode}: {done.stderr}"
        raise HopcheckError(message, where=arguments[1])
    mebibytes = int(done.stderr.split()[-1]) / 1024
    return Process(seconds=seconds, mebibytes=mebibytes, spent=spent, output=done.stdout)


def step(kept: Path | None, *arguments: str) -> dict[str, Any]:
    """The JSON output of a command line, which is run if no earlier run left its output.

    Args:
        kept: the file of its output; None for a command without one.
        arguments: the command line, with ``--json``.

    Raises:
        HopcheckError: it fails.
    """
    if kept is None or not kept.is_file():
        click.echo(f"hopcheck {' '.join(arguments)}", err=True)
        done = command(*arguments)
        if kept is None:
            return {}
        write_json(kept, msgspec.json.decode(done.output))
    found: dict[str, Any] = msgspec.json.decode(kept.read_bytes())
    return found


def _spent() -> float:
    """Process time of all finished child processes, in seconds."""
    times = os.times()
    return times.children_user + times.children_system


def start_milliseconds(*arguments: str, runs: int = 15) -> float:
    """Median wall time of a command line, in milliseconds."""
    taken = []
    for _ in range(runs):
        began = time.perf_counter()
        _python("-m", "solver", *arguments)
        taken.append(1000 * (time.perf_counter() - began))
    return median(taken)


def write_repeated(source: Path, target: Path, items: int) -> None:
    """Write a file of that many items by repeating those of another with new ids."""
    passes = chain.from_iterable(read_records(source) for _ in count())
    records = islice((record for record in passes if isinstance(record, Record)), items)
    write_tsv(target, (replace(record, id=str(n)) for n, record in enumerate(records)))


def _python(*arguments: str) -> subprocess.CompletedProcess[str]:
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
