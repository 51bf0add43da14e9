"""Descriptive statistics of a graph, and how like two graphs are."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

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


Floats: TypeAlias = NDArray[np.float64]

PERIOD = 7
"""Default number of time steps of a period: the days of a week."""

LATE = 0.1
"""Share of the time steps, at the end, whose facts may be about new entities."""

_LEAST_SHARE = 0.01


class PeriodError(HopcheckError):
    """An invalid number of time steps of a period."""

    code = "period"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GraphProfile:
    """What is compared of a graph.

    Attributes:
        figures: figures by the names of ``FIGURES``.
        degrees: degrees of the entities, ascending.
        relations: facts of the relations, ascending.
        events: facts by time step.
        period: shares of the facts at the steps of a period.
        pair_repetition: share of the facts whose head and tail occur at an earlier time, with any
            relation.
    """

    figures: dict[str, float]
    degrees: Ids
    relations: Ids
    events: Ids
    period: Floats
    pair_repetition: float


FIGURES = MappingProxyType(
    {
        "facts": "facts",
        "entities": "entities",
        "relations": "relations",
        "steps": "time steps",
        "events_per_step": "facts per step",
        "events_spread": "facts per step, s.d.",
        "gini_entities": "Gini(E)",
        "gini_relations": "Gini(R)",
        "largest_degree": "largest degree",
        "largest_relation": "largest relation",
        "self_loops": "self-loops",
        "repetition": "repetition",
        "novelty": "novelty",
    }
)
"""Headings of the figures: shares of the facts from ``largest_relation`` on.

``repetition`` is the share of facts whose head, relation and tail occur at an earlier time,
``novelty`` the share of facts of the last tenth of the steps with an entity of no earlier fact.
"""

DISTANCES = MappingProxyType(
    {
        "degree_ks": "degrees, KS",
        "relation_ks": "facts of relations, KS",
        "events_ks": "facts per step, KS",
        "period": "period, largest difference",
    }
)
"""Headings of the distances; KS is the Kolmogorov-Smirnov statistic of two distributions."""


def graph_profile(facts: Quadruples, period: int = PERIOD) -> GraphProfile:
    """Measure a graph; times may have any offset and step.

    Args:
        facts: facts of the graph.
        period: number of time steps of a period.

    Raises:
        EmptyGraphError: the graph has no facts.
        PeriodError: the period is not positive.
    """
    if period < 1:
        raise PeriodError(f"found a period of {period} steps, expected at least 1")
    if not len(facts):
        raise EmptyGraphError("found no facts, expected at least one")
    statistics = graph_statistics(facts)
    degrees = np.unique(np.concatenate((facts.head, facts.tail)), return_counts=True)[1]
    relations = np.unique(facts.relation, return_counts=True)[1]
    step = (facts.time - facts.time.min()) // statistics.step
    events = np.bincount(step, minlength=statistics.steps)
    shares = np.bincount(step % period, minlength=period) / len(facts)
    figures = {name: float(value) for name, value in statistics.as_json().items()}
    figures |= {
        "events_spread": float(events.std()),
        "largest_degree": float(degrees.max()),
        "largest_relation": float(relations.max() / len(facts)),
        "self_loops": float((facts.head == facts.tail).mean()),
        "repetition": _repetition(facts),
        "novelty": _novelty(facts, step, statistics.steps),
    }
    return GraphProfile(
        figures={name: figures[name] for name in FIGURES},
        degrees=np.sort(degrees),
        relations=np.sort(relations),
        events=events.astype(np.int64),
        period=shares,
        pair_repetition=_repetition(replace(facts, relation=np.zeros_like(facts.relation))),
    )


def _repetition(facts: Quadruples) -> float:
    order = np.lexsort((facts.time, facts.tail, facts.relation, facts.head))
    rows = facts.rows()[order]
    known = (rows[1:, :3] == rows[:-1, :3]).all(axis=1)
    first = np.concatenate(([0], np.cumsum(~known)))
    # Repetitions are later than the first fact of their triple, which sorting has put in front.
    begin = np.flatnonzero(np.concatenate(([True], ~known)))
    return float((rows[:, 3] > rows[begin[first], 3]).mean())


def _novelty(facts: Quadruples, step: Ids, steps: int) -> float:
    late = step >= min(round((1 - LATE) * steps), steps - 1)
    seen = np.unique(np.concatenate((facts.head[~late], facts.tail[~late])))
    new = ~(np.isin(facts.head[late], seen) & np.isin(facts.tail[late], seen))
    return float(new.mean())


def distances(first: GraphProfile, second: GraphProfile) -> dict[str, float]:
    """Distances by the names of ``DISTANCES``, 0 for equal distributions.

    KS statistics are in [0, 1]. ``period`` is the largest difference of the shares of a step of
    the period, relative to the share in the second graph (at least .01).

    Raises:
        PeriodError: the periods differ in length.
    """
    if len(first.period) != len(second.period):
        raise PeriodError(
            f"found periods of {len(first.period)} and {len(second.period)} steps, expected equal "
            "ones"
        )
    apart = np.abs(first.period - second.period) / np.maximum(second.period, _LEAST_SHARE)
    return {
        "degree_ks": kolmogorov_smirnov(first.degrees, second.degrees),
        "relation_ks": kolmogorov_smirnov(first.relations, second.relations),
        "events_ks": kolmogorov_smirnov(first.events, second.events),
        "period": float(apart.max()),
    }


def kolmogorov_smirnov(first: Ids, second: Ids) -> float:
    """Largest difference of two empirical distribution functions, in [0, 1].

    Args:
        first: at least one number, in any order.
        second: likewise.
    """
    first, second = np.sort(first), np.sort(second)
    values = np.concatenate((first, second))
    below = [np.searchsorted(array, values, side="right") / len(array) for array in (first, second)]
    return float(np.abs(below[0] - below[1]).max())
