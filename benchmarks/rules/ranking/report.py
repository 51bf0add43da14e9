"""The report of ``score ranks``: plots, tables, HTML page and manifest.

The plots are Figures 2, 3, 6, 7 and 9 of RSMF, and a heat map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.rules.ranking.comparison import METRICS, GroupResult, ModelComparison, as_json, best
from benchmarks.rules.ranking.groups import BINS, Grouping
from benchmarks.rules.ranking.queries import repetitions
from solver.report.charts import draw_curve, plot, shade
from solver.report.model import Report, Section, Table
from solver.report.numbers import MISSING, cut, left_out, p_value, percent
from solver.report.page import write_report

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from benchmarks.metrics.ranking import Numbers


_LONG = 24
_BOXES = ((0, 0), (1, 1), (2, 2), (3, 5), (6, 10), (11, 20), (21, None))


def groups_of(run: ModelComparison, grouping: Grouping) -> tuple[GroupResult, ...]:
    """The groups of one kind."""
    return tuple(result for result in run.groups if result.group.grouping is grouping)


def by_strikingness(run: ModelComparison) -> str:
    """MRR of each model by strikingness, with the number of events as bars (Figure 2)."""
    groups = groups_of(run, Grouping.STRIKINGNESS)
    places = range(len(groups))
    with plot(width=7.2, height=4.4) as drawn:
        axes = drawn.axes[0]
        bars = axes.twinx()
        bars.bar(places, [result.group.events for result in groups], color="0.85", zorder=0)
        bars.set_ylabel("events (bars)")
        # Draw the curves in front of the bars, which are on the other axes.
        axes.set_zorder(bars.get_zorder() + 1)
        axes.patch.set_visible(False)
        for number, name in enumerate(run.names):
            figures = [result.measures[number].mrr for result in groups]
            known = [figure for figure in figures if figure is not None]
            if len(known) == len(groups):
                draw_curve(axes, places, known, name, number)
        axes.set_xticks(list(places), [result.group.name for result in groups], rotation=30)
        axes.set(title="MRR by strikingness", xlabel="strikingness", ylabel="MRR")
        axes.set_ylim(bottom=0)
        axes.legend(fontsize=7)
    return drawn.svg


def heat(run: ModelComparison, grouping: Grouping) -> str:
    """Heat map of MRR by model and group; the best of each group is framed."""
    groups = groups_of(run, grouping)[:MOST_RELATIONS]
    models = [n for n, model in enumerate(run.models) if model.entrant.whole]
    names = 1.6 if grouping is Grouping.RELATION else 0.0
    size = (2.2 + 0.72 * len(groups), 1.4 + 0.34 * len(models) + names)
    with plot(width=size[0], height=size[1]) as drawn:
        axes = drawn.axes[0]
        figures = [[result.measures[n].mrr or 0.0 for result in groups] for n in models]
        shade(
            axes,
            figures,
            [[f"{100 * figure:.1f}" for figure in row] for row in figures],
            rows=[run.names[n] for n in models],
            columns=[_label(result) for result in groups],
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


def _label(result: GroupResult) -> str:
    """Axis label of a group: its name and number of events."""
    name, events = result.group.name, f"{result.group.events:,}"
    if result.group.grouping is Grouping.RELATION:
        return f"{cut(name, _LONG)}  {events}"
    if result.group.grouping is Grouping.STRIKING_OVERLAP:
        name = name.replace(" NO ", " NO\n")
    return f"{name}\n{events}"


NAMES = {
    "mrr": "MRR",
    "hits1": "Hits@1",
    "hits3": "Hits@3",
    "hits10": "Hits@10",
    "amr": "AMR",
    "amri": "AMRI",
}
"""Display names of metrics; weighted ones have the prefix W."""

MOST_RELATIONS = 12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankingRun:
    """The results of a run of ``score ranks``.

    Attributes:
        standings: the comparison of the models.
        weights: the strikingness file, or the name of a baseline measure; empty without weights.
        config: options of the run.
        inputs: files that were read.
        shares: eta and its MRR on the validation split, if eta was tuned.
        notes: remarks on the input.
    """

    standings: ModelComparison
    weights: str
    config: Mapping[str, object]
    inputs: tuple[str, ...]
    shares: tuple[tuple[float, float], ...] = ()
    notes: tuple[str, ...] = ()
    seed: int = 0

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON values."""
        queries = self.standings.queries
        return {
            "data": queries.dataset.name,
            "split": queries.split.value,
            "events": queries.events,
            "queries": len(queries),
            "weights": self.weights or None,
            "config": {name: str(value) for name, value in self.config.items()},
            "bias": self.standings.bias,
            "notes": list(self.notes),
            "ensemble_search": [{"share": value, "mrr": figure} for value, figure in self.shares],
            **as_json(self.standings),
        }


