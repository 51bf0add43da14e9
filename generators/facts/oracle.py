"""Predicts answers to the queries of one day by rules, from all earlier facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection

import numpy as np

from solver.graph.model import Ids, Quadruples
from solver.graph.queries import Queries
from solver.processes import initialize_worker, worker_death_reported
from solver.rules.application import Application
from solver.rules.history import History
from solver.rules.ranks import Scores, noisy_or


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """Candidate answers, one per row, grouped by query and sorted by entity.

    Attributes:
        offsets: candidates of query ``k`` are rows ``offsets[k]`` to ``offsets[k + 1]``.
        entity: the candidate entities.
        score: aggregated over all rules (noisy-or), in (0, 1].
        rule: the rule with the highest score, a row of ``Application.rules``.
    """

    offsets: Ids
    entity: Ids
    score: Scores
    rule: Ids

    @classmethod
    def joined(cls, parts: Sequence[Candidates]) -> Candidates:
        """Concatenate candidates of consecutive queries."""
        counts = [np.diff(part.offsets) for part in parts]
        return cls(
            offsets=np.cumsum(np.concatenate([np.zeros(1, np.int64), *counts])),
            entity=np.concatenate([part.entity for part in parts]),
            score=np.concatenate([part.score for part in parts]),
            rule=np.concatenate([part.rule for part in parts]),
        )


class RulePredictor:
    """Answers the queries of a day; new facts are added day by day.

    Args:
        application: application of the rules to the known facts.
    """

    def __init__(self, application: Application) -> None:
        self.application = application
        self._day: tuple[int, History] | None = None

    def learn(self, facts: Quadruples) -> None:
        """Add the facts of a finished day."""
        if len(facts):
            self.application = self.application.extended(facts)
            self._day = None

    def history(self, time: int) -> History:
        """The facts visible to queries of a time."""
        if self._day is None or self._day[0] != time:
            self._day = time, self.application.history(time)
        return self._day[1]

    def predict(self, queries: Queries) -> Candidates:
        """Answer one or more queries of the same time, by rules only."""
        time = int(queries.time[0])
        events = self.application.events(queries, self.history(time))
        size = self.application.vocabulary.entities
        keys = events.query * size + events.entity
        found, scores = noisy_or(keys, events.score)
        order = np.lexsort((events.rule, -events.score, keys))
        first = order[np.searchsorted(keys[order], found)]
        query, entity = np.divmod(found, size)
        return Candidates(
            offsets=np.searchsorted(query, np.arange(len(queries) + 1)),
            entity=entity,
            score=scores,
            rule=events.rule[first],
        )


LEAST = 16
"""Minimal number of queries per process."""


class PredictorPool:
    """One predictor in this process and one in each worker; answers equal those of a single one."""

    def __init__(self, own: RulePredictor, others: list[Connection]) -> None:
        self.own = own
        self._others = others

    def learn(self, facts: Quadruples) -> None:
        """Add the facts of a finished day in all processes."""
        with worker_death_reported(EOFError, OSError):
            for other in self._others:
                other.send(facts)
        self.own.learn(facts)

    def predict(self, queries: Queries) -> Candidates:
        """Answer queries of the same time."""
        shares = min(len(self._others) + 1, max(len(queries) // LEAST, 1))
        parts = np.array_split(np.arange(len(queries)), shares)
        workers = self._others[: shares - 1]
        with worker_death_reported(EOFError, OSError):
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
