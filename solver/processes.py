"""Work on several processes: the same function on many parts; results do not tell how many."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from solver.errors import HopcheckError

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

Part = TypeVar("Part")
Result = TypeVar("Result")

_STRIPES = 8
"""Stripes of a process: few, for what the function is bound to travels with each of them."""


class EndedError(HopcheckError):
    """A process that was ended before it gave its result."""

    code = "ended"


def pool(jobs: int) -> ProcessPoolExecutor:
    """Processes that start anew and leave interrupts to this one."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_leave_interrupts)


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


def _stripe(function: Callable[[Part], Result], parts: Sequence[Part]) -> list[Result]:
    return [function(part) for part in parts]


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that writes; it tells the others to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
