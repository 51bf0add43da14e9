"""Two baselines of strikingness: inverse frequency and inverse recency."""

from __future__ import annotations

import numpy as np

from benchmarks.ranking.history import last_time, pair_counts
from benchmarks.ranking.queries import Queries
from benchmarks.ranking.tables import Numbers

DECAY = 0.005
"""The lambda of eq. 14."""


def frequency_inverse(queries: Queries) -> Numbers:
    """Freq-Inv of each event: ``1 - count(s, r) / max count(s', r')`` (RSMF, eq. 13).

    In [0, 1], higher is rarer; counts are of earlier facts; 1 if there are none.
    """
    counts, most = pair_counts(queries)
    return 1 - counts / np.maximum(most, 1)


def temporal_inverse(queries: Queries, *, decay: float = DECAY) -> Numbers:
    """Temp-Inv of each event: ``1 - exp(-decay * (t - last))`` (RSMF, eq. 14).

    In [0, 1], higher is longer ago; 1 for a new event.

    Args:
        queries: the queries of the events.
        decay: decay rate per time step of the graph.
    """
    last, ever = last_time(queries)
    steps = (queries.event().time - last) / queries.step
    return np.where(ever, -np.expm1(-decay * steps), 1.0)
