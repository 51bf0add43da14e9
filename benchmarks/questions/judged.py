"""Predictions beside the questions that they answer: ranks, and what is right."""

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
"""Kinds whose answers are entities, of which there may be several."""

CHOSEN = ("answer", "hard negative", "median", "lowest")
"""What the choices of fact reasoning are called, those that contribute most first."""

NOTHING = ""
"""What is told where nothing is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A question with what was answered.

    Attributes:
        relation: of the fact that is asked about; of 2-hop that of the answer.
        month: of its time; empty where a graph has no dates.
        gold: of yes-unknown and fact reasoning: the right answer; said: the one given. Of fact
            reasoning as in ``CHOSEN``.
        ranks: of entity questions: of each right answer.
    """

    id: str
    kind: QuestionKind
    relation: str
    month: str
    gold: str = NOTHING
    said: str = NOTHING
    ranks: tuple[float, ...] = ()


def read_gold(path: str | Path) -> list[Question]:
    """Read questions with their answers, at least one of each.

    Raises:
        HopcheckError: the file cannot be read, or one of its rows; an id occurs twice.
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


def judge(
    questions: Iterable[Question], predictions: Predictions
) -> tuple[tuple[Judged, ...], tuple[str, ...]]:
    """Judge each question, and name those that were not answered, which counts as wrong.

    Raises:
        PredictionError: there is no such question, or its kind has no such answer.
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
    judged = tuple(_judged(one, predictions.rankings.get(one.id, ())) for one in known.values())
    return judged, missing


def _judged(question: Question, ranking: Sequence[str]) -> Judged:
    first = ranking[0] if ranking else NOTHING
    gold = said = NOTHING
    ranks: tuple[float, ...] = ()
    match question.kind:
        case QuestionKind.YES_UNKNOWN:
            gold, said = question.answers[0], first
        case QuestionKind.FACT_REASONING:
            gold = CHOSEN[question.order.index(question.answers[0])]
            said = CHOSEN[question.order.index(first)] if first else NOTHING
        case _:
            ranks = filtered_ranks(ranking, question.answers)
    return Judged(
        id=question.id,
        kind=question.kind,
        relation=question.query[-1][1],
        month=_month(question.time),
        gold=gold,
        said=said,
        ranks=ranks,
    )


def _month(time: str) -> str:
    try:
        return f"{date.fromisoformat(time):%Y-%m}"
    except ValueError:
        return ""
