"""The same work on many parts, on one process or several; results do not tell how many."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")

_STRIPES = 8
"""Stripes of a process: few, for what the function is bound to travels with each of them."""


def mapped(
    function: Callable[[Part], Result], parts: Sequence[Part], jobs: int
) -> Iterator[Result]:
    """The results of the parts, in their order.

    Args:
        function: can be pickled, with what it is bound to; so can its results.
        parts: each does not depend on the others.
        jobs: processes.
    """
    if jobs == 1:
        yield from map(function, parts)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    stripes = [parts[first :: _STRIPES * jobs] for first in range(_STRIPES * jobs)]
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_leave_interrupts)
    try:
        found = list(pool.map(partial(_stripe, function), filter(len, stripes)))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    for number in range(len(parts)):
        yield found[number % len(stripes)][number // len(stripes)]


def _stripe(function: Callable[[Part], Result], parts: Sequence[Part]) -> list[Result]:
    return [function(part) for part in parts]


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that writes; it tells the others to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
