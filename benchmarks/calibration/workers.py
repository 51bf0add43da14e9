"""Runs trials on worker processes that live for the whole search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias

from benchmarks.calibration.space import Value
from benchmarks.calibration.trial import Outcome, Problem
from solver.processes import WorkerDiedError, pool

Trials: TypeAlias = Callable[[Sequence[Mapping[str, Value]]], list[Outcome]]


@contextmanager
def workers(problem: Problem, jobs: int) -> Iterator[Trials]:
    """Yield a function that runs a batch of trials and returns their outcomes in order.

    Raises:
        WorkerDiedError: a worker process was killed.
    """
    if jobs == 1:
        yield lambda batch: [problem.trial(values) for values in batch]
        return
    from concurrent.futures.process import BrokenProcessPool

    processes = pool(jobs)
    try:
        yield lambda batch: list(processes.map(partial(_trial, problem), batch))
    except BrokenProcessPool:
        raise WorkerDiedError(
            "a worker process was killed during a trial",
            hint="it may have run out of memory; the same command resumes the search",
        ) from None
    finally:
        processes.shutdown(cancel_futures=True)


def _trial(problem: Problem, values: Mapping[str, Value]) -> Outcome:
    return problem.trial(values)
