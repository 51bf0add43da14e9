"""Plots of a comparison as SVG: Figures 2, 3, 6, 7 and 9 of RSMF, and a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from benchmarks.rules.ranking.comparison import GroupResult, ModelComparison, best
from benchmarks.rules.ranking.groups import BINS, Grouping
from benchmarks.rules.ranking.queries import repetitions
from solver.report.charts import draw_curve, plot, shade
from solver.report.numbers import cut

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from benchmarks.metrics.ranking import Numbers

_LONG = 24
_BOXES = ((0, 0), (1, 1), (2, 2), (3, 5), (6, 10), (11, 20), (21, None))


def groups_of(run: ModelComparison, grouping: Grouping) -> tuple[GroupResult, ...]:
    """The groups of one kind."""
    return tuple(one for one in run.groups if one.group.grouping is grouping)


def by_group(run: ModelComparison, grouping: Grouping) -> str:
    """MRR of each model by group, with the number of events as bars (Figure 2)."""
    groups = groups_of(run, grouping)
    places = range(len(groups))
    with plot(width=7.2, height=4.4) as drawn:
        axes = drawn.axes[0]
        bars = axes.twinx()
        bars.bar(places, [one.group.events for one in groups], color="0.85", zorder=0)
        bars.set_ylabel("events (bars)")
        # Draw the curves in front of the bars, which are on the other axes.
        axes.set_zorder(bars.get_zorder() + 1)
        axes.patch.set_visible(False)
        for number, name in enumerate(run.names):
            figures = [one.measures[number].mrr for one in groups]
            known = [figure for figure in figures if figure is not None]
            if len(known) == len(groups):
                draw_curve(axes, places, known, name, number)
        axes.set_xticks(list(places), [one.group.name for one in groups], rotation=30)
        axes.set(title=f"MRR by {grouping}", xlabel=grouping.value, ylabel="MRR")
        axes.set_ylim(bottom=0)
        axes.legend(fontsize=7)
    return drawn.svg


def heat(run: ModelComparison, grouping: Grouping, *, most: int = 12) -> str:
    """Heat map of MRR by model and group; the best of each group is framed."""
    groups = groups_of(run, grouping)[:most]
    models = [n for n, one in enumerate(run.models) if one.entrant.whole]
    names = 1.6 if grouping is Grouping.RELATION else 0.0
    size = (2.2 + 0.72 * len(groups), 1.4 + 0.34 * len(models) + names)
    with plot(width=size[0], height=size[1]) as drawn:
        axes = drawn.axes[0]
        figures = [[one.measures[n].mrr or 0.0 for one in groups] for n in models]
        shade(
            axes,
            figures,
            [[f"{100 * figure:.1f}" for figure in row] for row in figures],
            rows=[run.names[n] for n in models],
            columns=[_label(one) for one in groups],
            most=max(max(row) for row in figures),
        )
        for x in range(len(groups)):
            for y in best([row[x] for row in figures], "mrr"):
                _frame(axes, x, y)
                axes.texts[y * len(groups) + x].set_fontweight("bold")
        if grouping is Grouping.RELATION:
            for label in axes.get_xticklabels():
                label.set(rotation=60, ha="right", rotation_mode="anchor")
        axes.set(title=f"MRR in percent by {grouping}; events below")
    return drawn.svg


def over_bias(run: ModelComparison) -> str:
    """WMRR over the bias b (Figure 3)."""
    swept = run.sweep
    if swept is None:
        return ""
    with plot(width=6.4, height=4.2, legend=True) as drawn:
        axes = drawn.axes[0]
        for number, name in enumerate(run.names):
            if name in swept.curves:
                draw_curve(axes, list(swept.biases), swept.curves[name], name, number)
        axes.axvline(run.bias, color="0.6", linestyle=":", zorder=0)
        axes.set_xscale("log")
        axes.set(title="WMRR over the bias b", xlabel="b (dotted: as scored)", ylabel="WMRR")
    return drawn.svg


def by_repetition(run: ModelComparison, values: Numbers) -> str:
    """Strikingness by number of earlier occurrences: box plots and means (Figure 6)."""
    counts = repetitions(run.queries)
    named, parts = [], []
    for low, high in _BOXES:
        part = values[(counts >= low) & (counts <= (high if high is not None else counts.max()))]
        if len(part):
            label = f"{low}+" if high is None else str(low) if low == high else f"{low}-{high}"
            named.append(f"{label}\n{len(part):,}")
            parts.append(part)
    with plot(width=5.6, height=3.8) as drawn:
        axes = drawn.axes[0]
        axes.boxplot(parts, tick_labels=named, flierprops={"markersize": 2})
        means = [float(part.mean()) for part in parts]
        axes.plot(range(1, len(parts) + 1), means, marker="o", color="C0", label="mean")
        axes.legend(fontsize=7)
        axes.set(
            title="strikingness by repetition",
            xlabel="earlier occurrences; events below",
            ylabel="strikingness",
        )
    return drawn.svg


def by_frequency(run: ModelComparison, values: Numbers) -> str:
    """Mean strikingness of each relation over its number of events (Figure 7)."""
    relations, place = np.unique(run.queries.event().relation, return_inverse=True)
    counts = np.bincount(place)
    means = np.bincount(place, weights=values) / counts
    with plot(width=5.6, height=3.8) as drawn:
        axes = drawn.axes[0]
        axes.scatter(counts, means, s=14, alpha=0.6)
        axes.set_xscale("log")
        axes.set_ylim(-0.02, 1.02)
        axes.set(
            title=f"strikingness of {len(relations):,} relations",
            xlabel="events of the relation",
            ylabel="mean strikingness",
        )
    return drawn.svg


def distribution(values: Numbers) -> str:
    """Histogram of strikingness (Figure 9)."""
    with plot(width=5.6, height=3.8) as drawn:
        axes = drawn.axes[0]
        axes.hist(values, bins=np.linspace(0, 1, 2 * len(BINS) - 1).tolist(), edgecolor="white")
        mean = float(values.mean())
        axes.axvline(mean, color="C1", linestyle="--", label=f"mean {mean:.3f}")
        axes.legend(fontsize=7)
        axes.set(title="distribution of strikingness", xlabel="strikingness", ylabel="events")
    return drawn.svg


def _frame(axes: Axes, x: int, y: int) -> None:
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, fill=False, edgecolor="C1", linewidth=2))


def _label(one: GroupResult) -> str:
    """Axis label of a group: its name and number of events."""
    name, events = one.group.name, f"{one.group.events:,}"
    if one.group.grouping is Grouping.RELATION:
        return f"{cut(name, _LONG)}  {events}"
    if one.group.grouping is Grouping.STRIKING_OVERLAP:
        name = name.replace(" NO ", " NO\n")
    return f"{name}\n{events}"
