"""The tables of ``score questions``, and the folder of ``--report``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.metrics.bootstrap import estimate_series
from benchmarks.predictions import MatchedPredictions
from benchmarks.questions.predictions import Ranking
from benchmarks.questions.scores import LABELLED, NO_ANSWER, RANKED, Grouping, Score, Scores
from solver.report.charts import bar_chart
from solver.report.model import Report, Section, Table
from solver.report.numbers import cut, left_out, percent, percent_interval
from solver.report.page import write_report

NAMES = {"mrr": "MRR", "hits1": "Hits@1", "hits10": "Hits@10", "accuracy": "accuracy"}
"""Display names of the figures."""

_LONGEST = 36


def overall_plot(scores: Scores) -> str:
    """Plot the main figure of each part: MRR or accuracy."""
    figures = [next(iter(score.figures.values())) for score in scores.parts.values()]
    return bar_chart(list(scores.parts), [estimate_series("", figures)], axis="MRR or accuracy")


def group_plot(groups: Mapping[str, Score]) -> str:
    """Plot all figures of each group, the first group on top."""
    names = list(next(iter(groups.values())).figures)
    return bar_chart(
        [f"{cut(group, _LONGEST)} ({score.questions:,})" for group, score in groups.items()],
        [
            estimate_series(NAMES[name], [score.figures[name] for score in groups.values()])
            for name in names
        ],
        axis=NAMES[names[0]] if len(names) == 1 else "",
    )


MOST_RELATIONS = 12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoringResult:
    """The result of a run of ``score questions``.

    Attributes:
        predictions, questions: names of the files.
        matched: predictions, matched with the questions.
        config: options of the run.
        inputs: files that were read.
    """

    predictions: str
    questions: str
    scores: Scores
    matched: MatchedPredictions[Ranking]
    config: Mapping[str, object]
    inputs: tuple[str, ...]
    seed: int = 0

    @property
    def size(self) -> int:
        """Number of scored questions."""
        return sum(self.scores.parts[name].questions for name in self.scores.kinds)

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON values."""
        return {
            "predictions": self.predictions,
            "questions": self.questions,
            **self.matched.as_json(),
            "config": {name: str(value) for name, value in self.config.items()},
            **self.scores.as_json(),
        }


def write(run: ScoringResult, folder: Path) -> Path:
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


def report(run: ScoringResult) -> Report:
    """The page."""
    facts = {"questions": f"{run.size:,} of {run.questions}"}
    if run.matched.missing:
        facts["not answered"] = f"{len(run.matched.missing):,}, counted as wrong"
    return Report(
        title=f"Answers of {run.predictions}",
        lead=headline(run.scores),
        facts=facts,
        sections=tuple(_sections(run.scores)),
    )


def headline(scores: Scores) -> str:
    """The main figure of each part in one sentence."""
    figures = [
        f"{name} {NAMES[first]} {percent_interval(score.figures[first])}"
        for name, score in scores.parts.items()
        for first in list(score.figures)[:1]
    ]
    return f"In percent, with 95% intervals: {', '.join(figures)}."


def _sections(scores: Scores) -> Iterator[Section]:
    text = "In percent, with 95% bootstrap intervals over questions in brackets."
    yield Section(title="Overall", plots={"overall": overall_plot(scores)})
    for title, names in (("Entities", RANKED), ("Labels and choices", LABELLED)):
        if (table := overall(scores, names)) is not None:
            yield Section(title=title, text=text, tables=(table,))
    if scores.labels:
        yield Section(title="Yes or unknown", tables=(labels(scores),))
    if scores.chosen:
        text = "Choices are named by their rank of contribution."
        yield Section(title="Chosen", text=text, tables=(chosen(scores),))
    for part in scores.parts:
        for grouping in Grouping:
            groups = scores.groups[part].get(grouping)
            if not groups:
                continue
            some = _first(groups, grouping)
            yield Section(
                title=f"{part}, by {grouping}",
                text=left_out(len(groups) - len(some), "scores.json"),
                plots={f"{part} by {grouping}": group_plot(some)},
                tables=(by_group(some, grouping),),
            )


def _first(groups: Mapping[str, Score], grouping: Grouping) -> dict[str, Score]:
    most = MOST_RELATIONS if grouping is Grouping.RELATION else len(groups)
    return dict(list(groups.items())[:most])


def overall(scores: Scores, names: tuple[str, ...]) -> Table | None:
    """Table of the parts that have these figures; None if there is none."""
    rows = tuple(
        (
            part,
            f"{score.questions:,}",
            f"{score.answers:,}",
            *(percent_interval(score.figures[n]) for n in names),
        )
        for part, score in scores.parts.items()
        if names[0] in score.figures
    )
    columns = ("kind", "questions", "answers", *(NAMES[name] for name in names))
    return Table(columns=columns, rows=rows) if rows else None


def labels(scores: Scores) -> Table:
    """Precision, recall and F1 of yes and unknown, with the confusion matrix."""
    predicted = list(next(iter(scores.labels.values())).predicted)
    rows = tuple(
        (
            label,
            *map(percent, (score.precision, score.recall, score.f1)),
            *(f"{score.predicted[name]:,}" for name in predicted),
        )
        for label, score in sorted(scores.labels.items(), reverse=True)
    )
    headings = tuple(
        f"predicted {name}" if name != NO_ANSWER else "no answer" for name in predicted
    )
    return Table(columns=("gold", "precision", "recall", "F1", *headings), rows=rows)


def chosen(scores: Scores) -> Table:
    """Table of how often each choice was predicted."""
    total = sum(scores.chosen.values())
    rows = tuple(
        (name or "nothing", f"{number:,}", percent(number / total))
        for name, number in scores.chosen.items()
        if name != NO_ANSWER or number
    )
    return Table(columns=("chosen", "questions", "share"), rows=rows)


def by_group(groups: Mapping[str, Score], grouping: Grouping) -> Table:
    """Table of the figures of each group."""
    names = list(next(iter(groups.values())).figures)
    rows = tuple(
        (group, f"{score.questions:,}", *(percent_interval(score.figures[name]) for name in names))
        for group, score in groups.items()
    )
    columns = (grouping.value, "questions", *(NAMES[name] for name in names))
    return Table(columns=columns, rows=rows)
