"""Patterns as arrays with one row per pattern and one column per step, for vectorised joins.

Source: synthetic temporal knowledge graphs, section 4, Algorithm 1, lines 2-12.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.tkg.pattern import MOST_HOPS
from solver.tkg.planted import PlantedPattern
from solver.tkg.quadruples import Ids

STEPS = MOST_HOPS + 1
"""Number of columns; the consequence is in column ``hops``, later columns are unused."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plan:
    """Planted patterns; entity placeholders are numbered from 0, like the columns of bindings.

    Attributes:
        head: placeholders, shape (patterns, STEPS).
        relation: relation ids, shape (patterns, STEPS).
        tail: placeholders, shape (patterns, STEPS).
        low: minimum lag from each step to the next, shape (patterns, MOST_HOPS).
        high: maximum lag, same shape.
        hops: number of antecedents.
        closed: whether the graph is closed under the pattern.
        placeholders: number of columns of a binding: the maximum over all patterns.
    """

    patterns: tuple[PlantedPattern, ...]
    head: Ids
    relation: Ids
    tail: Ids
    low: Ids
    high: Ids
    hops: Ids
    closed: NDArray[np.bool_]
    placeholders: int

    def __len__(self) -> int:
        return len(self.patterns)

    @classmethod
    def of(cls, patterns: Sequence[PlantedPattern]) -> Plan:
        """Build the arrays; the ids of the patterns must be 0, 1, 2, ..."""
        shape = (len(patterns), STEPS)
        head, relation, tail = (np.zeros(shape, dtype=np.int64) for _ in range(3))
        low, high = (np.zeros((len(patterns), MOST_HOPS), dtype=np.int64) for _ in range(2))
        for row, one in enumerate(patterns):
            for place, step in enumerate(one.template.steps):
                head[row, place] = step.head - 1
                relation[row, place] = one.relation(step)
                tail[row, place] = step.tail - 1
            for place, lag in enumerate(one.lags):
                low[row, place] = lag.low
                high[row, place] = lag.high
        return cls(
            patterns=tuple(patterns),
            head=head,
            relation=relation,
            tail=tail,
            low=low,
            high=high,
            hops=np.array([one.hops for one in patterns], dtype=np.int64),
            closed=np.array([one.closed for one in patterns], dtype=np.bool_),
            placeholders=max((one.placeholders for one in patterns), default=0),
        )
