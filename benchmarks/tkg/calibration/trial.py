"""One trial: generate a graph from parameter values, measure it, and score it.

Source: synthetic temporal knowledge graphs, Algorithm 12, lines 6-16.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from benchmarks.tkg.calibration.objective import PENALTY, Figures, Objective, Score, measure_graph
from benchmarks.tkg.calibration.space import Space, Value, space_of
from generators.tkg.config import Config, ConfigError
from generators.tkg.plan import RunawayError
from generators.tkg.run import generate
from solver.graph.model import Quadruples
from solver.graph.statistics import PERIOD, EmptyGraphError, GraphProfile, graph_profile
from solver.processes import WorkerDiedError, connected_cluster, pool


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Outcome of a trial.

    Attributes:
        values: values of the searched parameters.
        score: distance from the reference; ``PENALTY`` if the generation failed.
        figures: figures of the graph; None if the generation failed.
        failure: reason of the failure, or empty.
    """

    values: Mapping[str, Value]
    score: Score
    figures: Figures | None = None
    failure: str = ""

    def as_json(self) -> dict[str, object]:
        """Fields by name, without missing ones."""
        record: dict[str, object] = {"values": dict(self.values), "score": self.score.total}
        if self.figures is None:
            return record | {"failure": self.failure}
        return record | {
            "core": self.score.core,
            "base": self.score.base,
            **self.figures.as_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Search problem, common to all trials.

    Attributes:
        profile: the distributions of the reference.
        seed: random seed of every graph, so that trials differ only in their values.
    """

    space: Space
    reference: Figures
    profile: GraphProfile
    objective: Objective
    seed: int

    def trial(self, values: Mapping[str, Value]) -> Outcome:
        """Generate and score a graph; a failed generation gets the penalty."""
        try:
            figures = figures_of(self.space.config(values), self.seed, self.profile)
        except (ConfigError, RunawayError, EmptyGraphError) as error:
            penalty = Score(core=PENALTY, base=0.0, total=PENALTY)
            return Outcome(values=values, score=penalty, failure=str(error))
        score = self.objective.score(figures, self.reference)
        return Outcome(values=values, score=score, figures=figures)


def problem_of(
    facts: Quadruples,
    *,
    seed: int,
    period: int = PERIOD,
    objective: Objective | None = None,
    base: Config | None = None,
    fixed: Mapping[str, str] | None = None,
) -> Problem:
    """The problem of a graph that is like a reference.

    Args:
        facts: facts of the reference.
        seed: random seed of the graphs.
        period: number of time steps of a period.
        objective: by default, the default one.
        base: options that are not searched.
        fixed: texts of the values of parameters that are not searched.

    Raises:
        SpaceError: a parameter is unknown or its value is invalid.
    """
    profile = graph_profile(facts, period)
    reference = measure_graph(facts, profile)
    return Problem(
        space=space_of(reference, profile, base).with_fixed(fixed or {}),
        reference=reference,
        profile=profile,
        objective=objective or Objective(),
        seed=seed,
    )


def figures_of(config: Config, seed: int, reference: GraphProfile) -> Figures:
    """Generate and measure a graph.

    Raises:
        ConfigError: the config cannot be satisfied.
        RunawayError: a guard is exceeded.
        EmptyGraphError: the graph has no facts.
    """
    return measure_graph(generate(config, seed).facts, reference)


Trials: TypeAlias = Callable[[Sequence[Mapping[str, Value]]], list[Outcome]]


@contextmanager
def workers(problem: Problem, jobs: int) -> Iterator[Trials]:
    """Yield a function that runs a batch of trials and returns their outcomes in order.

    Raises:
        WorkerDiedError: a worker process was killed.
    """
    cluster = connected_cluster()
    if cluster is not None:
        yield lambda batch: list(cluster.stream(partial(_trial, problem), iter(batch), len(batch)))
        return
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
