"""Scores of evaluated questions with bootstrap intervals: overall, by relation, by month."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.metrics.bootstrap import RESAMPLES, Estimate, bootstrap
from benchmarks.metrics.classification import LabelScore, scores_by_label
from benchmarks.metrics.ranking import Numbers, filtered_ranks
from benchmarks.predictions import MatchedPredictions
from benchmarks.questions.predictions import FreeRanking, Ranking, require_answers, spelled
from grammar.questions.model import QuestionKind
from solver.io.sources import InputError, shown
from solver.questions.io import BrokenQuestion, placed_questions
from solver.questions.model import Question

ENTITIES = (QuestionKind.ONE_HOP, QuestionKind.TWO_HOP)
"""Kinds whose answers are entities, possibly several."""

CHOSEN = ("answer", "second choice", "third", "least")
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
    for question in placed_questions(path):
        if isinstance(question.read, BrokenQuestion):
            raise question.read.error
        if question.read.id in questions:
            message = f"id: found {shown(question.read.id)} again, expected it once"
            raise InputError(message, where=question.place.at())
        if not question.read.answers:
            message = f"answers: found none of {shown(question.read.id)}, expected at least one"
            raise InputError(message, where=question.place.at())
        questions[question.read.id] = question.read
    return list(questions.values())


def evaluate(
    questions: Sequence[Question], matched: MatchedPredictions[Ranking]
) -> tuple[EvaluatedQuestion, ...]:
    """Evaluate each question; a question without a prediction is answered wrongly.

    Args:
        questions: questions with gold answers.
        matched: predictions, matched with the ids of the questions.

    Raises:
        PredictionError: a prediction is not an answer of its kind.
    """
    places = matched.predictions.places
    answers: list[Ranking] = []
    for question, ranking in zip(questions, matched.answers, strict=True):
        if isinstance(ranking, FreeRanking):
            answers.append(spelled(ranking, question))
        else:
            if ranking is not None:
                require_answers(ranking, question.kind, places[question.id])
            answers.append(ranking or ())
    return tuple(map(evaluate_answers, questions, answers))


def evaluate_answers(question: Question, ranking: Sequence[str]) -> EvaluatedQuestion:
    """Evaluate the answers to one question.

    Args:
        question: the question, with gold answers.
        ranking: answers that are possible for its kind, the best first.
    """
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


BOTH = "1-hop and 2-hop"
PARTS: Mapping[str, frozenset[QuestionKind]] = {
    QuestionKind.ONE_HOP.value: frozenset({QuestionKind.ONE_HOP}),
    QuestionKind.TWO_HOP.value: frozenset({QuestionKind.TWO_HOP}),
    BOTH: frozenset(ENTITIES),
    QuestionKind.YES_UNKNOWN.value: frozenset({QuestionKind.YES_UNKNOWN}),
    QuestionKind.FACT_REASONING.value: frozenset({QuestionKind.FACT_REASONING}),
}
"""Name of the part of all entity questions."""

CUTS = (1, 10)
RANKED = ("mrr", "hits1", "hits10")
LABELLED = ("accuracy",)


class Grouping(StrEnum):
    """Groupings of the questions of a part."""

    RELATION = "relation"
    MONTH = "month"


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Score of some questions.

    Attributes:
        answers: number of gold answers; each entity counts as a query of its own.
        figures: ``mrr``, ``hits1`` and ``hits10`` for entities, else ``accuracy``; in [0, 1],
            higher is better, with intervals over questions.
    """

    questions: int
    answers: int
    figures: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Scores of all questions.

    Attributes:
        parts: score of each non-empty part, by its name in ``PARTS``.
        groups: part -> grouping -> name -> score; the largest relations and the first months first.
        labels: yes-unknown: scores by gold label; empty without such questions.
        chosen: fact reasoning: how often each choice was predicted; "" for no answer.
    """

    parts: Mapping[str, Score]
    groups: Mapping[str, Mapping[Grouping, Mapping[str, Score]]]
    labels: Mapping[str, LabelScore]
    chosen: Mapping[str, int]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The parts that are kinds, and thus disjoint."""
        return tuple(name for name in self.parts if name != BOTH)

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON values."""
        return {
            "parts": {name: asdict(score) for name, score in self.parts.items()},
            "groups": {
                part: {
                    grouping.value: {name: asdict(score) for name, score in scores.items()}
                    for grouping, scores in by.items()
                }
                for part, by in self.groups.items()
            },
            "labels": {label: _label_fields(score) for label, score in self.labels.items()},
            "chosen": {name or "nothing": number for name, number in self.chosen.items()},
        }


def score(
    evaluated: Sequence[EvaluatedQuestion],
    *,
    details: bool = True,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Scores:
    """Score evaluated questions, at least one.

    Args:
        evaluated: evaluated questions in any order.
        details: also score by relation and by month.
        seed: random seed of the bootstrap.
        resamples: number of bootstrap resamples of questions, with all answers of each.
    """
    parts, groups = {}, {}
    for name, kinds in PARTS.items():
        some = [question for question in evaluated if question.kind in kinds]
        if not some:
            continue
        parts[name] = scored(some, seed=seed, resamples=resamples)
        groups[name] = {
            grouping: {
                group: scored(members, seed=seed, resamples=resamples)
                for group, members in grouped(some, grouping).items()
            }
            for grouping in Grouping
            if details
        }
    yes_unknown = [question for question in evaluated if question.kind is QuestionKind.YES_UNKNOWN]
    reasoned = [
        question.predicted for question in evaluated if question.kind is QuestionKind.FACT_REASONING
    ]
    return Scores(
        parts=parts,
        groups=groups,
        labels=scores_by_label(
            [question.gold for question in yes_unknown],
            [question.predicted for question in yes_unknown],
        ),
        chosen={name: reasoned.count(name) for name in (*CHOSEN, NO_ANSWER)} if reasoned else {},
    )


def _label_fields(score: LabelScore) -> dict[str, Any]:
    """The JSON fields of a label's score; ``told`` is the published name of ``predicted``."""
    found = asdict(score)
    found["told"] = found.pop("predicted")
    del found["support"]
    return found


