"""The report of ``score nli``: JSON, a page, and plots as in Figures 2-4 of EventHopNLI."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.eventhop.cases import Dimension
from benchmarks.eventhop.predictions import Prediction, unreadable
from benchmarks.eventhop.scores import Scores
from benchmarks.predictions import MatchedPredictions, Predictions
from solver.report.charts import Series, confusion_matrix, curve_chart
from solver.report.model import Point, Report, Section, Table
from solver.report.numbers import decimal_interval
from solver.report.page import write_report

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
            "ambiguous": [one.id for one in unreadable(self.matched) if one.ambiguous],
            **self.scores.as_json(),
        }


def excerpt(text: str) -> str:
    """The end of an answer on one line, where a label is most likely."""
    line = " ".join(text.split())
    return line if len(line) <= _EXCERPT else f"…{line[-_EXCERPT:]}"


def write(run: ScoreReport, folder: Path) -> Path:
    """Write the figures, a page, the plots and a manifest; returns the path of the page."""
    return write_report(
        folder,
        report(run),
        figures=run.as_json(),
        page="scores.md",
        config=run.config,
        seed=run.seed,
        inputs=[*run.data, run.predictions.name],
    )


def report(run: ScoreReport) -> Report:
    """The page: scores by label and by group, and what was not used."""
    overall = run.scores.overall
    whole = "" if run.scores.minimal is None else f" {str(run.scores.minimal).capitalize()}."
    gold = "decided label" if run.gold == "decided" else "label of the file"
    return Report(
        title=f"Answers of {Path(run.predictions.name).name}",
        lead=f"{overall.items:,} items of {', '.join(Path(file).name for file in run.data)}; "
        f"gold: the {gold}. Macro-F1 {decimal_interval(overall.macro_f1)}, accuracy "
        f"{decimal_interval(overall.accuracy)}; 95% bootstrap intervals in brackets.{whole}",
        sections=(_labels(run), *_groups(run), *_unused(run)),
    )


def _labels(run: ScoreReport) -> Section:
    rows = run.scores.confusion
    columns = list(next(iter(rows.values())))
    counts = [list(row.values()) for row in rows.values()]
    matrix = confusion_matrix(counts, rows=list(rows), columns=columns, title="answers by label")
    table = Table(
        columns=("label", "precision", "recall", "F1", "items"),
        rows=tuple(
            (
                str(label),
                *(f"{figure:.3f}" for figure in (one.precision, one.recall, one.f1)),
                f"{one.support:,}",
            )
            for label, one in run.scores.labels.items()
        ),
    )
    return Section(title="Labels", plots={"confusion": matrix}, tables=(table,))


def _groups(run: ScoreReport) -> Iterator[Section]:
    for dimension, scores in run.scores.by_group.items():
        figures = [one.macro_f1 for one in scores.values()]
        curve = Series(
            name="macro-F1, 95%",
            values=[one.value for one in figures],
            low=[one.low for one in figures],
            high=[one.high for one in figures],
        )
        title = f"macro-F1 by {dimension.value}"
        plot = curve_chart(list(scores), [curve], title=title, axis=dimension.value)
        table = Table(
            columns=(dimension.value, "macro-F1", "accuracy", "items"),
            rows=tuple(
                (
                    name,
                    decimal_interval(score.macro_f1),
                    decimal_interval(score.accuracy),
                    f"{score.items:,}",
                )
                for name, score in scores.items()
            ),
        )
        yield Section(
            title=f"By {dimension.value}", plots={plot_name(dimension): plot}, tables=(table,)
        )


def plot_name(dimension: Dimension) -> str:
    """The name of the plot by a dimension."""
    return f"by-{dimension.value.replace(' ', '-')}"


def _unused(run: ScoreReport) -> Iterator[Section]:
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
            points = [f"`{name.replace('`', chr(39))}`" for name in names[:SHOWN]]
            if len(names) > SHOWN:
                points.append(f"and {len(names) - SHOWN:,} more: see scores.json")
            yield Section(
                title=f"{title}: {len(names):,}",
                points=tuple(Point(text=point) for point in points),
            )
