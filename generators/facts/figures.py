"""Statistics of a forecast."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.facts.model import DatedGraph, Forecast
from generators.facts.reference import Reference, total_variation
from generators.facts.run import ForecastResult
from solver.graph.model import Ids, Quadruples, Vocabulary
from solver.io.writing import OutputError, atomic


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Statistics of a forecast.

    Attributes:
        counts: number of facts of each relation.
        total_variation: distance between the relations of the forecast and the reference year.
        least_total_variation: lower bound of that distance, reached if the relations with rules
            keep their proportions of the reference year; None if no relation has rules.
    """

    facts: int
    wanted: int
    attempts: int
    counts: Ids
    total_variation: float
    least_total_variation: float | None
    confidence: float
    rules: int

    def as_json(self) -> dict[str, Any]:
        """The JSON object of the manifest; shares are rounded."""
        return {
            "facts": self.facts,
            "wanted": self.wanted,
            "attempts": self.attempts,
            "relations": int((self.counts > 0).sum()),
            "total_variation": round(self.total_variation, 6),
            "least_total_variation": None
            if self.least_total_variation is None
            else round(self.least_total_variation, 6),
            "mean_confidence": round(self.confidence, 6),
            "rules_used": self.rules,
        }


def compute_figures(made: ForecastResult, reference: Reference, able: NDArray[np.bool_]) -> Figures:
    """Compute statistics; ``able`` marks the relations that are the head of a rule."""
    drawn = [one.fact[1] for one in made.forecasts]
    counts = np.bincount(np.array(drawn, dtype=np.int64), minlength=len(reference.relations))
    reachable = np.where(able, reference.relations, 0)
    confidences = [one.confidence for one in made.forecasts]
    return Figures(
        facts=len(made.forecasts),
        wanted=made.wanted,
        attempts=made.attempts,
        counts=counts,
        total_variation=total_variation(counts, reference.shares),
        least_total_variation=total_variation(reachable, reference.shares)
        if reachable.sum()
        else None,
        confidence=float(np.mean(confidences)) if confidences else 0.0,
        rules=len({one.number for one in made.forecasts}),
    )


def rules_used(forecasts: Sequence[Forecast]) -> list[tuple[Forecast, int]]:
    """The first forecast of each rule and the rule's number of uses, most used first."""
    counted = Counter(one.number for one in forecasts)
    first = {one.number: one for one in reversed(forecasts)}
    order = sorted(counted, key=lambda number: (-counted[number], number))
    return [(first[number], counted[number]) for number in order]


def compared(
    figures: Figures, reference: Reference, words: Vocabulary
) -> tuple[tuple[str, str, str, str, str], ...]:
    """Rows of name, facts and share in the year, facts and share in the forecast.

    The most frequent relations of the year come first.
    """
    order = np.lexsort((np.arange(len(reference.relations)), -reference.relations))
    total = max(figures.facts, 1)
    return tuple(
        (
            words.relation(relation),
            f"{reference.relations[relation]:,}",
            f"{reference.shares[relation]:.2%}",
            f"{figures.counts[relation]:,}",
            f"{figures.counts[relation] / total:.2%}",
        )
        for relation in order.tolist()
        if reference.relations[relation] or figures.counts[relation]
    )


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
