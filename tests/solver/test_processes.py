"""Tasks on processes: in order, read lazily, on processes that are replaced in time."""

from __future__ import annotations

import operator
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import solver
from grammar.errors import HopcheckError
from solver.forking import forking
from solver.processes import WorkerDiedError, parallel_map, parallel_stream

# From where the packages are imported.
HOME = Path(solver.__file__).parents[1 + solver.__name__.count(".")]

# What a spawned process can look up by name: functions of test modules it cannot.
PID = "__import__('os').getpid()"
KILL = "__import__('os').kill(__import__('os').getpid(), 9)"


PARENT = """
import os, sys, time
from functools import partial
from solver.processes import pool
prepare = partial(exec, "import json") if sys.argv[1:] else None
print(pool(1, prepare).submit(os.getpid).result() != os.getpid(), flush=True)
time.sleep(6000)
"""

# Runs with a server of its own, in which the preparation leaves its process number.
FORKED = """
import os
from functools import partial
from solver.forking import forking
from solver.processes import WorkerDiedError, parallel_stream
prepare = partial(exec, "import os; os.environ['PREPARED_IN'] = str(os.getpid())")
SEEN = (
    "(__import__('os').environ.get('PREPARED_IN') == str(__import__('os').getppid()), "
    "__import__('os').getpid(), __import__('os').getppid(), "
    "__import__('signal').getsignal(2) == __import__('signal').SIG_IGN, "
    "len(__import__('os').listdir('/proc/' + str(__import__('os').getppid()) + '/task')), "
    "__import__('os').environ.get('PYTHONPATH'), __import__('os').environ.get('PYTHONSAFEPATH'))"
)
if __name__ == "__main__":
    found = list(parallel_stream(eval, [SEEN] * 12, 2, lifetime=2, prepare=prepare))
    prepared, workers, servers, ignoring, threads, path, safe = map(set, zip(*found))
    print(prepared, ignoring, threads, safe, len(workers) > 2, len(servers))
    print(os.getpid() not in workers | servers, path == {os.environ["PYTHONPATH"]})
    try:
        killed = ["__import__('os')._exit(9)"] * 2
        list(parallel_stream(eval, killed, 2, lifetime=9, prepare=prepare))
    except WorkerDiedError as error:
        print(error.message)
"""
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux alone")


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
    results = parallel_map(operator.neg, range(parts), 2)
    assert list(results) == [-index for index in range(parts)]
    some = parallel_map(eval, [*map(str, range(parts)), *["1 / 0"] * 20], 2)
    assert next(some) == 0
    with pytest.raises(ZeroDivisionError):
        list(some)


def test_a_killed_process_is_told() -> None:
    with pytest.raises(WorkerDiedError, match="worker process was killed"):
        list(parallel_stream(eval, [PID, KILL], 2, lifetime=10))
    with pytest.raises(WorkerDiedError, match="worker process was killed"):
        list(parallel_map(eval, [KILL, PID, PID], 2))


@LINUX
def test_workers_are_forked_from_one_prepared_server(
    tmp_path: Path, python: Callable[..., Any]
) -> None:
    # The server imports what this process does, not what the working folder has.
    for name in ("solver", "clingo", "grammar"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported')\n", encoding="utf-8")
    (tmp_path / "scripts").mkdir()
    script = tmp_path / "scripts" / "forked.py"
    script.write_text(FORKED.replace("from solver", f"from {solver.NAMESPACE}solver"), "utf-8")
    ran = python(script, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(HOME)})
    assert ran.stdout.splitlines() == [
        "{True} {True} {1} {None} True 1",
        "True True",
        "a worker process was killed",
    ], ran.stderr
    assert ran.stderr == ""


# Each task tells whether its worker was forked from a server that had imported a module before.
PRELOADED = """
import sys
from solver.processes import parallel_map, preload
class Asked:
    pickled = 0
    def __call__(self, name):
        return name in sys.modules and "__mp_main__" in sys.modules
    def __getstate__(self):
        Asked.pickled += 1
        return {"bound": 1}
if __name__ == "__main__":
    module = "rules.application"
    preload(1, f"solver.{module}")
    from multiprocessing import forkserver
    print(forkserver._forkserver._forkserver_pid)
    preload(2, f"solver.{module}")
    name = preload.__module__.removesuffix("processes") + module
    print(name in sys.modules, set(parallel_map(Asked(), [name] * 50, 2)), Asked.pickled)
"""


@LINUX
def test_workers_have_what_was_preloaded_and_get_their_function_once(
    tmp_path: Path, python: Callable[..., Any]
) -> None:
    script = tmp_path / "preloaded.py"
    script.write_text(PRELOADED.replace("from solver", f"from {solver.NAMESPACE}solver"), "utf-8")
    ran = python(script, env=os.environ | {"PYTHONPATH": str(HOME)})
    assert ran.stdout.splitlines() == ["None", "False {True} 1"], ran.stderr
    assert ran.stderr == ""


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_elsewhere_workers_are_spawned(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert forking(partial(operator.neg, 1)) is None


def test_a_large_preparation_is_left_to_the_workers() -> None:
    assert forking(partial(len, "x" * 200_000)) is None


@pytest.mark.parametrize("prepared", [(), pytest.param(("prepared",), marks=LINUX)])
def test_processes_end_with_the_one_that_started_them(
    prepared: tuple[str, ...], start: Callable[..., subprocess.Popen[str]]
) -> None:
    path = os.environ | {"PYTHONPATH": str(HOME)}
    killed = start("-c", PARENT, *prepared, env=path, stdout=subprocess.PIPE, text=True)
    assert killed.stdout is not None
    assert killed.stdout.readline() == "True\n"
    killed.kill()
    # The child has the same standard output, which ends with the last one that has it.
    assert killed.communicate(timeout=600)[0] == ""
