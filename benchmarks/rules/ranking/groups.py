"""Strata of events: by strikingness, relation, neighbourhood overlap and repetition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from benchmarks.metrics.ranking import Numbers
from benchmarks.rules.ranking.files import KEYS, joined
from benchmarks.rules.ranking.queries import (
    SplitQueries,
    last_time,
    overlap,
    pair_counts,
    repetitions,
)
from benchmarks.rules.ranking.tables import read_table
from solver.io.sources import InputError

Mask = NDArray[np.bool_]


class Grouping(StrEnum):
    """The criterion that events are grouped by.

    ``overlap``: neighbourhood overlap of subject and object, NO_f (eq. 15). ``striking overlap``:
    each bin of high strikingness, split at its median NO_f, as in Table 1. ``repetition``: number
    of earlier times at which the same (s, r, o) held.
    """

    STRIKINGNESS = "strikingness"
    RELATION = "relation"
    OVERLAP = "overlap"
    STRIKING_OVERLAP = "striking overlap"
    REPETITION = "repetition"


BINS = tuple(n / 10 for n in range(11))
_OVERLAPS = (0.0, 0.05, 0.1, 0.2, 1.0)
_REPETITIONS = ((0, 0), (1, 1), (2, 2), (3, 5), (6, 10), (11, None))
_HIGH = 0.6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Group:
    """A group of events.

    Attributes:
        members: a mask over the events.
    """

    grouping: Grouping
    name: str
    members: Mask

    @property
    def events(self) -> int:
        """Number of events."""
        return int(self.members.sum())

    @property
    def queries(self) -> Mask:
        """A mask over the queries: both directions of each event."""
        return np.concatenate([self.members, self.members])


def grouped(queries: SplitQueries, strikingness: Numbers | None) -> tuple[Group, ...]:
    """All non-empty groups; groups by strikingness only if it is given."""
    shares = overlap(queries)
    groups = [
        *_by_strikingness(strikingness),
        *_by_relation(queries),
        *_by_overlap(shares),
        *_by_both(strikingness, shares),
        *_by_repetition(queries),
    ]
    return tuple(group for group in groups if group.members.any())


def bins(values: Numbers, *, closed: bool = False) -> Iterator[tuple[str, Mask]]:
    """Ten equal bins of values in [0, 1]: half-open except the last, or all closed.

    Closed bins share the values at their edges, which Table 7 counts twice.
    """
    for low, high in pairwise(BINS):
        shut = closed or high == BINS[-1]
        below = values <= high if shut else values < high
        yield f"[{low:.1f}, {high:.1f}{']' if shut else ')'}", (values >= low) & below


def _by_strikingness(values: Numbers | None) -> Iterator[Group]:
    if values is None:
        return
    for name, members in bins(values):
        yield Group(grouping=Grouping.STRIKINGNESS, name=name, members=members)


def _by_relation(queries: SplitQueries) -> Iterator[Group]:
    """One group per relation, in descending order of size."""
    relation = queries.event().relation
    ids, counts = np.unique(relation, return_counts=True)
    for number in ids[np.argsort(-counts, kind="stable")].tolist():
        name = queries.dataset.vocabulary.relation(number)
        yield Group(grouping=Grouping.RELATION, name=name, members=relation == number)


def _by_overlap(shares: Numbers) -> Iterator[Group]:
    yield Group(grouping=Grouping.OVERLAP, name="0", members=shares == 0)
    for low, high in pairwise(_OVERLAPS):
        members = (shares > low) & (shares <= high)
        yield Group(grouping=Grouping.OVERLAP, name=f"({low:g}, {high:g}]", members=members)


def _by_both(values: Numbers | None, shares: Numbers) -> Iterator[Group]:
    if values is None:
        return
    for (name, members), low in zip(bins(values), BINS, strict=False):
        if low < _HIGH or not members.any():
            continue
        above = shares > np.median(shares[members])
        for half, mask in (("high", above), ("low", ~above)):
            yield Group(
                grouping=Grouping.STRIKING_OVERLAP,
                name=f"{half} NO {name}",
                members=members & mask,
            )


def _by_repetition(queries: SplitQueries) -> Iterator[Group]:
    counts = repetitions(queries)
    for low, high in _REPETITIONS:
        members = (counts >= low) if high is None else (counts >= low) & (counts <= high)
        name = f"{low} and more" if high is None else str(low) if low == high else f"{low}-{high}"
        yield Group(grouping=Grouping.REPETITION, name=name, members=members)


BIAS = 0.1
"""The b of eqs. 10 and 11 recommended by the paper."""


def read_strikingness(path: str, queries: SplitQueries) -> Numbers:
    """Read the strikingness of each fact of the split, in file order.

    Raises:
        InputError: the file cannot be read, or a value is not in [0, 1].
        JoinError: the rows do not match the split.
    """
    table = read_table(path, (*KEYS, "sk"))
    values = table.column("sk")
    wrong = np.flatnonzero(~((values >= 0) & (values <= 1)))
    if len(wrong):
        message = f"found strikingness {values[wrong[0]]:.15g}, expected 0 to 1"
        raise InputError(message, where=table.where(int(wrong[0])))
    return joined(table, "sk", queries, events=True)


def weights_of(values: Numbers, *, bias: float = BIAS) -> Numbers:
    """The weight of each query, ``sk + b``, the same for both queries of an event.

    Args:
        values: strikingness of each event, in [0, 1].
        bias: b, positive, so that all weights are positive.
    """
    return np.concatenate([values, values]) + bias


DECAY = 0.005
"""The lambda of eq. 14."""


def frequency_inverse(queries: SplitQueries) -> Numbers:
    """Freq-Inv of each event: ``1 - count(s, r) / max count(s', r')`` (RSMF, eq. 13).

    In [0, 1], higher is rarer; counts are of earlier facts; 1 if there are none.
    """
    counts, most = pair_counts(queries)
    return 1 - counts / np.maximum(most, 1)


def temporal_inverse(queries: SplitQueries, *, decay: float = DECAY) -> Numbers:
    """Temp-Inv of each event: ``1 - exp(-decay * (t - last))`` (RSMF, eq. 14).

    In [0, 1], higher is longer ago; 1 for a new event.

    Args:
        queries: the queries of the events.
        decay: decay rate per time step of the graph.
    """
    last, ever = last_time(queries)
    steps = (queries.event().time - last) / queries.step
    return np.where(ever, -np.expm1(-decay * steps), 1.0)
