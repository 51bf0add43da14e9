"""The report of ``score nli``: JSON, a page, and plots as in Figures 2-4 of EventHopNLI."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes

from benchmarks.eventhop.predictions import Prediction, unreadable
from benchmarks.eventhop.scores import Scores
from benchmarks.metrics.bootstrap import Estimate
from benchmarks.predictions import MatchedPredictions, Predictions
from solver.io.writing import atomic, write_json
from solver.manifest import manifest
from solver.report.charts import HEIGHT, plot, shade

SHOWN = 20
_EXCERPT = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReport:
    """The result of a run.

    Attributes:
        data: names of the item files, as given.
        gold: source of the gold labels, ``decided`` or ``file``.
        differing: items whose label in the file is not the decided one; None if the files have no
            labels.
        unparsed: number of rows that cannot be parsed as items.
        config: the run's options.
    """

    data: tuple[str, ...]
    predictions: Predictions[Prediction]
    matched: MatchedPredictions[Prediction]
    gold: str
    differing: int | None
    unparsed: int
    scores: Scores
    config: dict[str, object]
    seed: int

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON values; metrics are in [0, 1]."""
        return {
            "data": list(self.data),
            "predictions": self.predictions.name,
            "items": self.scores.overall.items,
            "unparsed": self.unparsed,
            "gold": self.gold,
            "gold_differs_from_decided": self.differing,
            "missing": list(self.matched.missing),
            "unknown": list(self.matched.unknown),
            "doubled": list(self.predictions.repeated),
            "broken": list(self.predictions.broken),
            "unreadable": [
                {"id": one.id, "answer": excerpt(one.text)} for one in unreadable(self.matched)
            ],
            **self.scores.as_json(),
        }


def excerpt(text: str) -> str:
    """The end of an answer on one line, where a label is most likely."""
    line = " ".join(text.split())
    return line if len(line) <= _EXCERPT else f"…{line[-_EXCERPT:]}"


def write_report(run: ScoreReport, folder: Path) -> Path:
    """Write the figures, a page, the plots and a manifest; returns the path of the page."""
    written = [folder / "scores.json", folder / "scores.md", folder / "confusion.svg"]
    write_json(written[0], run.as_json())
    with atomic(written[1]) as file:
        file.write("".join(_page(run)).encode())
    rows = run.scores.confusion
    columns = list(next(iter(rows.values())))
    counts = [list(row.values()) for row in rows.values()]
    plot_confusion(written[2], counts, rows=list(rows), columns=columns, title="answers by label")
    for dimension, scores in run.scores.by_group.items():
        figures = [one.macro_f1 for one in scores.values()]
        curve = Curve(
            name="macro-F1, 95%",
            values=[one.value for one in figures],
            low=[one.low for one in figures],
            high=[one.high for one in figures],
        )
        path = folder / f"by-{dimension.value.replace(' ', '-')}.svg"
        title = f"macro-F1 by {dimension.value}"
        plot_curves(path, [curve], names=list(scores), title=title, axis=dimension.value)
        written.append(path)
    inputs = [*run.data, run.predictions.name]
    described = manifest(config=run.config, seed=run.seed, inputs=inputs, outputs=written)
    write_json(folder / "manifest.json", described)
    return written[1]


def _page(run: ScoreReport) -> Iterator[str]:
    overall = run.scores.overall
    yield f"# Answers of {Path(run.predictions.name).name}\n\n"
    yield f"{overall.items:,} items of {', '.join(Path(file).name for file in run.data)}; "
    yield f"gold: the {'decided label' if run.gold == 'decided' else 'label of the file'}. "
    yield f"Macro-F1 {format_interval(overall.macro_f1)}, "
    yield f"accuracy {format_interval(overall.accuracy)}; 95% bootstrap intervals in brackets.\n\n"
    yield "| label | precision | recall | F1 | items |\n|---|---:|---:|---:|---:|\n"
    for label, one in run.scores.labels.items():
        figures = f"{one.precision:.3f} | {one.recall:.3f} | {one.f1:.3f}"
        yield f"| {label} | {figures} | {one.support:,} |\n"
    yield "\n![confusion](confusion.svg)\n"
    for dimension, scores in run.scores.by_group.items():
        yield f"\n## By {dimension.value}\n\n"
        yield f"![macro-F1](by-{dimension.value.replace(' ', '-')}.svg)\n\n"
        yield f"| {dimension.value} | macro-F1 | accuracy | items |\n|---|---:|---:|---:|\n"
        for name, score in scores.items():
            figures = f"{format_interval(score.macro_f1)} | {format_interval(score.accuracy)}"
            yield f"| {name} | {figures} | {score.items:,} |\n"
    yield from _unused(run)


