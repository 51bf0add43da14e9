"""One trial: make the graph that values mean, measure it, and say how unlike it is.

Source: synthetic temporal knowledge graphs, Algorithm 12, lines 6-16.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.calibration.figures import Figures, measured
from benchmarks.calibration.objective import PENALTY, Objective, Score
from benchmarks.calibration.space import Space, Value
from generators.tkg.config import Config
from generators.tkg.guard import RunawayError
from generators.tkg.run import generate
from generators.tkg.weights import ConfigError
from solver.tkg.statistics import EmptyGraphError


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a trial came to.

    Attributes:
        values: of the parameters that were searched.
        score: how unlike the graph is; ``PENALTY`` if it was not made.
        figures: of the graph; None if it was not made.
        failure: why it was not made, or empty.
    """

    values: Mapping[str, Value]
    score: Score
    figures: Figures | None = None
    failure: str = ""

    def as_json(self) -> dict[str, object]:
        """By name, without what is not there."""
        told: dict[str, object] = {"values": dict(self.values), "score": self.score.total}
        if self.figures is None:
            return told | {"failure": self.failure}
        return told | {
            "core": self.score.core,
            "base": self.score.base,
            **self.figures.as_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What all trials of a search have in common.

    Attributes:
        seed: of every graph, so that trials differ by their values only.
    """

    space: Space
    reference: Figures
    objective: Objective
    seed: int

    def trial(self, values: Mapping[str, Value]) -> Outcome:
        """Make and measure a graph; one that cannot be made has the penalty."""
        try:
            figures = figures_of(self.space.config(values), self.seed)
        except (ConfigError, RunawayError, EmptyGraphError) as error:
            lost = Score(core=PENALTY, base=0.0, total=PENALTY)
            return Outcome(values=values, score=lost, failure=str(error))
        score = self.objective.score(figures, self.reference)
        return Outcome(values=values, score=score, figures=figures)


def figures_of(config: Config, seed: int) -> Figures:
    """The figures of a generated graph.

    Raises:
        ConfigError: it cannot be made as it is asked for.
        RunawayError: it grew beyond its guards.
        EmptyGraphError: it has no facts.
    """
    return measured(generate(config, seed).facts)
