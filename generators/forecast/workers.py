"""Oracles in several processes: each holds the whole graph and answers a share of the queries."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection

import numpy as np

from generators.forecast.oracle import Expected, Oracle
from solver.processes import WorkerDiedError, initialize_worker
from solver.rules.queries import Queries
from solver.tkg.quadruples import Quadruples

LEAST = 16
"""Queries that are worth a process of their own."""


class Oracles:
    """One oracle here, and one in each other process; together they answer as one alone does."""

    def __init__(self, own: Oracle, others: list[Connection]) -> None:
        self.own = own
        self._others = others

    def learn(self, facts: Quadruples) -> None:
        """Take in the facts of a day that has ended, everywhere."""
        with _told():
            for other in self._others:
                other.send(facts)
        self.own.learn(facts)

    def expect(self, queries: Queries) -> Expected:
        """Answer queries of one time."""
        shares = min(len(self._others) + 1, max(len(queries) // LEAST, 1))
        parts = np.array_split(np.arange(len(queries)), shares)
        asked = self._others[: shares - 1]
        with _told():
            for other, part in zip(asked, parts[1:], strict=True):
                other.send(queries.take(part))
            found = [self.own.expect(queries.take(parts[0]))]
            found += [other.recv() for other in asked]
        return Expected.joined(found)


@contextmanager
def oracles(oracle: Oracle, jobs: int) -> Iterator[Oracles]:
    """Start the other processes, and end them.

    Raises:
        WorkerDiedError: one was ended from outside, for its memory perhaps.
    """
    context = get_context("spawn")
    ends, processes = [], []
    try:
        for _ in range(jobs - 1):
            here, there = context.Pipe()
            process = context.Process(target=_answer, args=(there, oracle), daemon=True)
            process.start()
            there.close()
            ends.append(here)
            processes.append(process)
        yield Oracles(oracle, ends)
    finally:
        for end in ends:
            end.close()
        for process in processes:
            process.join()


def _answer(asked: Connection, oracle: Oracle) -> None:
    """Answer until nobody asks any more."""
    initialize_worker()
    with suppress(EOFError, OSError):
        while True:
            match asked.recv():
                case Quadruples() as facts:
                    oracle.learn(facts)
                case queries:
                    asked.send(oracle.expect(queries))


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except (EOFError, OSError):
        raise WorkerDiedError(
            "a process was ended from outside", hint="fewer --jobs take less memory"
        ) from None
