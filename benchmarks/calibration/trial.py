"""One trial: generate a graph from parameter values, measure it, and score it.

Source: synthetic temporal knowledge graphs, Algorithm 12, lines 6-16.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.calibration.figures import Figures, measure_graph
from benchmarks.calibration.objective import PENALTY, Objective, Score
from benchmarks.calibration.space import Space, Value
from generators.tkg.config import Config
from generators.tkg.guard import RunawayError
from generators.tkg.run import generate
from generators.tkg.weights import ConfigError
from solver.tkg.statistics import EmptyGraphError


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
        seed: random seed of every graph, so that trials differ only in their values.
    """

    space: Space
    reference: Figures
    objective: Objective
    seed: int

    def trial(self, values: Mapping[str, Value]) -> Outcome:
        """Generate and score a graph; a failed generation gets the penalty."""
        try:
            figures = figures_of(self.space.config(values), self.seed)
        except (ConfigError, RunawayError, EmptyGraphError) as error:
            penalty = Score(core=PENALTY, base=0.0, total=PENALTY)
            return Outcome(values=values, score=penalty, failure=str(error))
        score = self.objective.score(figures, self.reference)
        return Outcome(values=values, score=score, figures=figures)


def figures_of(config: Config, seed: int) -> Figures:
    """Generate and measure a graph.

    Raises:
        ConfigError: the config cannot be satisfied.
        RunawayError: a guard is exceeded.
        EmptyGraphError: the graph has no facts.
    """
    return measure_graph(generate(config, seed).facts)
