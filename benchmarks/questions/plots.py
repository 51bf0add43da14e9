"""Plots of scores with confidence intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.questions.scores import Figure, Score, Scores
from solver.report.plot import plot

NAMES = {"mrr": "MRR", "hits1": "Hits@1", "hits10": "Hits@10", "accuracy": "accuracy"}
"""Display names of the figures."""

_LONGEST = 36


def overall(scores: Scores) -> str:
    """Plot the main figure of each part: MRR or accuracy."""
    with plot(height=2.8) as drawn:
        axes = drawn.axes[0]
        figures = [next(iter(one.figures.values())) for one in scores.parts.values()]
        places = range(len(figures))
        axes.bar(places, [one.value for one in figures], width=0.6, yerr=ends(figures), capsize=2)
        axes.set_xticks(places, list(scores.parts))
        axes.set(ylim=(0, 1.05), ylabel="MRR or accuracy")
    return drawn.svg


def by_group(groups: Mapping[str, Score]) -> str:
    """Plot all figures of each group, the first group on top."""
    names = list(next(iter(groups.values())).figures)
    height = 0.8 / len(names)
    with plot(height=1.0 + 0.34 * len(groups), legend=len(names) > 1) as drawn:
        axes = drawn.axes[0]
        for shift, name in enumerate(names):
            figures = [one.figures[name] for one in groups.values()]
            places = [
                place + height * (shift - (len(names) - 1) / 2) for place in range(len(groups))
            ]
            values = [one.value for one in figures]
            axes.barh(places, values, height=0.9 * height, xerr=ends(figures), label=NAMES[name])
        titles = [f"{_cut(group)} ({one.questions:,})" for group, one in groups.items()]
        axes.set_yticks(range(len(groups)), titles)
        axes.invert_yaxis()
        axes.set(xlim=(0, 1.05), xlabel=NAMES[names[0]] if len(names) == 1 else "")
    return drawn.svg


def ends(figures: Sequence[Figure]) -> list[list[float]]:
    """Lengths of intervals below and above, at least 0 despite rounding errors of quantiles."""
    below = [max(0.0, one.value - one.low) for one in figures]
    above = [max(0.0, one.high - one.value) for one in figures]
    return [below, above]


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
