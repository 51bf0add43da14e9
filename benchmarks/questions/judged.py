"""Evaluates predictions question by question: ranks of the gold answers, and labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from benchmarks.questions.metrics import filtered_ranks
from benchmarks.questions.predictions import PredictionError, Predictions, require_answers
from grammar.question import QuestionKind
from solver.questions.files import BrokenQuestion, placed_questions
from solver.questions.question import Question
from solver.reading.failures import InputError, shown

ENTITIES = (QuestionKind.ONE_HOP, QuestionKind.TWO_HOP)
"""Kinds whose answers are entities, possibly several."""

CHOSEN = ("answer", "hard negative", "median", "lowest")
"""Names of the choices of fact reasoning, by descending contribution."""

NO_ANSWER = ""
"""Label of a question without a prediction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedQuestion:
    """A question with its evaluated prediction.

    Attributes:
        relation: relation of the queried fact; for 2-hop that of the answer.
        month: month of the query time; empty where a graph has no dates.
        gold: yes-unknown and fact reasoning: gold label; predicted: predicted label. Choices are
            named as in ``CHOSEN``.
        ranks: entity questions: filtered rank of each gold answer.
    """

    id: str
    kind: QuestionKind
    relation: str
    month: str
    gold: str = NO_ANSWER
    predicted: str = NO_ANSWER
    ranks: tuple[float, ...] = ()


def read_gold(path: str | Path) -> list[Question]:
    """Read questions with gold answers.

    Raises:
        HopcheckError: the file or a row cannot be read, an id occurs twice, or a question has no
            gold answer.
    """
    questions: dict[str, Question] = {}
    for one in placed_questions(path):
        if isinstance(one.read, BrokenQuestion):
            raise one.read.error
        if one.read.id in questions:
            message = f"id: found {shown(one.read.id)} again, expected it once"
            raise InputError(message, where=one.place.at())
        if not one.read.answers:
            message = f"answers: found none of {shown(one.read.id)}, expected at least one"
            raise InputError(message, where=one.place.at())
        questions[one.read.id] = one.read
    return list(questions.values())


def evaluate(
    questions: Iterable[Question], predictions: Predictions
) -> tuple[tuple[EvaluatedQuestion, ...], tuple[str, ...]]:
    """Evaluate each question; also returns the ids without a prediction, which count as wrong.

    Raises:
        PredictionError: a prediction is for an unknown question, or not an answer of its kind.
    """
    known = {one.id: one for one in questions}
    for id_, place in predictions.places.items():
        question = known.get(id_)
        if question is None:
            message = f"id: found {shown(id_)}, expected one of the questions"
            hint = "check --questions and --split"
            raise PredictionError(message, where=place.at(), hint=hint)
        require_answers(predictions.rankings[id_], question.kind, place)
    missing = tuple(id_ for id_ in known if id_ not in predictions.rankings)
    evaluated = tuple(
        _evaluated(one, predictions.rankings.get(one.id, ())) for one in known.values()
    )
    return evaluated, missing


def _evaluated(question: Question, ranking: Sequence[str]) -> EvaluatedQuestion:
    first = ranking[0] if ranking else NO_ANSWER
    gold = predicted = NO_ANSWER
    ranks: tuple[float, ...] = ()
    match question.kind:
        case QuestionKind.YES_UNKNOWN:
            gold, predicted = question.answers[0], first
        case QuestionKind.FACT_REASONING:
            gold = CHOSEN[question.order.index(question.answers[0])]
            predicted = CHOSEN[question.order.index(first)] if first else NO_ANSWER
        case _:
            ranks = filtered_ranks(ranking, question.answers)
    return EvaluatedQuestion(
        id=question.id,
        kind=question.kind,
        relation=question.query[-1][1],
        month=_month(question.time),
        gold=gold,
        predicted=predicted,
        ranks=ranks,
    )


def _month(time: str) -> str:
    try:
        return f"{date.fromisoformat(time):%Y-%m}"
    except ValueError:
        return ""
