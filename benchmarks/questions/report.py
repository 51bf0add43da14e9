"""The tables of ``score questions``, and the folder of ``--report``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.metrics.bootstrap import Estimate
from benchmarks.predictions import MatchedPredictions
from benchmarks.questions.predictions import Ranking
from benchmarks.questions.scores import LABELLED, NO_ANSWER, RANKED, Grouping, Score, Scores
from benchmarks.report_folder import write_folder
from solver.report.charts import plot
from solver.report.page import Section, Sheet, Table

NAMES = {"mrr": "MRR", "hits1": "Hits@1", "hits10": "Hits@10", "accuracy": "accuracy"}
"""Display names of the figures."""

_LONGEST = 36


def overall_plots(scores: Scores) -> str:
    """Plot the main figure of each part: MRR or accuracy."""
    with plot(height=2.8) as drawn:
        axes = drawn.axes[0]
        figures = [next(iter(one.figures.values())) for one in scores.parts.values()]
        places = range(len(figures))
        axes.bar(places, [one.value for one in figures], width=0.6, yerr=ends(figures), capsize=2)
        axes.set_xticks(places, list(scores.parts))
        axes.set(ylim=(0, 1.05), ylabel="MRR or accuracy")
    return drawn.svg


def by_group_plots(groups: Mapping[str, Score]) -> str:
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


def ends(figures: Sequence[Estimate]) -> list[list[float]]:
    """Lengths of intervals below and above, at least 0 despite rounding errors of quantiles."""
    below = [max(0.0, one.value - one.low) for one in figures]
    above = [max(0.0, one.high - one.value) for one in figures]
    return [below, above]


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"


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
            "missing": list(self.matched.missing),
            "unknown": list(self.matched.unknown),
            "doubled": list(self.matched.predictions.repeated),
            "config": {name: str(value) for name, value in self.config.items()},
            **self.scores.as_json(),
        }


def write_report(run: ScoringResult, folder: Path) -> Path:
    """Write ``scores.json``, ``report.html`` and ``manifest.json``; returns the page's path."""
    return write_folder(run, sheet(run), folder)


def sheet(run: ScoringResult) -> Sheet:
    """The page."""
    facts = {"questions": f"{run.size:,} of {run.questions}"}
    if run.matched.missing:
        facts["not answered"] = f"{len(run.matched.missing):,}, counted as wrong"
    return Sheet(
        title=f"Answers of {run.predictions}",
        lead=headline(run.scores),
        facts=facts,
        sections=tuple(_sections(run.scores)),
    )


def headline(scores: Scores) -> str:
    """The main figure of each part in one sentence."""
    figures = [
        f"{name} {NAMES[first]} {percent(one.figures[first])}"
        for name, one in scores.parts.items()
        for first in list(one.figures)[:1]
    ]
    return f"In percent, with 95% intervals: {', '.join(figures)}."


def _sections(scores: Scores) -> Iterator[Section]:
    text = "In percent, with 95% bootstrap intervals over questions in brackets."
    yield Section(title="Overall", plots=(overall_plots(scores),))
    for title, names in (("Entities", RANKED), ("Labels and choices", LABELLED)):
        if (table := overall(scores, names)) is not None:
            yield Section(title=title, text=text, table=table)
    if scores.labels:
        yield Section(title="Yes or unknown", table=labels(scores))
    if scores.chosen:
        text = "Choices are named by their rank of contribution."
        yield Section(title="Chosen", text=text, table=chosen(scores))
    for part in scores.parts:
        for grouping in Grouping:
            groups = scores.groups[part].get(grouping)
            if not groups:
                continue
            left = len(groups) - MOST_RELATIONS
            more = grouping is Grouping.RELATION and left > 0
            yield Section(
                title=f"{part}, by {grouping}",
                text=f"{left:,} more are in scores.json." if more else "",
                table=by_group(groups, grouping),
                plots=(by_group_plots(_first(groups, grouping)),),
            )


def _first(groups: Mapping[str, Score], grouping: Grouping) -> dict[str, Score]:
    most = MOST_RELATIONS if grouping is Grouping.RELATION else len(groups)
    return dict(list(groups.items())[:most])


def overall(scores: Scores, names: tuple[str, ...]) -> Table | None:
    """Table of the parts that have these figures; None if there is none."""
    rows = tuple(
        (part, f"{one.questions:,}", f"{one.answers:,}", *(percent(one.figures[n]) for n in names))
        for part, one in scores.parts.items()
        if names[0] in one.figures
    )
    columns = ("kind", "questions", "answers", *(NAMES[name] for name in names))
    return Table(columns=columns, rows=rows) if rows else None


def labels(scores: Scores) -> Table:
    """Precision, recall and F1 of yes and unknown, with the confusion matrix."""
    predicted = list(next(iter(scores.labels.values())).predicted)
    rows = tuple(
        (
            label,
            *(f"{100 * value:.2f}" for value in (one.precision, one.recall, one.f1)),
            *(f"{one.predicted[name]:,}" for name in predicted),
        )
        for label, one in sorted(scores.labels.items(), reverse=True)
    )
    headings = tuple(
        f"predicted {name}" if name != NO_ANSWER else "no answer" for name in predicted
    )
    return Table(columns=("gold", "precision", "recall", "F1", *headings), rows=rows)


def chosen(scores: Scores) -> Table:
    """Table of how often each choice was predicted."""
    total = sum(scores.chosen.values())
    rows = tuple(
        (name or "nothing", f"{number:,}", f"{100 * number / total:.2f}")
        for name, number in scores.chosen.items()
        if name != NO_ANSWER or number
    )
    return Table(columns=("chosen", "questions", "share"), rows=rows)


def by_group(groups: Mapping[str, Score], grouping: Grouping) -> Table:
    """Table of the figures of each group, the largest relations only."""
    some = _first(groups, grouping)
    names = list(next(iter(some.values())).figures)
    rows = tuple(
        (group, f"{one.questions:,}", *(percent(one.figures[name]) for name in names))
        for group, one in some.items()
    )
    columns = (grouping.value, "questions", *(NAMES[name] for name in names))
    return Table(columns=columns, rows=rows)


def percent(figure: Estimate) -> str:
    """A figure in percent, with its interval."""
    return f"{100 * figure.value:.2f} [{100 * figure.low:.2f}-{100 * figure.high:.2f}]"
