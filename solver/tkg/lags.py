"""Lag profiles: from which ranges the lags of a pattern are drawn, step by step.

Source: synthetic temporal knowledge graphs, Table 5a. The lag of step i is the time from step i to
the next; a pattern of k hops has k of them. Where the paper gives numbers ([5, 10] and [0, 2]) they
are taken over; the others are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from solver.tkg.pattern import Lag, PatternError

WINDOW = 5
"""What counts as recent, in time steps: W of Table 5a."""

FAR = 10 * WINDOW
"""What lies far beyond the window."""


class LagProfile(StrEnum):
    """The regimes of Table 5a.

    ``tight``: each lag is a single value. ``loose``: each is a wide interval. ``front_loaded``:
    early lags are longer in expectation than the last. ``back_loaded``: the other way round.
    ``recency``: no lag ends beyond the window. ``long_range``: the last one ends far beyond it.
    """

    TIGHT = "tight"
    LOOSE = "loose"
    FRONT_LOADED = "front_loaded"
    BACK_LOADED = "back_loaded"
    RECENCY = "recency"
    LONG_RANGE = "long_range"


@dataclass(frozen=True, slots=True, kw_only=True)
class LagRange:
    """From what a lag ``[low, low + width]`` is drawn: both uniformly, both ends included.

    Attributes:
        low: the least and the most that ``low`` can be.
        width: the least and the most that ``width`` can be.
    """

    low: Lag
    width: Lag

    @property
    def longest(self) -> int:
        """The most time steps that a lag drawn from here can last."""
        return self.low.high + self.width.high

    @property
    def mean(self) -> float:
        """The expected number of time steps: of a lag drawn from here, and then of a gap in it."""
        low = (self.low.low + self.low.high) / 2
        return low + (self.width.low + self.width.high) / 4


_POINT = Lag(low=0, high=0)
_SLOW = LagRange(low=Lag(low=5, high=5), width=Lag(low=5, high=5))
_FAST = LagRange(low=_POINT, width=Lag(low=2, high=2))
_RECENT = LagRange(low=Lag(low=1, high=2), width=Lag(low=0, high=WINDOW - 2))
_DISTANT = LagRange(low=Lag(low=WINDOW, high=FAR), width=Lag(low=FAR, high=2 * FAR))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Course:
    """What a profile draws from for the steps before the last, and for the last."""

    early: LagRange
    last: LagRange


_COURSES: Mapping[LagProfile, _Course] = MappingProxyType(
    {
        LagProfile.TIGHT: _Course(
            early=LagRange(low=Lag(low=1, high=10), width=_POINT),
            last=LagRange(low=Lag(low=1, high=10), width=_POINT),
        ),
        LagProfile.LOOSE: _Course(
            early=LagRange(low=Lag(low=1, high=5), width=Lag(low=5, high=15)),
            last=LagRange(low=Lag(low=1, high=5), width=Lag(low=5, high=15)),
        ),
        LagProfile.FRONT_LOADED: _Course(early=_SLOW, last=_FAST),
        LagProfile.BACK_LOADED: _Course(early=_FAST, last=_SLOW),
        LagProfile.RECENCY: _Course(early=_RECENT, last=_RECENT),
        LagProfile.LONG_RANGE: _Course(early=_RECENT, last=_DISTANT),
    }
)


def lag_ranges(profile: LagProfile, hops: int) -> tuple[LagRange, ...]:
    """The range of each step's lag, in their order; one hop has only the last one.

    Raises:
        PatternError: there is no hop.
    """
    if hops < 1:
        raise PatternError(f"found {hops} hops, expected at least 1")
    course = _COURSES[profile]
    return (*[course.early] * (hops - 1), course.last)
