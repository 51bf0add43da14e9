"""Formats figures for tables and sentences."""

from __future__ import annotations

from typing import Protocol

MISSING = "–"
"""Text of a figure that does not exist."""

_LEAST_P = 1e-300


class Interval(Protocol):
    """A figure with the ends of its confidence interval; None for a figure without one."""

    @property
    def value(self) -> float:
        """The figure."""

    @property
    def low(self) -> float | None:
        """Lower end."""

    @property
    def high(self) -> float | None:
        """Upper end."""


def share(part: int, whole: int) -> str:
    """Format a share as ``16.4%``; a dash if ``whole`` is 0."""
    return f"{100 * part / whole:.1f}%" if whole else MISSING


def percent(value: float | None) -> str:
    """Format a figure in [0, 1] in percent, as ``55.93``; a dash for None."""
    return MISSING if value is None else f"{100 * value:.2f}"


def percent_interval(figure: Interval) -> str:
    """Format in percent, with the interval, as ``55.93 [48.28-64.73]``."""
    if figure.low is None or figure.high is None:
        return percent(figure.value)
    return f"{percent(figure.value)} [{percent(figure.low)}-{percent(figure.high)}]"


def decimal_interval(figure: Interval) -> str:
    """Format with three decimals and the interval, as ``0.712 [0.690, 0.733]``."""
    return f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]"


def p_value(p: float) -> str:
    """Format a p value; tiny ones are not shown as 0."""
    return f"{p:.2g}" if p >= _LEAST_P else f"<{_LEAST_P:g}"


def cut(name: str, most: int) -> str:
    """Shorten a name to at most ``most`` characters, ending in an ellipsis."""
    return name if len(name) <= most else f"{name[: most - 1]}…"


def left_out(number: int, file: str) -> str:
    """A sentence on rows that are not shown; empty if there are none."""
    return f"{number:,} more are in {file}." if number > 0 else ""