def _unused(run: ScoreReport) -> Iterator[str]:
    """Predictions and items that were not used."""
    unused = {
        "Items without an answer": run.matched.missing,
        "Answers to no item of the data": run.matched.unknown,
        "Items answered more than once (the first answer counts)": run.predictions.repeated,
        "Rows that are not predictions": run.predictions.broken,
        "Answers without a label": [f"{p.id}: {excerpt(p.text)}" for p in unreadable(run.matched)],
    }
    for title, names in unused.items():
        if names:
            yield f"\n## {title}: {len(names):,}\n\n"
            yield from (f"- `{name.replace('`', chr(39))}`\n" for name in names[:SHOWN])
            if len(names) > SHOWN:
                yield f"- and {len(names) - SHOWN:,} more: see scores.json\n"


def format_interval(interval: Estimate) -> str:
    """Format a value with its interval as ``0.712 [0.690, 0.733]``."""
    return f"{interval.value:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


_DASHES = ("-", "--", "-.", ":")


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Values in [0, 1] over the names on the horizontal axis; None for missing values.

    ``low`` and ``high`` are the bounds of an optional band around the curve.
    """

    name: str
    values: Sequence[float | None]
    low: Sequence[float | None] = ()
    high: Sequence[float | None] = ()


def plot_curves(
    path: Path, curves: Sequence[Curve], *, names: Sequence[str], title: str, axis: str
) -> None:
    """Plot curves over named positions, as in Figures 2 and 3 of EventHopNLI."""
    with _figure(path, legend=True) as axes:
        places = range(len(names))
        for number, curve in enumerate(curves):
            color, dash = f"C{number % 10}", _DASHES[number // 10 % len(_DASHES)]
            known = [(x, y) for x, y in zip(places, curve.values, strict=True) if y is not None]
            xs, ys = [x for x, _ in known], [y for _, y in known]
            axes.plot(xs, ys, marker="o", label=curve.name, color=color, linestyle=dash)
            band = [
                (x, low, high)
                for x, low, high in zip(places, curve.low, curve.high, strict=False)
                if low is not None and high is not None
            ]
            sides = [[part[side] for part in band] for side in range(3)]
            axes.fill_between(sides[0], sides[1], sides[2], alpha=0.2, color=color)
        axes.set_xticks(list(places), list(names))
        axes.set_ylim(-0.02, 1.02)
        axes.set(title=title, xlabel=axis, ylabel="macro-F1")


def plot_bars(
    path: Path, values: Mapping[str, float], *, title: str, axis: str = "macro-F1"
) -> None:
    """Plot a bar in [0, 1] for each name."""
    with _figure(path, height=0.9 + 0.26 * len(values)) as axes:
        names = list(values)
        drawn = axes.barh(names, [values[name] for name in names])
        axes.bar_label(drawn, fmt="%.2f", padding=2)
        axes.invert_yaxis()
        axes.set_xlim(0, 1.1)
        axes.set(title=title, xlabel=axis)


def plot_confusion(
    path: Path,
    counts: Sequence[Sequence[int]],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    title: str,
    axes_names: tuple[str, str] = ("gold label", "answer"),
) -> None:
    """Plot a confusion matrix, shaded by shares of the rows, as in Figure 4 of EventHopNLI."""
    shares = [[count / max(sum(row), 1) for count in row] for row in counts]
    with _figure(path) as axes:
        texts = [[f"{count:,}" for count in row] for row in counts]
        shade(axes, shares, texts, rows=rows, columns=columns)
        axes.set(title=title, ylabel=axes_names[0], xlabel=axes_names[1])


def plot_grid(
    path: Path,
    values: Sequence[Sequence[float]],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    title: str,
    axis: str,
) -> None:
    """Plot values in [0, 1] as a heat map."""
    with _figure(path, height=0.9 + 0.26 * len(rows)) as axes:
        texts = [[f"{one:.2f}" for one in row] for row in values]
        shade(axes, values, texts, rows=rows, columns=columns)
        axes.set(title=title, xlabel=axis)


@contextmanager
def _figure(path: Path, *, height: float = HEIGHT, legend: bool = False) -> Iterator[Axes]:
    """A figure that is written to the path at the end."""
    with plot(height=height, legend=legend) as drawn:
        yield drawn.axes[0]
    with atomic(path) as file:
        file.write(drawn.svg.encode())
