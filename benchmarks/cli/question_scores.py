"""Scores of answers to questions, shared by ``score questions`` and ``answer``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from benchmarks.questions.judged import evaluate, read_gold
from benchmarks.questions.predictions import read_predictions
from benchmarks.questions.report import ScoringResult, chosen, headline, labels, overall
from benchmarks.questions.scores import LABELLED, RANKED, Scores, score
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
) -> ScoringResult:
    """Score a prediction file.

    Args:
        predictions: prediction file, - for standard input.
        questions: file of questions with gold answers.
        details: also score by relation and by month.
        config: options to record with the scores.
        seed: random seed of the bootstrap.
        resamples: number of bootstrap resamples.

    Raises:
        HopcheckError: a file cannot be read, or a prediction is for an unknown question.
    """
    read = read_predictions(predictions)
    evaluated, missing = evaluate(read_gold(questions), read)
    return ScoringResult(
        predictions=Path(read.name).name,
        questions=questions.name,
        scores=score(evaluated, details=details, seed=seed, resamples=resamples),
        missing=missing,
        config=config or {},
        inputs=(str(questions), predictions),
        seed=seed,
    )


def show(scores: Scores) -> None:
    """Print all tables and the figures in one sentence."""
    for names in (RANKED, LABELLED):
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
