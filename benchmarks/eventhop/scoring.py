"""Runs of ``score nli`` and ``diagnose``, and the report of the first: JSON, page and plots.

The plots are as in Figures 2-4 of EventHopNLI.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.eventhop.ablations.reasoners import DIAGNOSED, read_reasoners
from benchmarks.eventhop.cases import (
    Cases,
    Dimension,
    Gold,
    gold_labels,
    groups,
    minimal_groups,
    read_cases,
)
from benchmarks.eventhop.diagnosis.likelihood import observations, reasoner_answers
from benchmarks.eventhop.diagnosis.ranking import rank
from benchmarks.eventhop.diagnosis.report import Diagnosis
from benchmarks.eventhop.predictions import (
    AnswerReport,
    Prediction,
    answered_labels,
    read_label_predictions,
    unreadable,
)
from benchmarks.eventhop.scores import Scores, score
from benchmarks.metrics.bootstrap import RESAMPLES, estimate_series
from benchmarks.predictions import MatchedPredictions, match_predictions, unusable
from solver.eventhop.engines import ItemSettings
from solver.eventhop.labels import LabelScheme
from solver.eventhop.records import label_words
from solver.processes import Progress, no_progress
from solver.report.charts import confusion_matrix, curve_chart
from solver.report.model import Point, Report, Section, Table
from solver.report.numbers import decimal_interval
from solver.report.page import write_report


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerData:
    """Items, and the predictions matched with them."""

    items: Cases
    matched: MatchedPredictions[Prediction]

    def notes(self) -> Iterator[str]:
        """Describe in a line each what could not be used."""
        wrong = unreadable(self.matched)
        silent = [prediction.id for prediction in wrong if not prediction.ambiguous]
        several = [prediction.id for prediction in wrong if prediction.ambiguous]
        yield from self.matched.notes("item")
        yield from unusable("item", "answered without a label", silent)
        yield from unusable("item", "answered with several labels (ambiguous)", several)


def read_answer_data(path: str, data: Sequence[str], settings: ItemSettings) -> AnswerData:
    """Read predictions and items.

    Args:
        path: file of predictions.
        data: files of items.
        settings: how the items are read and decided.

    Raises:
        HopcheckError: a file cannot be read, or no prediction is for one of the items.
    """
    return match_answers(path, read_cases(data, settings), settings)


def match_answers(path: str, items: Cases, settings: ItemSettings) -> AnswerData:
    """Read predictions of items that are read.

    Raises:
        HopcheckError: a file cannot be read, or no prediction is for one of the items.
    """
    words = None if settings.mapping is None else settings.mapping.labels
    predictions = read_label_predictions(path, words, settings.labels)
    matched = match_predictions(predictions, [case.record.id for case in items.cases], "item")
    return AnswerData(items=items, matched=matched)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreConfig:
    """How answers to items are scored.

    Attributes:
        gold: source of the gold labels.
        settings: how the items are read and decided.
        resamples: number of bootstrap resamples.
        seed: random seed of the bootstrap.
    """

    gold: Gold = Gold.DECIDED
    settings: ItemSettings = field(default_factory=ItemSettings)
    resamples: int = RESAMPLES
    seed: int = 0


def score_answers(data: AnswerData, paths: Sequence[str], config: ScoreConfig) -> ScoreReport:
    """Score answers to items.

    Args:
        data: the items and the answers.
        paths: names of the item files.
        config: how they are scored.

    Raises:
        UnlabelledError: an item has no gold label in its file, which is the source of labels.
    """
    scheme = config.settings.labels
    return ScoreReport(
        data=tuple(paths),
        matched=data.matched,
        gold=config.gold.value,
        differing=_differing(data.items, scheme),
        unparsed=len(data.items.unparsed),
        scores=score(
            gold_labels(data.items, config.gold, scheme),
            answered_labels(data.matched),
            groups(data.items.cases),
            minimal_groups(data.items.cases) if scheme is None else (),
            labels=label_words(scheme),
            seed=config.seed,
            resamples=config.resamples,
        ),
        config={
            "gold": config.gold.value,
            "resamples": config.resamples,
            "spatial": config.settings.spatial,
            "domain": config.settings.domain,
            **({} if scheme is None else {"labels": scheme.name}),
        },
        seed=config.seed,
    )


def _differing(read: Cases, scheme: LabelScheme | None) -> int | None:
    decided = gold_labels(read, Gold.DECIDED, scheme)
    labels = [case.record.label for case in read.cases]
    if all(gold is None for gold in labels):
        return None
    return sum(
        gold is not None and gold != right for gold, right in zip(labels, decided, strict=True)
    )


def diagnose_answers(
    data: AnswerData,
    paths: Sequence[str],
    settings: ItemSettings,
    *,
    seed: int = 0,
    reasoners: Sequence[str] = (),
    progress: Progress = no_progress,
) -> Diagnosis:
    """Find the ablated reasoner that best explains a model's answers.

    Args:
        data: the items and the answers.
        paths: names of the item files.
        settings: how the items were read and decided.
        seed: random seed.
        reasoners: programs of more reasoners, see ``read_reasoner``.
        progress: shows the progress of ``answers``.
    """
    pairs = zip(data.items.cases, answered_labels(data.matched), strict=True)
    readable = [(case, label) for case, label in pairs if label is not None]
    cases = [case for case, _ in readable]
    more = read_reasoners(reasoners)
    with progress("answers", len(cases) * (len(DIAGNOSED) + len(more) - 1)) as advance:
        answers = reasoner_answers(cases, more=more, progress=advance)
    labels = [label for _, label in readable]
    scheme = settings.labels
    observed = observations(cases, answers, labels, seed=seed, more=more, scheme=scheme)
    silent = {name: _LABELS_ALONE for name in answers.labels if name not in observed.names}
    return Diagnosis(
        data=tuple(paths),
        matched=data.matched,
        unparsed=len(data.items.unparsed),
        left_out=dict(answers.left_out) | silent,
        observed=observed,
        ranking=rank(observed, groups(cases)),
        config={
            "spatial": settings.spatial,
            "domain": settings.domain,
            "reasoners": [Path(reasoner).name for reasoner in reasoners],
            **({} if scheme is None else {"labels": scheme.name}),
        },
        seed=seed,
    )


_LABELS_ALONE = "it has labels alone, in which a refuted claim and an open one are both false"
SHOWN = 20
_EXCERPT = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReport(AnswerReport):
    """The result of ``score nli``.

    Attributes:
        gold: source of the gold labels, ``decided`` or ``file``.
        differing: items whose label in the file is not the decided one; None if the files have no
            labels.
    """

    gold: str
    differing: int | None
    scores: Scores

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON values; metrics are in [0, 1]."""
        return {
            "data": list(self.data),
            "predictions": self.predictions.name,
            "items": self.scores.overall.items,
            "unparsed": self.unparsed,
            "gold": self.gold,
            "gold_differs_from_decided": self.differing,
            **self.matched.as_json(),
            "broken": list(self.predictions.broken),
            "unreadable": [
                {"id": prediction.id, "answer": excerpt(prediction.text)}
                for prediction in unreadable(self.matched)
            ],
            "ambiguous": [
                prediction.id for prediction in unreadable(self.matched) if prediction.ambiguous
            ],
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
                *(
                    f"{figure:.3f}"
                    for figure in (label_score.precision, label_score.recall, label_score.f1)
                ),
                f"{label_score.support:,}",
            )
            for label, label_score in run.scores.labels.items()
        ),
    )
    return Section(title="Labels", plots={"confusion": matrix}, tables=(table,))


def _groups(run: ScoreReport) -> Iterator[Section]:
    for dimension, scores in run.scores.by_group.items():
        figures = [each_score.macro_f1 for each_score in scores.values()]
        curve = estimate_series("macro-F1, 95%", figures)
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
