"""The report of ``ablate``: figures, and a page with a table and plot per kind of group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.eventhop.ablations.reasoners import BOUNDS, REASONERS, Answers, answer, reasoner
from benchmarks.eventhop.cases import NO_HOPS, STANDARD, Cases, Dimension, Group, groups
from benchmarks.eventhop.scores import Numbers, label_confusion, numbered
from benchmarks.eventhop.scoring import plot_name
from benchmarks.metrics.classification import accuracy, macro_f1
from grammar.eventhop.model import Label
from solver.eventhop.engines import ItemSettings
from solver.processes import Progress, no_progress
from solver.report.charts import Series, bar_chart, curve_chart, heat_map
from solver.report.model import Point, Report, Section, Table
from solver.report.page import write_report


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


def score_reasoners(
    read: Cases, paths: Sequence[str], settings: ItemSettings, progress: Progress = no_progress
) -> Ablations:
    """Answer items by every reasoner, and score the answers.

    Args:
        read: the items, decided.
        paths: names of their files.
        settings: how they were read.
        progress: shows the progress of ``answers``.
    """
    items = [case.item for case in read.cases]
    with progress("answers", len(items) * len(REASONERS)) as advance:
        answers = answer(items, read.decided, progress=advance)
    return Ablations(
        files=tuple(paths),
        items=len(items),
        unparsed=len(read.unparsed),
        config={"spatial": settings.spatial, "domain": settings.domain},
        answers=answers,
        rows=tuple(table(answers, read.decided, groups(read.cases))),
    )


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
            dimension.value: {name: asdict(figure) for name, figure in figures.items()}
            for dimension, figures in row.by_group.items()
        },
    }


def write(run: Ablations, folder: Path) -> Path:
    """Write the figures, a page, the plots and a manifest; returns the path of the page."""
    used = {
        each_reasoner.encoding
        for each_reasoner in REASONERS
        if each_reasoner.name in run.answers.labels and each_reasoner.encoding
    }
    return write_report(
        folder,
        report(run),
        figures=run.as_json(),
        summary="ablations.json",
        page="ablations.md",
        config=run.config,
        encodings=used,
        inputs=run.files,
    )


def report(run: Ablations) -> Report:
    """The page: all reasoners, and each by the groups of items."""
    overall = {row.reasoner: row.overall.macro_f1 for row in run.rows}
    title = f"macro-F1 of each reasoner, {run.items:,} items"
    bars = bar_chart(
        list(overall),
        [Series(name="", values=list(overall.values()))],
        axis="macro-F1",
        title=title,
        top=1.1,
        labelled=True,
    )
    every = Section(
        title="All items",
        points=tuple(
            Point(text=f"Left out: {name}: {reason}")
            for name, reason in run.answers.left_out.items()
        ),
        plots={"overall": bars, "bounded-by-hops": _bounds(run.rows)},
        tables=(
            Table(
                columns=("reasoner", "macro-F1", "accuracy", "description"),
                rows=tuple(
                    (
                        row.reasoner,
                        f"{row.overall.macro_f1:.3f}",
                        f"{row.overall.accuracy:.3f}",
                        reasoner(row.reasoner).meaning,
                    )
                    for row in run.rows
                ),
            ),
        ),
    )
    return Report(
        title="Ablated reasoners",
        lead=f"{run.items:,} items of {', '.join(Path(file).name for file in run.files)}. Macro-F1 "
        "against the decided labels (policy `local`); items in the last row.",
        sections=(every, *(_by(run.rows, dimension) for dimension in STANDARD)),
    )


def _bounds(rows: Sequence[Row]) -> str:
    """A plot of the bounded reasoners by the hops of items."""
    hops = [name for name in rows[0].by_group[Dimension.HOPS] if name != NO_HOPS]
    bounded = {f"hops-{bound}" for bound in BOUNDS}
    curves = [
        Series(
            name=row.reasoner,
            values=[row.by_group[Dimension.HOPS][name].macro_f1 for name in hops],
        )
        for row in rows
        if row.reasoner in bounded
    ]
    return curve_chart(hops, curves, title="chains of bounded length", axis="hops")


def _by(rows: Sequence[Row], dimension: Dimension) -> Section:
    """Every reasoner by the groups of a dimension."""
    names = list(rows[0].by_group[dimension])
    values = [[row.by_group[dimension][name].macro_f1 for name in names] for row in rows]
    plot = heat_map(
        values,
        [[f"{value:.2f}" for value in row] for row in values],
        rows=[row.reasoner for row in rows],
        columns=names,
        title=f"macro-F1 by {dimension.value}",
        axes_names=("", dimension.value),
    )
    figures = [
        (row.reasoner, *(f"{value:.3f}" for value in line))
        for row, line in zip(rows, values, strict=True)
    ]
    counts = (f"{rows[0].by_group[dimension][name].items:,}" for name in names)
    table = Table(columns=("reasoner", *names), rows=(*figures, ("items", *counts)))
    return Section(
        title=f"By {dimension.value}", plots={plot_name(dimension): plot}, tables=(table,)
    )
