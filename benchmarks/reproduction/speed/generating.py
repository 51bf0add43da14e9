"""Measures process time, wall time and memory of ``generate eventhop``.

    python -m benchmarks.reproduction.speed.generating --items 16500 --write
    python -m benchmarks.reproduction.speed.generating --items 20000 --items 100000 --jobs 2
    python -m benchmarks.reproduction.speed.generating --items 1000000 --jobs 2

Each size is generated in its own process; ``--write`` writes the results to
``benchmarks/results/generating.json``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from benchmarks.reproduction import ROOT
from benchmarks.reproduction.speed.clock import machine, write_results
from grammar.errors import HopcheckError

SHARE_OF_TEST = 2_500 / 16_500
"""The proportion in the paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The cost of a run.

    Attributes:
        seconds: wall time, which other programs on the machine lengthen.
        process_seconds: process time, user and system, over all processes.
        milliseconds_an_item: process time per item.
        mebibytes: peak memory of a process.
    """

    items: int
    jobs: int
    seconds: float
    process_seconds: float
    milliseconds_an_item: float
    mebibytes: float


def cost(items: int, jobs: int) -> Cost:
    """Generate a data set and measure the cost.

    Raises:
        HopcheckError: the generator fails.
    """
    of_test = round(items * SHARE_OF_TEST)
    sizes = ["--train-size", str(items - of_test), "--test-size", str(of_test)]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "solver", "generate", "eventhop", *sizes]
        began = time.perf_counter()
        process = subprocess.Popen(
            [*command, "--jobs", str(jobs), "--out", str(Path(folder) / "data")],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        # wait4 reports the resources of this process and its children only.
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise HopcheckError(f"generate ended with status {process.returncode}")
    return Cost(
        items=items,
        jobs=jobs,
        seconds=round(seconds, 1),
        process_seconds=round(used.ru_utime + used.ru_stime, 1),
        milliseconds_an_item=round(1000 * (used.ru_utime + used.ru_stime) / items, 3),
        mebibytes=round(used.ru_maxrss / 1024),
    )


@click.command()
@click.option("--items", "sizes", type=click.IntRange(10), multiple=True, default=(16_500,))
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Number of worker processes.",
)
@click.option("--write", is_flag=True, help="Write benchmarks/results/generating.json.")
def main(sizes: tuple[int, ...], jobs: int, write: bool) -> None:
    """Measure the cost of generating train and test items of the preset strict."""
    found = []
    for items in sizes:
        measured = cost(items, jobs)
        found.append(measured)
        click.echo(
            f"{measured.items:,} items, {measured.jobs} processes: {measured.seconds:.1f} s, "
            f"{measured.milliseconds_an_item:.2f} ms of process time an item, "
            f"{measured.mebibytes:.0f} MiB"
        )
    if write:
        write_results(
            "generating",
            {"machine": machine(), "runs": [asdict(found_cost) for found_cost in found]},
        )


if __name__ == "__main__":
    main()
