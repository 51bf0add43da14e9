"""Tasks on processes: in order, read lazily, on processes that are replaced in time."""

from __future__ import annotations

import operator
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import solver
from grammar.errors import HopcheckError
from solver.processes import WorkerDiedError, parallel_map, parallel_stream

# From where the packages are imported.
HOME = Path(solver.__file__).parents[1 + solver.__name__.count(".")]

# What a spawned process can look up by name: functions of test modules it cannot.
PID = "__import__('os').getpid()"
KILL = "__import__('os').kill(__import__('os').getpid(), 9)"


PARENT = """
import os, time
from solver.processes import pool
print(pool(1).submit(os.getpid).result() != os.getpid(), flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_keep_the_order_of_their_tasks(jobs: int) -> None:
    found = list(parallel_stream(operator.neg, range(20), jobs, lifetime=3))
    assert found == [-number for number in range(20)]


def test_processes_are_replaced_after_their_lifetime() -> None:
    processes = list(parallel_stream(eval, [PID] * 12, 1, lifetime=4))
    assert processes[:4] == [os.getpid()] * 4
    assert os.getpid() not in processes[4:]
    assert len(set(processes[4:8])) == len(set(processes[8:])) == 1
    assert set(processes[4:8]).isdisjoint(processes[8:])


def test_tasks_are_read_no_further_than_needed() -> None:
    read = 0

    def tasks() -> Iterator[int]:
        nonlocal read
        for number in range(1000):
            read += 1
            yield number

    results = parallel_stream(operator.neg, tasks(), 2, lifetime=100)
    assert [next(results) for _ in range(3)] == [0, -1, -2]
    assert read <= 3 + 2 * 2 + 1
    results.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_the_tasks_comes_after_the_results_before_it(jobs: int) -> None:
    def tasks() -> Iterator[int]:
        yield from range(5)
        raise HopcheckError("found an end, expected more")

    results = parallel_stream(operator.neg, tasks(), jobs, lifetime=2)
    assert [next(results) for _ in range(5)] == [0, -1, -2, -3, -4]
    with pytest.raises(HopcheckError, match="found an end"):
        next(results)


@pytest.mark.parametrize("parts", [2, 31])
def test_results_may_come_before_all_parts_are_done(parts: int) -> None:
    results = parallel_map(operator.neg, range(parts), 2, early=True)
    assert list(results) == [-one for one in range(parts)]
    some = parallel_map(eval, [*map(str, range(parts)), *["1 / 0"] * 20], 2, early=True)
    assert next(some) == 0
    with pytest.raises(ZeroDivisionError):
        list(some)


def test_a_killed_process_is_told() -> None:
    with pytest.raises(WorkerDiedError, match="worker process was killed"):
        list(parallel_stream(eval, [PID, KILL], 2, lifetime=10))
    with pytest.raises(WorkerDiedError, match="worker process was killed"):
        list(parallel_map(eval, [KILL, PID, PID], 2))


def test_processes_end_with_the_one_that_started_them() -> None:
    killed = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        env=os.environ | {"PYTHONPATH": str(HOME)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert killed.stdout is not None
    assert killed.stdout.readline() == "True\n"
    killed.kill()
    # The child has the same standard output, which ends with the last one that has it.
    assert killed.communicate(timeout=20)[0] == ""
