"""On how many queries several models are right at once (RSMF, eq. 16 and Table 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.ranking.groups import bins
from benchmarks.ranking.tables import Numbers

CUT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How many models answer the queries of a group right at once.

    Attributes:
        group: a closed bin of strikingness, or ``all``.
        events: how many.
        shares: for n = 1 to N the share of queries on which at least n of N models are right.
    """

    group: str
    events: int
    shares: tuple[float, ...]


def agreement(ranks: Sequence[Numbers], *, cut: int = CUT) -> tuple[float, ...]:
    """The share of queries that at least n models rank in the first ``cut``, for n = 1 to N.

    Each in [0, 1], falling with n. Source: RSMF, eq. 16.
    """
    right = np.sum([one <= cut for one in ranks], axis=0)
    return tuple(float((right >= n).mean()) for n in range(1, len(ranks) + 1))


def agreements(ranks: Sequence[Numbers], strikingness: Numbers | None) -> tuple[Agreement, ...]:
    """Agreement on all queries and, if strikingness is known, on those of each closed bin."""
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
