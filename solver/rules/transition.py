"""Samples one step of many random walks at once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from solver.tkg.index import Index, expand
from solver.tkg.quadruples import Ids

_SPAN = 40
"""Time steps before the latest fact beyond which weights, below exp(-40), are negligible."""
_VANISHING = 745
"""Time steps before now beyond which all weights underflow; facts are then sampled uniformly."""


class Transition(StrEnum):
    """Distribution of the next fact: uniform, or proportional to exp(time)."""

    EXPONENTIAL = "exp"
    UNIFORM = "unif"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Continuations:
    """Possible continuations of walks: ranges of an index whose keys end in a time.

    Attributes:
        index: index of the facts.
        times: times of the facts as ranks, in index order.
        base: for each walk, the key of its continuations at time 0.
        limit: exclusive upper bound of the time of the next fact.
        barred: a position that the walk must not choose; -1 if there is none.
        now: time of the last fact of each walk.
    """

    index: Index
    times: Ids
    base: Ids
    limit: Ids
    barred: Ids
    now: Ids


def taken(ways: Continuations, transition: Transition, drawn: NDArray[np.float64]) -> Ids:
    """Sample the next index position of each walk; -1 if it has no continuation.

    Args:
        ways: the possible continuations.
        transition: distribution of the next fact.
        drawn: a random number in [0, 1) for each walk.
    """
    begin = np.searchsorted(ways.index.keys, ways.base)
    end = np.searchsorted(ways.index.keys, ways.base + ways.limit)
    barred = (begin <= ways.barred) & (ways.barred < end)
    several = end - begin - barred
    place = begin + (drawn * several).astype(np.int64)
    place += barred & (place >= ways.barred)
    if transition is Transition.EXPONENTIAL:
        last = np.maximum(end - 1 - (barred & (ways.barred == end - 1)), 0)
        near = (several > 0) & (ways.now - ways.times[last] <= _VANISHING)
        place[near] = _weighted(ways, last, np.flatnonzero(near), drawn)
    return np.where(several > 0, place, -1)


def _weighted(ways: Continuations, last: Ids, walks: Ids, drawn: NDArray[np.float64]) -> Ids:
    """Sample proportionally to exp(time); ``last`` is the latest position of each walk."""
    last = last[walks]
    latest = ways.times[last]
    first = np.searchsorted(ways.index.keys, ways.base[walks] + np.maximum(latest - _SPAN, 0))
    asker, place = expand(first, last + 1)
    weight = np.exp((ways.times[place] - latest[asker]).astype(np.float64))
    weight[place == ways.barred[walks][asker]] = 0.0
    reached = np.concatenate([[0.0], np.cumsum(weight)])
    offset = np.concatenate([[0], np.cumsum(last + 1 - first)])
    before, after = reached[offset[:-1]], reached[offset[1:]]
    found = np.searchsorted(reached[1:], before + drawn[walks] * (after - before), side="right")
    chosen: Ids = first + np.clip(found - offset[:-1], 0, last - first)
    return chosen
