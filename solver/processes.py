"""Work on several processes: the same function on many parts; results do not tell how many."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from solver.errors import HopcheckError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Part = TypeVar("Part")
Result = TypeVar("Result")

_STRIPES = 8
"""Stripes of a process: few, for what the function is bound to travels with each of them."""

RENEWED = 36_864
"""Items that one process decides: clingo keeps every term it has seen for as long as its process
lives, some 3 MiB for each thousand of new items."""


class EndedError(HopcheckError):
    """A process that was ended before it gave its result."""

    code = "ended"


def pool(jobs: int) -> ProcessPoolExecutor:
    """Processes that start anew, leave interrupts to this one, and end with it."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=begin_process)


def mapped(
    function: Callable[[Part], Result], parts: Sequence[Part], jobs: int
) -> Iterator[Result]:
    """The results of the parts, in their order.

    Args:
        function: can be pickled, with what it is bound to; so can its results.
        parts: each does not depend on the others.
        jobs: processes.

    Raises:
        EndedError: a process was ended from outside, for its memory perhaps.
    """
    if jobs == 1 or len(parts) < 2:
        yield from map(function, parts)
        return
    from concurrent.futures.process import BrokenProcessPool

    stripes = [parts[first :: _STRIPES * jobs] for first in range(_STRIPES * jobs)]
    processes = pool(jobs)
    try:
        found = list(processes.map(partial(_stripe, function), filter(len, stripes)))
    except BrokenProcessPool:
        raise EndedError(
            "a process was ended from outside", hint="fewer --jobs take less memory"
        ) from None
    finally:
        processes.shutdown(wait=False, cancel_futures=True)
    for number in range(len(parts)):
        yield found[number % len(stripes)][number // len(stripes)]


def streamed(
    function: Callable[[Part], Result], tasks: Iterable[Part], jobs: int, *, lifetime: int
) -> Iterator[Result]:
    """The results of tasks that come one by one, in their order; memory stays flat.

    Processes are replaced after a lifetime of so many tasks each. With one job this process does as
    many itself before it starts another.

    Args:
        function: can be pickled, with what it is bound to; so can tasks and results.
        tasks: read no further than is needed to keep every process busy. If they end in an error,
            it is raised after the results of those before it.
        jobs: processes.
        lifetime: of a process, in tasks; see ``RENEWED``.

    Raises:
        EndedError: a process was ended from outside, for its memory perhaps.
    """
    coming = iter(tasks)
    if jobs == 1:
        yield from map(function, islice(coming, lifetime))
    yield from _renewed(function, coming, jobs, lifetime)


def _renewed(
    function: Callable[[Part], Result], tasks: Iterator[Part], jobs: int, lifetime: int
) -> Iterator[Result]:
    from concurrent.futures.process import BrokenProcessPool

    processes: ProcessPoolExecutor | None = None
    under_way: deque[Future[Result]] = deque()
    broken: Exception | None = None
    given = 0
    try:
        while True:
            # Enough to keep every process busy; more would only fill the memory.
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
    except BrokenProcessPool:
        raise EndedError(
            "a process was ended from outside", hint="fewer --jobs take less memory"
        ) from None
    finally:
        if processes is not None:
            processes.shutdown(wait=False, cancel_futures=True)
    if broken is not None:
        raise broken


def _stripe(function: Callable[[Part], Result], parts: Sequence[Part]) -> list[Result]:
    return [function(part) for part in parts]


def begin_process() -> None:
    """Ctrl-C is for the process that writes; it tells the others to stop.

    Killed, it tells nobody: they would wait for work for ever, and watch it therefore.
    """
    from multiprocessing import parent_process
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    from multiprocessing import connection

    connection.wait([sentinel])
    # Nobody is there to take a result, or an exit status.
    os._exit(1)
