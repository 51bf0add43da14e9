"""Lag profiles: the ranges from which the lag of each step of a pattern is drawn.

Source: synthetic temporal knowledge graphs, Table 5a. The lag of step i is the time from step i to
the next; a pattern of k hops has k lags. [5, 10] and [0, 2] are from the paper, which leaves the
other ranges open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from solver.tkg.pattern import Lag, PatternError

WINDOW = 5
"""Recency window in time steps: W of Table 5a."""

FAR = 10 * WINDOW
"""Time steps far beyond the window."""


class LagProfile(StrEnum):
    """The regimes of Table 5a.

    ``tight``: each lag is a single value. ``loose``: each lag is a wide interval.
    ``front_loaded``: early lags are longer in expectation than the last. ``back_loaded``: the
    opposite. ``recency``: no lag exceeds the window. ``long_range``: the last lag ends far beyond
    the window.
    """

    TIGHT = "tight"
    LOOSE = "loose"
    FRONT_LOADED = "front_loaded"
    BACK_LOADED = "back_loaded"
    RECENCY = "recency"
    LONG_RANGE = "long_range"


@dataclass(frozen=True, slots=True, kw_only=True)
class LagRange:
    """Ranges from which a lag ``[low, low + width]`` is drawn uniformly, both ends included.

    Attributes:
        low: range of ``low``.
        width: range of ``width``.
    """

    low: Lag
    width: Lag

    @property
    def longest(self) -> int:
        """Maximum of a lag drawn from this range, in time steps."""
        return self.low.high + self.width.high

    @property
    def mean(self) -> float:
        """Expected gap, in time steps, drawn uniformly from a lag drawn from this range."""
        low = (self.low.low + self.low.high) / 2
        return low + (self.width.low + self.width.high) / 4


_POINT = Lag(low=0, high=0)
_SLOW = LagRange(low=Lag(low=5, high=5), width=Lag(low=5, high=5))
_FAST = LagRange(low=_POINT, width=Lag(low=2, high=2))
_RECENT = LagRange(low=Lag(low=1, high=2), width=Lag(low=0, high=WINDOW - 2))
_DISTANT = LagRange(low=Lag(low=WINDOW, high=FAR), width=Lag(low=FAR, high=2 * FAR))


@dataclass(frozen=True, slots=True, kw_only=True)
class _ProfileRanges:
    """Lag ranges of a profile: for all steps but the last, and for the last."""

    early: LagRange
    last: LagRange


_PROFILES: Mapping[LagProfile, _ProfileRanges] = MappingProxyType(
    {
        LagProfile.TIGHT: _ProfileRanges(
            early=LagRange(low=Lag(low=1, high=10), width=_POINT),
            last=LagRange(low=Lag(low=1, high=10), width=_POINT),
        ),
        LagProfile.LOOSE: _ProfileRanges(
            early=LagRange(low=Lag(low=1, high=5), width=Lag(low=5, high=15)),
            last=LagRange(low=Lag(low=1, high=5), width=Lag(low=5, high=15)),
        ),
        LagProfile.FRONT_LOADED: _ProfileRanges(early=_SLOW, last=_FAST),
        LagProfile.BACK_LOADED: _ProfileRanges(early=_FAST, last=_SLOW),
        LagProfile.RECENCY: _ProfileRanges(early=_RECENT, last=_RECENT),
        LagProfile.LONG_RANGE: _ProfileRanges(early=_RECENT, last=_DISTANT),
    }
)


def lag_ranges(profile: LagProfile, hops: int) -> tuple[LagRange, ...]:
    """The lag range of each step, in order; a single hop has only the last.

    Raises:
        PatternError: ``hops`` is less than 1.
    """
    if hops < 1:
        raise PatternError(f"found {hops} hops, expected at least 1")
    ranges = _PROFILES[profile]
    return (*[ranges.early] * (hops - 1), ranges.last)
