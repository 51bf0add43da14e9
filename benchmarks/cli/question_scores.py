"""Scores of answers to questions over a graph, as ``score questions`` and ``answer`` show them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from benchmarks.questions.judged import judge, read_gold
from benchmarks.questions.predictions import read_predictions
from benchmarks.questions.report import Scored, chosen, headline, labels, overall
from benchmarks.questions.scores import RANKED, TOLD, Scores, score
from benchmarks.ranking.intervals import RESAMPLES
from solver.cli.printing import narrow_table, wide_console
from solver.report.sheet import Table


def scored(
    predictions: str,
    questions: Path,
    *,
    details: bool,
    config: Mapping[str, object] | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Scored:
    """Score a file of predictions.

    Args:
        predictions: the file, - for standard input.
        questions: the file of the questions with their right answers.
        details: also by relation and by month.
        config: options, to be kept with the figures.
        seed: of the bootstrap.
        resamples: how often questions are drawn again.

    Raises:
        HopcheckError: a file cannot be read, or a prediction is of no question.
    """
    read = read_predictions(predictions)
    judged, missing = judge(read_gold(questions), read)
    return Scored(
        predictions=Path(read.name).name,
        questions=questions.name,
        scores=score(judged, details=details, seed=seed, resamples=resamples),
        missing=missing,
        config=config or {},
        inputs=(str(questions), predictions),
        seed=seed,
    )


def show(scores: Scores) -> None:
    """Print all tables and the figures in one sentence."""
    for names in (RANKED, TOLD):
        table = overall(scores, names)
        if table is not None:
            _print(table)
    if scores.labels:
        _print(labels(scores))
    if scores.chosen:
        _print(chosen(scores))
    wide_console().print(headline(scores), markup=False, soft_wrap=True)


def _print(table: Table) -> None:
    shown = narrow_table("", table.columns[0], table.columns[1:])
    for row in table.rows:
        shown.add_row(*row)
    wide_console().print(shown)
