"""Share of queries that several models answer correctly (RSMF, eq. 16 and Table 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.ranking.groups import bins
from benchmarks.ranking.tables import Numbers

CUT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Agreement of N models on a group of queries.

    Attributes:
        group: a closed bin of strikingness, or ``all``.
        events: number of events.
        shares: for n = 1 to N, the share of queries that at least n models answer correctly.
    """

    group: str
    events: int
    shares: tuple[float, ...]


def agreement(ranks: Sequence[Numbers], *, cut: int = CUT) -> tuple[float, ...]:
    """The share of queries with rank at most ``cut`` by at least n models, for n = 1 to N.

    In [0, 1], decreasing in n. Source: RSMF, eq. 16.
    """
    right = np.sum([one <= cut for one in ranks], axis=0)
    return tuple(float((right >= n).mean()) for n in range(1, len(ranks) + 1))


def agreements(ranks: Sequence[Numbers], strikingness: Numbers | None) -> tuple[Agreement, ...]:
    """Agreement on all queries and, with strikingness, on those of each closed bin."""
    events = len(ranks[0]) // 2
    groups = [("all", np.ones(events, dtype=np.bool_))]
    if strikingness is not None:
        groups += bins(strikingness, closed=True)
    return tuple(
        Agreement(
            group=name,
            events=int(members.sum()),
            shares=agreement([one[np.tile(members, 2)] for one in ranks]),
        )
        for name, members in groups
        if members.any()
    )
