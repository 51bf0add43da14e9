"""Statistics of a forecast."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from generators.facts.comparison import Comparison, says_nothing_new
from generators.facts.model import DatedGraph, Forecast
from generators.facts.run import ForecastResult
from solver.graph.model import Quadruples
from solver.io.writing import OutputError, atomic


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Statistics of a forecast.

    Attributes:
        comparisons: how the forecast differs from the reference year.
        rules: number of rules used.
        by_roles: number of facts that role rules derive.
        first: number of facts whose object scores highest; None without scores.
    """

    facts: int
    wanted: int
    attempts: int
    comparisons: tuple[Comparison, ...]
    confidence: float
    rules: int
    by_roles: int
    first: int | None = None

    def comparison(self, name: str) -> Comparison:
        """The comparison of a feature."""
        return next(one for one in self.comparisons if one.name == name)

    @property
    def total_variation(self) -> float:
        """Distance between the relations of the forecast and the reference year."""
        return self.comparison("relations").distance

    @property
    def least_total_variation(self) -> float:
        """Lower bound of that distance."""
        return self.comparison("relations").floor

    def as_json(self) -> dict[str, Any]:
        """The JSON object of the manifest; shares are rounded."""
        return {
            "facts": self.facts,
            "wanted": self.wanted,
            "attempts": self.attempts,
            "relations": sum(count > 0 for count in self.comparison("relations").made),
            "compared": {one.name: one.as_json() for one in self.comparisons},
            "new_pairs": self.comparison("pairs").made[0],
            "nothing_new": says_nothing_new(self.comparisons),
            "mean_confidence": round(self.confidence, 6),
            "rules_used": self.rules,
            "by_role_rules": self.by_roles,
        } | ({} if self.first is None else {"first_ranked": self.first})


def compute_figures(made: ForecastResult, comparisons: tuple[Comparison, ...]) -> Figures:
    """Compute statistics."""
    confidences = [one.confidence for one in made.forecasts]
    ranks = [one.rank for one in made.forecasts if one.rank is not None]
    return Figures(
        facts=len(made.forecasts),
        wanted=made.wanted,
        attempts=made.attempts,
        comparisons=comparisons,
        confidence=float(np.mean(confidences)) if confidences else 0.0,
        rules=len({(one.by_roles, one.number) for one in made.forecasts if one.rule is not None}),
        by_roles=sum(one.by_roles for one in made.forecasts),
        first=ranks.count(1) if ranks else None,
    )


def rules_used(forecasts: Sequence[Forecast]) -> list[tuple[Forecast, int]]:
    """The first forecast of each rule and the rule's number of uses, most used first."""
    forecasts = [one for one in forecasts if one.rule is not None]
    counted = Counter((one.by_roles, one.number) for one in forecasts)
    first = {(one.by_roles, one.number): one for one in reversed(forecasts)}
    order = sorted(counted, key=lambda rule: (-counted[rule], rule))
    return [(first[rule], counted[rule]) for rule in order]


def facts_of(forecasts: Sequence[Forecast]) -> Quadruples:
    """The facts of forecasts, in order."""
    return Quadruples.of(np.array([one.fact for one in forecasts], dtype=np.int64))


def write_facts(path: Path, facts: Quadruples, graph: DatedGraph) -> Path:
    """Write one tab-separated ``subject relation object date`` per line; return the path.

    Raises:
        OutputError: a name contains a tab or line break, or the file cannot be written.
    """
    words = graph.vocabulary
    with atomic(path) as file:
        for subject, relation, object_, time in facts.rows().tolist():
            names = (words.entity(subject), words.relation(relation), words.entity(object_))
            for name in names:
                if any(sign in name for sign in "\t\n\r\0"):
                    message = f"the name {name!r} cannot be written to a line of {path.name}"
                    raise OutputError(message, hint="rename it in the graph")
            file.write("\t".join((*names, graph.date(time))).encode() + b"\n")
    return path
