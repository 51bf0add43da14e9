"""What a graph is like in a few figures, as papers tabulate them."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from solver.errors import HopcheckError
from solver.tkg.quadruples import Ids, Quadruples


class EmptyGraphError(HopcheckError):
    """A graph without facts, of which nothing can be measured."""

    code = "empty-graph"


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphStatistics:
    """Figures of Table 1 of "synthetic temporal knowledge graphs".

    Entities and relations that no fact names do not count.

    Attributes:
        facts: the size of the graph, repetitions included.
        entities: that are the head or the tail of a fact.
        relations: that a fact has.
        steps: times from the first to the last, those without facts included.
        step: what lies between neighbouring times: 1 for days counted, 24 for days in hours.
        average_degree: ``2 * facts / entities``.
        events_per_step: ``facts / steps``.
        gini_entities: of how often each is a head or a tail; 0 (all alike) to 1.
        gini_relations: of how many facts each has.
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
        """By name."""
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
    """How unequal counts are: 0 if all are the same, towards 1 if one has nearly all.

    Half the mean absolute difference of two counts, drawn with repetition, over their mean.

    Args:
        counts: at least one, none negative, not all 0.
    """
    ordered = np.sort(counts).astype(np.float64)
    number = len(ordered)
    weights = 2 * np.arange(1, number + 1) - number - 1
    return float(weights @ ordered / (number * ordered.sum()))


def time_step(times: Ids) -> int:
    """The largest step that leads to all times from the first one; 1 if there is only one time."""
    apart = np.diff(np.unique(times))
    return int(np.gcd.reduce(apart)) if len(apart) else 1