def write(run: RankingRun, folder: Path) -> Path:
    """Write ``scores.json``, ``report.html`` and ``manifest.json``; returns the page's path."""
    return write_report(
        folder,
        report(run),
        figures=run.as_json(),
        config=run.config,
        seed=run.seed,
        encodings=(),
        inputs=run.inputs,
    )


def report(run: RankingRun) -> Report:
    """The page."""
    standings, queries = run.standings, run.standings.queries
    facts = {
        "data": f"{queries.dataset.name}, {queries.split}",
        "events": f"{queries.events:,}, with an object and a subject query each",
        "weights": f"{run.weights} + {standings.bias:g}" if run.weights else "none",
        "filter": str(run.config["filter"]),
        "asked": str(run.config["queries"]),
        **{f"note {n}": note for n, note in enumerate(run.notes, 1)},
    }
    return Report(
        title=f"Ranks of {len(standings.models)} models on {queries.dataset.name}",
        lead=headline(standings),
        facts=facts,
        sections=tuple(_sections(run)),
    )


def headline(run: ModelComparison) -> str:
    """The best model by plain MRR, by weighted MRR and in each bin of strikingness."""
    if not run.whole:
        return ""
    leaders = [f"By MRR {_leader(run, 'plain')} leads"]
    if run.strikingness is not None:
        leaders.append(f"by weighted MRR {_leader(run, 'weighted')}")
    by_bin = [
        run.names[min(best([m.mrr for m in result.measures], "mrr"))]
        for result in groups_of(run, Grouping.STRIKINGNESS)
    ]
    where = [f"{name} leads {by_bin.count(name)}" for name in dict.fromkeys(by_bin)]
    bins = f" Of {len(by_bin)} bins of strikingness {', '.join(where)}." if where else ""
    return f"{', '.join(leaders)}.{bins}"


def _leader(run: ModelComparison, form: str) -> str:
    place = min(best([getattr(model, form).mrr for model in run.models], "mrr"))
    return f"{run.names[place]} ({100 * getattr(run.models[place], form).mrr:.2f})"


def _sections(run: RankingRun) -> Iterator[Section]:
    standings = run.standings
    text = "In percent, except AMR, for which lower is better; the best of each column in bold. "
    text += "95%: bootstrap interval of the last MRR; first: share of resamples with highest MRR."
    yield Section(title="Models", text=text, tables=(overall(standings),))
    ties = open_ties(standings)
    if ties is not None:
        text = "Equal scores ranked before the answer, in random order, or after it."
        yield Section(title="Ties", text=text, tables=(ties,))
    values = standings.strikingness
    if values is not None and standings.sweep is not None:
        yield from _striking(standings)
        plots = {
            "distribution": distribution(values),
            "by repetition": by_repetition(standings, values),
            "by frequency": by_frequency(standings, values),
        }
        yield Section(title="Strikingness", plots=plots)
    for grouping in Grouping:
        groups = groups_of(standings, grouping)
        if groups and standings.whole and grouping is not Grouping.STRIKINGNESS:
            more = left_out(len(groups) - MOST_RELATIONS, "scores.json")
            plots = {f"by {grouping}": heat(standings, grouping)}
            yield Section(title=f"By {grouping}", text=more, plots=plots)
    yield from agreement(standings)
    yield from tests(standings)
    if run.shares:
        rows = tuple((f"{share:g}", percent(figure)) for share, figure in run.shares)
        top = best([figure for _, figure in run.shares], "mrr")
        cells = frozenset((place, 1) for place in top)
        table = Table(columns=("eta", "MRR on valid"), rows=rows, best=cells)
        yield Section(title="Ensemble", text="Weight eta of the first model.", tables=(table,))


