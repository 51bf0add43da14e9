"""Descriptive statistics of a graph."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from grammar.errors import HopcheckError
from solver.graph.model import Ids, Quadruples


class EmptyGraphError(HopcheckError):
    """A graph without facts."""

    code = "empty-graph"


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphStatistics:
    """Statistics of Table 1 of "synthetic temporal knowledge graphs".

    Attributes:
        facts: number of facts, duplicates included.
        entities: number of entities that occur in a fact.
        relations: number of relations that occur in a fact.
        steps: number of time steps from the first to the last, empty ones included.
        step: distance of neighbouring times: 1 for days, 24 for days in hours.
        average_degree: ``2 * facts / entities``.
        events_per_step: ``facts / steps``.
        gini_entities: Gini coefficient of the entities' degrees, in [0, 1]; 0 if all are equal.
        gini_relations: Gini coefficient of the facts per relation.
    """

    facts: int
    entities: int
    relations: int
    steps: int
    step: int
    average_degree: float
    events_per_step: float
    gini_entities: float
    gini_relations: float

    def as_json(self) -> dict[str, int | float]:
        """Statistics by name."""
        return asdict(self)


def graph_statistics(facts: Quadruples) -> GraphStatistics:
    """Measure a graph.

    Raises:
        EmptyGraphError: it has no facts.
    """
    if not len(facts):
        raise EmptyGraphError("found no facts, expected at least one")
    ends, degrees = np.unique(np.concatenate((facts.head, facts.tail)), return_counts=True)
    relations, uses = np.unique(facts.relation, return_counts=True)
    step = time_step(facts.time)
    steps = int(facts.time.max() - facts.time.min()) // step + 1
    return GraphStatistics(
        facts=len(facts),
        entities=len(ends),
        relations=len(relations),
        steps=steps,
        step=step,
        average_degree=2 * len(facts) / len(ends),
        events_per_step=len(facts) / steps,
        gini_entities=gini(degrees),
        gini_relations=gini(uses),
    )


def gini(counts: Ids) -> float:
    """Gini coefficient in [0, 1]: 0 if all counts are equal, near 1 if one has nearly all.

    Half the mean absolute difference of all pairs, divided by the mean.

    Args:
        counts: at least one, none negative, not all 0.
    """
    ordered = np.sort(counts).astype(np.float64)
    number = len(ordered)
    weights = 2 * np.arange(1, number + 1) - number - 1
    return float(weights @ ordered / (number * ordered.sum()))


def time_step(times: Ids) -> int:
    """Greatest common divisor of the differences of times; 1 if there is only one time."""
    apart = np.diff(np.unique(times))
    return int(np.gcd.reduce(apart)) if len(apart) else 1