def grouped(
    evaluated: Iterable[EvaluatedQuestion], grouping: Grouping
) -> dict[str, list[EvaluatedQuestion]]:
    """Questions by relation, largest first, or by month, in order; without a value omitted."""
    found: dict[str, list[EvaluatedQuestion]] = {}
    for question in evaluated:
        name = question.relation if grouping is Grouping.RELATION else question.month
        if name:
            found.setdefault(name, []).append(question)
    if grouping is Grouping.MONTH:
        return dict(sorted(found.items()))
    return dict(sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0])))


def scored(
    evaluated: Sequence[EvaluatedQuestion], *, seed: int = 0, resamples: int = RESAMPLES
) -> Score:
    """Score questions whose answers are all entities, or none of them."""
    names = RANKED if evaluated[0].kind in ENTITIES else LABELLED
    values, sizes = _values(evaluated)
    return Score(
        questions=len(evaluated),
        answers=sum(sizes),
        figures=_figures(names, values, sizes, seed, resamples),
    )


def difference(
    evaluated: Sequence[EvaluatedQuestion],
    other: Sequence[EvaluatedQuestion],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Estimate:
    """Difference in MRR or accuracy between two runs, by a paired bootstrap.

    Args:
        evaluated: as for ``scored``.
        other: the same questions in the same order, from the other run.
        seed: random seed of the bootstrap.
        resamples: number of bootstrap resamples.
    """
    (one, *_), sizes = _values(evaluated)
    (two, *_), _ = _values(other)
    return _figures(("difference",), (one - two)[None], sizes, seed, resamples)["difference"]


def _values(evaluated: Sequence[EvaluatedQuestion]) -> tuple[Numbers, list[int]]:
    """Values to average, one row per metric, and the number of answers of each question."""
    if evaluated[0].kind not in ENTITIES:
        return np.array([[float(question.predicted == question.gold) for question in evaluated]]), [
            1
        ] * len(evaluated)
    ranks = np.array([rank for question in evaluated for rank in question.ranks])
    values = np.stack([1 / ranks, *((ranks <= cut).astype(np.float64) for cut in CUTS)])
    return values, [len(question.ranks) for question in evaluated]


def _figures(
    names: Sequence[str],
    values: Numbers,
    sizes: Sequence[int],
    seed: int,
    resamples: int,
) -> dict[str, Estimate]:
    units = np.repeat(np.arange(len(sizes)), sizes)
    weights = np.ones(values.shape[1])
    drawn = bootstrap(values, weights, units=units, seed=seed, resamples=resamples)
    return {
        name: Estimate(value=float(mean), low=interval.low, high=interval.high)
        for name, mean, interval in zip(names, values.mean(axis=1), drawn.intervals, strict=True)
    }
