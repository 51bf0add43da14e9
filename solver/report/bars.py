"""Bar plots of shares with confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Z = 1.96


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A share in [0, 1] with its 95% confidence interval; ``count`` of ``total`` items."""

    name: str
    count: int
    total: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BarPlot:
    """Bars side by side; ``top`` is the share at the upper edge of the plot."""

    title: str
    axis: str
    bars: tuple[Bar, ...]
    top: float

    @property
    def ticks(self) -> tuple[float, ...]:
        """Heights of the horizontal lines."""
        return (0.0, self.top / 2, self.top)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCount:
    """Number of wrong items in a group."""

    name: str
    wrong: int
    total: int


def share_bar(group: GroupCount) -> Bar:
    """A share with its Wilson interval (Wilson 1927), which is valid for small counts too."""
    count, total = group.wrong, group.total
    if not total:
        return Bar(name=group.name, count=0, total=0, share=0.0, low=0.0, high=0.0)
    share = count / total
    scale = 1 + Z**2 / total
    middle = (share + Z**2 / (2 * total)) / scale
    reach = Z * (share * (1 - share) / total + Z**2 / (4 * total**2)) ** 0.5 / scale
    return Bar(
        name=group.name,
        count=count,
        total=total,
        share=round(share, 4),
        low=round(max(middle - reach, 0.0), 4),
        high=round(min(middle + reach, 1.0), 4),
    )


def bar_plot(title: str, axis: str, groups: Sequence[GroupCount]) -> BarPlot:
    """Plot the share of wrong items in each group."""
    bars = tuple(share_bar(group) for group in groups)
    highest = max((bar.high for bar in bars), default=0.0)
    top = next((edge for edge in (0.1, 0.2, 0.4, 0.6, 0.8) if highest <= edge), 1.0)
    return BarPlot(title=title, axis=axis, bars=bars, top=top)
