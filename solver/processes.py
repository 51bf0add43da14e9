"""Parallel map over worker processes; results do not depend on the number of workers."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from grammar.errors import HopcheckError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Progress: TypeAlias = Callable[
    [str, int | None], AbstractContextManager[Callable[[int], object] | None]
]
"""Shows the progress of a named task: takes the name of its parts and their number, if known."""


def no_progress(noun: str, total: int | None) -> AbstractContextManager[None]:  # noqa: ARG001
    """Show nothing."""
    return nullcontext()


Part = TypeVar("Part")
Result = TypeVar("Result")

_STRIPES = 8
"""Batches per worker: few, because the function's bound arguments are pickled with each batch."""

WORKER_LIFETIME = 36_864
"""Items that one worker decides before it is replaced: clingo never frees its terms, which take
some 3 MiB per thousand new items."""


class WorkerDiedError(HopcheckError):
    """A worker process that died before it returned its result."""

    code = "ended"


@contextmanager
def worker_death_reported(*of_pipes: type[Exception]) -> Iterator[None]:
    """Turn the failure of a killed worker into an error with a hint.

    Args:
        of_pipes: errors that mean a killed worker here, besides the failure of a pool.

    Raises:
        WorkerDiedError: for one of these failures.
    """
    from concurrent.futures import BrokenExecutor

    failures: tuple[type[Exception], ...] = (BrokenExecutor, *of_pipes)
    try:
        yield
    except failures:
        hint = "fewer --jobs take less memory"
        raise WorkerDiedError("a worker process was killed", hint=hint) from None


def pool(jobs: int) -> ProcessPoolExecutor:
    """A pool of spawned workers that ignore Ctrl-C and exit with this process."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=initialize_worker)


def parallel_map(
    function: Callable[[Part], Result], parts: Sequence[Part], jobs: int
) -> Iterator[Result]:
    """Apply a function to independent parts; results come in the order of the parts.

    Args:
        function: picklable, with its bound arguments and its results.
        parts: the inputs.
        jobs: number of worker processes.

    Raises:
        WorkerDiedError: a worker was killed, perhaps for lack of memory.
    """
    if jobs == 1 or len(parts) < 2:
        yield from map(function, parts)
        return
    stripes = [parts[first :: _STRIPES * jobs] for first in range(_STRIPES * jobs)]
    processes = pool(jobs)
    try:
        with worker_death_reported():
            found = list(processes.map(partial(_stripe, function), filter(len, stripes)))
    finally:
        processes.shutdown(wait=False, cancel_futures=True)
    for number in range(len(parts)):
        yield found[number % len(stripes)][number // len(stripes)]


def parallel_stream(
    function: Callable[[Part], Result], tasks: Iterable[Part], jobs: int, *, lifetime: int
) -> Iterator[Result]:
    """Apply a function to a stream of tasks; results come in order, in constant memory.

    Workers are replaced after ``lifetime`` tasks. With one job, this process handles that many
    tasks itself before it starts a worker.

    Args:
        function: picklable, with its bound arguments, tasks and results.
        tasks: read only as far as needed to keep every worker busy. If reading them fails, the
            error is raised after the results of the earlier tasks.
        jobs: number of worker processes.
        lifetime: tasks per worker; see ``WORKER_LIFETIME``.

    Raises:
        WorkerDiedError: a worker was killed, perhaps for lack of memory.
    """
    coming = iter(tasks)
    if jobs == 1:
        yield from map(function, islice(coming, lifetime))
    with worker_death_reported():
        yield from _renewed(function, coming, jobs, lifetime)


def _renewed(
    function: Callable[[Part], Result], tasks: Iterator[Part], jobs: int, lifetime: int
) -> Iterator[Result]:
    processes: ProcessPoolExecutor | None = None
    under_way: deque[Future[Result]] = deque()
    broken: Exception | None = None
    given = 0
    try:
        while True:
            # Enough to keep every worker busy; more would only fill the memory.
            if len(under_way) > 2 * jobs:
                yield under_way.popleft().result()
            try:
                task = next(tasks)
            except StopIteration:
                break
            except HopcheckError as error:
                broken = error
                break
            if processes is None or given == lifetime * jobs:
                if processes is not None:
                    processes.shutdown(wait=False)
                processes, given = pool(jobs), 0
            under_way.append(processes.submit(function, task))
            given += 1
        while under_way:
            yield under_way.popleft().result()
    finally:
        if processes is not None:
            processes.shutdown(wait=False, cancel_futures=True)
    if broken is not None:
        raise broken


def _stripe(function: Callable[[Part], Result], parts: Sequence[Part]) -> list[Result]:
    return [function(part) for part in parts]


def initialize_worker() -> None:
    """Set up a worker: ignore Ctrl-C, which the parent handles, and exit when the parent dies."""
    from multiprocessing import parent_process
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    from multiprocessing import connection

    connection.wait([sentinel])
    # No one is left to receive a result or an exit status.
    os._exit(1)
