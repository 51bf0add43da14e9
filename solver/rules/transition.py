"""One step of many random walks: which of the facts it may go on with each walk takes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from solver.tkg.index import Index, expand
from solver.tkg.quadruples import Ids

_SPAN = 40
"""Steps in time before the latest fact: weights beyond, below exp(-40), are lost in rounding."""
_VANISHING = 745
"""Steps in time before now: all weights beyond are 0, and every fact counts alike again."""


class Transition(StrEnum):
    """How a walk chooses: all facts alike, or later ones more often, by exp(time)."""

    EXPONENTIAL = "exp"
    UNIFORM = "unif"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ways:
    """What walks may go on with: places of an index whose keys end in a time.

    Attributes:
        index: the order of the facts.
        times: of the facts, in that order; ranks.
        base: the key of each walk's facts at time 0.
        limit: facts of a walk are earlier than this.
        barred: a place that the walk may not take; -1 if there is none.
        now: the time at which each walk is.
    """

    index: Index
    times: Ids
    base: Ids
    limit: Ids
    barred: Ids
    now: Ids


def taken(ways: Ways, transition: Transition, drawn: NDArray[np.float64]) -> Ids:
    """The place each walk takes; -1 where there is none to take.

    Args:
        ways: what there is.
        transition: how to choose.
        drawn: a number in [0, 1) for each walk.
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


def _weighted(ways: Ways, last: Ids, walks: Ids, drawn: NDArray[np.float64]) -> Ids:
    """Take later facts more often; ``last`` is the place of the latest one of each walk."""
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
