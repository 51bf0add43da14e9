"""Rule predictors in several processes, each with the whole graph and a share of the queries."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection

import numpy as np

from generators.forecast.oracle import Candidates, RulePredictor
from solver.processes import WorkerDiedError, initialize_worker
from solver.rules.queries import Queries
from solver.tkg.quadruples import Quadruples

LEAST = 16
"""Minimal number of queries per process."""


class PredictorPool:
    """One predictor in this process and one in each worker; answers equal those of a single one."""

    def __init__(self, own: RulePredictor, others: list[Connection]) -> None:
        self.own = own
        self._others = others

    def learn(self, facts: Quadruples) -> None:
        """Add the facts of a finished day in all processes."""
        with _told():
            for other in self._others:
                other.send(facts)
        self.own.learn(facts)

    def predict(self, queries: Queries) -> Candidates:
        """Answer queries of the same time."""
        shares = min(len(self._others) + 1, max(len(queries) // LEAST, 1))
        parts = np.array_split(np.arange(len(queries)), shares)
        workers = self._others[: shares - 1]
        with _told():
            for other, part in zip(workers, parts[1:], strict=True):
                other.send(queries.take(part))
            found = [self.own.predict(queries.take(parts[0]))]
            found += [other.recv() for other in workers]
        return Candidates.joined(found)


@contextmanager
def predictor_pool(predictor: RulePredictor, jobs: int) -> Iterator[PredictorPool]:
    """Start the worker processes, and end them on exit.

    Raises:
        WorkerDiedError: a worker was killed, perhaps for lack of memory.
    """
    context = get_context("spawn")
    ends, processes = [], []
    try:
        for _ in range(jobs - 1):
            here, there = context.Pipe()
            process = context.Process(target=_answer, args=(there, predictor), daemon=True)
            process.start()
            there.close()
            ends.append(here)
            processes.append(process)
        yield PredictorPool(predictor, ends)
    finally:
        for end in ends:
            end.close()
        for process in processes:
            process.join()


def _answer(pipe: Connection, predictor: RulePredictor) -> None:
    """Serve requests until the pipe is closed."""
    initialize_worker()
    with suppress(EOFError, OSError):
        while True:
            match pipe.recv():
                case Quadruples() as facts:
                    predictor.learn(facts)
                case queries:
                    pipe.send(predictor.predict(queries))


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except (EOFError, OSError):
        raise WorkerDiedError(
            "a worker process was killed", hint="fewer --jobs need less memory"
        ) from None