def _striking(run: ModelComparison) -> Iterator[Section]:
    swept = run.sweep
    if groups_of(run, Grouping.STRIKINGNESS):
        text = "A frame marks the best model of each bin."
        plots = {
            "MRR by strikingness": heat(run, Grouping.STRIKINGNESS),
            "MRR and events by strikingness": by_strikingness(run),
        }
        yield Section(title="Best model by strikingness", text=text, plots=plots)
    crossings = swept.crossings if swept is not None else ()
    rows = tuple((crossing.below, f"{crossing.bias:.4g}", crossing.above) for crossing in crossings)
    columns = ("leads below", "b", "leads above")
    tables = (Table(columns=columns, rows=rows),) if rows else ()
    text = "Biases at which two models swap ranks:" if rows else ""
    plots = {"WMRR by bias": over_bias(run)}
    yield Section(title="Bias", text=text, plots=plots, tables=tables)


def overall(run: ModelComparison) -> Table:
    """All metrics of all models, the best of each marked."""
    forms = ("plain",) if run.strikingness is None else ("plain", "weighted")
    columns = ["model"]
    cells: list[list[str]] = [[name] for name in run.names]
    marked = set()
    for form in forms:
        for metric in METRICS:
            columns.append(("W" if form == "weighted" else "") + NAMES[metric])
            values = [getattr(getattr(model, form), metric) for model in run.models]
            marked |= {(place, len(columns) - 1) for place in best(values, metric)}
            for row, value in zip(cells, values, strict=True):
                row.append(shown(value, metric))
    columns += ["95%", "first"]
    for row, (interval, leading) in zip(cells, drawn(run), strict=True):
        row += [interval, leading]
    rows = tuple(tuple(row) for row in cells)
    return Table(columns=tuple(columns), rows=rows, best=frozenset(marked))


def open_ties(run: ModelComparison) -> Table | None:
    """Bounds by tie-breaking of each model with scores; None if there is no such model."""
    metrics = METRICS[:4]
    rows = []
    for model in run.models:
        for prefix, bounds in zip(("", "W"), model.bounds or (), strict=False):
            if bounds is not None:
                sides = (bounds.pessimistic, bounds.expected, bounds.optimistic)
                rows += [
                    (
                        model.entrant.model,
                        prefix + NAMES[metric],
                        *(shown(getattr(side, metric), metric) for side in sides),
                    )
                    for metric in metrics
                ]
    columns = ("model", "metric", "pessimistic", "expected", "optimistic")
    return Table(columns=columns, rows=tuple(rows)) if rows else None


def shown(value: float | None, metric: str) -> str:
    """Format a figure in percent with two decimals; AMR, a ratio, with three; None as a dash."""
    return f"{value:.3f}" if metric == "amr" and value is not None else percent(value)


def drawn(run: ModelComparison) -> list[tuple[str, str]]:
    """The interval of each model and how often it leads; dashes for models without MRR."""
    if run.drawn is None:
        return [(MISSING, MISSING)] * len(run.models)
    known = iter(zip(run.drawn.intervals, run.drawn.leading, strict=True))
    found = []
    for model in run.models:
        if not model.entrant.whole:
            found.append((MISSING, MISSING))
            continue
        interval, leading = next(known)
        found.append((f"{percent(interval.low)}-{percent(interval.high)}", f"{leading:.0%}"))
    return found


def agreement(run: ModelComparison) -> Iterator[Section]:
    """The agreement of models (eq. 16), if there are several."""
    if not run.agreement or len(run.models) < 2:
        return
    numbers: Sequence[int] = range(len(run.models), 0, -1)
    rows = tuple(
        (
            agreement.group,
            f"{agreement.events:,}",
            *(percent(agreement.shares[n - 1]) for n in numbers),
        )
        for agreement in run.agreement
    )
    columns = ("strikingness", "events", *(f"{n} model{'s' * (n != 1)}" for n in numbers))
    text = "Percent of queries that at least n models rank in the top three; closed bins."
    yield Section(title="Agreement", text=text, tables=(Table(columns=columns, rows=rows),))


def tests(run: ModelComparison) -> Iterator[Section]:
    """Tests of whether events of low strikingness are answered better than those of high."""
    if not run.tests:
        return
    rows = tuple(
        (
            *(test.model, f"Hits@{test.cut}", percent(test.low), percent(test.high)),
            *(f"{test.welch[0]:.2f}", p_value(test.welch[1])),
            *(f"{test.mann_whitney[0]:,.0f}", p_value(test.mann_whitney[1])),
        )
        for test in run.tests
    )
    columns = ("model", "metric", "sk < .2", "sk > .8", "Welch t", "p", "Mann-Whitney U", "p")
    text = "Percent of queries at strikingness below .2 and above .8, and p values of the tests."
    table = Table(columns=columns, rows=rows)
    yield Section(title="Low and high strikingness", text=text, tables=(table,))
