"""Plots of an extraction: modes, relations, F1 of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.quadruples.extraction import Extraction
from benchmarks.quadruples.groups import Group
from benchmarks.quadruples.profile import MODES, Mode
from benchmarks.quadruples.scores import Score
from solver.report.plot import plot

MOST_GROUPS = 24


def by_mode(scores: Mapping[Mode, Score]) -> str:
    """Precision, recall and F1 of each mode, over pairs, with their intervals."""
    with plot(height=3.2, legend=True) as drawn:
        axes = drawn.axes[0]
        for shift, name in enumerate(("precision", "recall", "f1")):
            figures = [getattr(scores[mode].macro, name) for mode in MODES]
            below = [one.value - (one.value if one.low is None else one.low) for one in figures]
            above = [(one.value if one.high is None else one.high) - one.value for one in figures]
            # A quantile may be off by a rounding error.
            ends = [[max(0.0, end) for end in side] for side in (below, above)]
            places = [place + 0.25 * (shift - 1) for place in range(len(MODES))]
            values = [one.value for one in figures]
            label = "F1" if name == "f1" else name
            axes.bar(places, values, width=0.23, yerr=ends, label=label, capsize=2)
        axes.set_xticks(range(len(MODES)), [mode.value for mode in MODES])
        axes.set(ylim=(0, 1.05), ylabel="mean over pairs")
    return drawn.svg


def by_group(groups: Sequence[Group], title: str) -> str:
    """F1 of each group in each mode, the largest groups on top."""
    some = groups[:MOST_GROUPS]
    with plot(height=1.0 + 0.32 * len(some), legend=True) as drawn:
        axes = drawn.axes[0]
        for shift, mode in enumerate(MODES):
            places = [place + 0.2 * (shift - 1.5) for place in range(len(some))]
            values = [group.scores[mode].macro.f1.value for group in some]
            axes.barh(places, values, height=0.18, label=mode.value)
        axes.set_yticks(range(len(some)), [f"{one.name} ({one.pairs:,})" for one in some])
        axes.invert_yaxis()
        axes.set(xlim=(0, 1.05), xlabel="F1, mean over pairs", title=title)
    return drawn.svg


def by_item(extraction: Extraction) -> str:
    """Share of items that reach each F1, by mode."""
    _, f1 = extraction.item_f1()
    with plot(height=3.2, legend=True) as drawn:
        axes = drawn.axes[0]
        for place, mode in enumerate(MODES):
            values = sorted(f1[:, place].tolist())
            shares = [(len(values) - rank) / len(values) for rank in range(len(values))]
            axes.step(values, shares, where="pre", label=mode.value)
        axes.set(xlim=(0, 1.02), ylim=(0, 1.05), xlabel="F1 of an item")
        axes.set_ylabel("share of items that reach it")
    return drawn.svg
