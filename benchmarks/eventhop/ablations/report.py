"""The report of ``ablate``: JSON, a page of tables, a plot for each kind of group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.eventhop.ablations.reasoners import BOUNDS, REASONERS, Answers, reasoner
from benchmarks.eventhop.cases import NO_HOPS, Dimension, Group
from benchmarks.eventhop.scores import Numbers, label_confusion, numbered
from benchmarks.metrics.classification import accuracy, macro_f1
from grammar.eventhop.model import Label
from solver.io.writing import atomic, write_json
from solver.manifest import manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """Scores of a reasoner on some items; both are in [0, 1], higher is better."""

    macro_f1: float
    accuracy: float
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Scores of one reasoner.

    Attributes:
        overall: on all items.
        by_group: dimension -> name of the group -> figure.
    """

    reasoner: str
    overall: Figure
    by_group: Mapping[Dimension, Mapping[str, Figure]]


def table(answers: Answers, decided: Sequence[Label], grouped: Sequence[Group]) -> list[Row]:
    """One row per reasoner."""
    gold = numbered(decided)
    return [
        _row_table(name, gold, numbered(labels), grouped) for name, labels in answers.labels.items()
    ]


def _row_table(name: str, gold: Numbers, answers: Numbers, grouped: Sequence[Group]) -> Row:
    by_group: dict[Dimension, dict[str, Figure]] = {}
    for group in grouped:
        members = list(group.members)
        figure = _figure(gold[members], answers[members])
        by_group.setdefault(group.dimension, {})[group.name] = figure
    return Row(reasoner=name, overall=_figure(gold, answers), by_group=by_group)


def _figure(gold: Numbers, answers: Numbers) -> Figure:
    counts = label_confusion(gold, answers)
    return Figure(
        macro_f1=round(macro_f1(counts), 4),
        accuracy=round(accuracy(counts), 4),
        items=len(gold),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablations:
    """The result of a run.

    Attributes:
        files: names of the inputs, as given.
        items: number of items.
        unparsed: number of rows that cannot be parsed as items.
        config: the run's options.
    """

    files: tuple[str, ...]
    items: int
    unparsed: int
    config: dict[str, object]
    answers: Answers
    rows: tuple[Row, ...]

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON values; metrics are in [0, 1]."""
        return {
            "files": list(self.files),
            "items": self.items,
            "unparsed": self.unparsed,
            "policy": "local",
            "left_out": dict(self.answers.left_out),
            "reasoners": [_row(row) for row in self.rows],
        }


def _row(row: Row) -> dict[str, Any]:
    return {
        "name": row.reasoner,
        "meaning": reasoner(row.reasoner).meaning,
        "macro_f1": row.overall.macro_f1,
        "accuracy": row.overall.accuracy,
        "by": {
            dimension.value: {
                name: {
                    "macro_f1": figure.macro_f1,
                    "accuracy": figure.accuracy,
                    "items": figure.items,
                }
                for name, figure in figures.items()
            }
            for dimension, figures in row.by_group.items()
        },
    }


def write_report(run: Ablations, folder: Path) -> Path:
    """Write the figures, a page, the plots and a manifest; returns the path of the page."""
    from benchmarks.eventhop.report import plot_bars

    written = [folder / "ablations.json", folder / "ablations.md", folder / "overall.svg"]
    write_json(written[0], run.as_json())
    with atomic(written[1]) as file:
        file.write("".join(_page(run)).encode())
    overall = {row.reasoner: row.overall.macro_f1 for row in run.rows}
    plot_bars(written[2], overall, title=f"macro-F1 of each reasoner, {run.items:,} items")
    written += [_grid(run.rows, dimension, folder) for dimension in Dimension]
    written.append(_bounds(run.rows, folder))
    used = {one.encoding for one in REASONERS if one.name in run.answers.labels and one.encoding}
    described = manifest(config=run.config, encodings=used, inputs=run.files, outputs=written)
    write_json(folder / "manifest.json", described)
    return written[1]


def _grid(rows: Sequence[Row], dimension: Dimension, folder: Path) -> Path:
    """A plot of every reasoner by the groups of a dimension."""
    from benchmarks.eventhop.report import plot_grid

    names = list(rows[0].by_group[dimension])
    path = folder / _plot(dimension)
    plot_grid(
        path,
        [[row.by_group[dimension][name].macro_f1 for name in names] for row in rows],
        rows=[row.reasoner for row in rows],
        columns=names,
        title=f"macro-F1 by {dimension.value}",
        axis=dimension.value,
    )
    return path


def _bounds(rows: Sequence[Row], folder: Path) -> Path:
    """A plot of the bounded reasoners by the hops of items."""
    from benchmarks.eventhop.report import Curve, plot_curves

    hops = [name for name in rows[0].by_group[Dimension.HOPS] if name != NO_HOPS]
    bounded = {f"hops-{bound}" for bound in BOUNDS}
    curves = [
        Curve(
            name=row.reasoner,
            values=[row.by_group[Dimension.HOPS][name].macro_f1 for name in hops],
        )
        for row in rows
        if row.reasoner in bounded
    ]
    path = folder / "bounded-by-hops.svg"
    plot_curves(path, curves, names=hops, title="chains of bounded length", axis="hops")
    return path


def _plot(dimension: Dimension) -> str:
    return f"by-{dimension.value.replace(' ', '-')}.svg"


def _page(run: Ablations) -> Iterator[str]:
    yield "# Ablated reasoners\n\n"
    yield f"{run.items:,} items of {', '.join(Path(file).name for file in run.files)}. "
    yield "Macro-F1 against the decided labels (policy `local`); items in the last row.\n\n"
    yield "| reasoner | macro-F1 | accuracy | description |\n|---|---:|---:|---|\n"
    for row in run.rows:
        meaning = reasoner(row.reasoner).meaning
        figures = f"{row.overall.macro_f1:.3f} | {row.overall.accuracy:.3f}"
        yield f"| {row.reasoner} | {figures} | {meaning} |\n"
    for name, reason in run.answers.left_out.items():
        yield f"\nLeft out: {name}: {reason}\n"
    yield "\n![macro-F1 of all](overall.svg)\n![bounded chains by hops](bounded-by-hops.svg)\n"
    for dimension in Dimension:
        yield f"\n## By {dimension.value}\n\n"
        yield f"![macro-F1 by {dimension.value}]({_plot(dimension)})\n\n"
        yield from _by(run.rows, dimension)


def _by(rows: Sequence[Row], dimension: Dimension) -> Iterator[str]:
    names = list(rows[0].by_group[dimension])
    yield f"| reasoner | {' | '.join(names)} |\n|---|{'---:|' * len(names)}\n"
    for row in rows:
        figures = (f"{row.by_group[dimension][name].macro_f1:.3f}" for name in names)
        yield f"| {row.reasoner} | {' | '.join(figures)} |\n"
    counts = (f"{rows[0].by_group[dimension][name].items:,}" for name in names)
    yield f"| items | {' | '.join(counts)} |\n"
