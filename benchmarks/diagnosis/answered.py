"""Combines a model's answers with those of every reasoner."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.ablations.answering import Answers, answer
from benchmarks.ablations.reasoners import CLAIM_ONLY, REASONERS
from benchmarks.diagnosis.likelihood import FOLDS, LABEL_COUNT, Labels, Observations, folds
from benchmarks.nli.cases import Case
from benchmarks.nli.metrics import numbered
from solver.errors import HopcheckError
from solver.model import Label
from solver.wording import counted

FEWEST = FOLDS


class TooFewAnswersError(HopcheckError):
    """Too few readable answers for a diagnosis."""

    code = "too-few-answers"


def reasoner_answers(
    cases: Sequence[Case], *, progress: Callable[[int], object] | None = None
) -> Answers:
    """The answers of all reasoners except the claim-only one, which has to be fitted."""
    return answer(
        [case.item for case in cases],
        [case.verdict.label for case in cases],
        reasoners=[one for one in REASONERS if one.name != CLAIM_ONLY],
        progress=progress,
    )


def observations(
    cases: Sequence[Case], answers: Answers, labels: Sequence[Label], *, seed: int
) -> Observations:
    """Combine the answers of a model and of the reasoners.

    The claim-only reasoner is fitted on the model's own answers, because the label that a model
    prefers without a premise is unknown. It is evaluated on each item without the item's fold.

    Args:
        cases: items with readable answers.
        answers: the reasoners' answers to these items.
        labels: the model's answers.
        seed: random seed of the folds.

    Raises:
        TooFewAnswersError: there are fewer than ``FEWEST``.
    """
    if len(labels) < FEWEST:
        raise TooFewAnswersError(
            f"found {counted(len(labels), 'answer')} with a label, expected at least {FEWEST}",
            hint="a diagnosis needs some hundred answers to distinguish reasoners",
        )
    given = numbered(labels)
    assigned = folds(len(given), seed)
    relations = np.unique([case.relation for case in cases], return_inverse=True)[1]
    names = [one.name for one in REASONERS if one.name in answers.labels or one.name == CLAIM_ONLY]
    rows = [
        _usual(given, relations, relations)
        if name == CLAIM_ONLY
        else numbered(answers.labels[name])
        for name in names
    ]
    return Observations(
        answers=given,
        gold=numbered([case.verdict.label for case in cases]),
        reasoners=tuple(names),
        predicted=np.array(rows),
        fitted={CLAIM_ONLY: _cross_validated(given, relations, assigned)},
        folds=assigned,
    )


def _usual(answers: Labels, relations: Labels, asked: Labels) -> Labels:
    """The most frequent answer by claim relation, for the relations in ``asked``."""
    counts = np.zeros((int(max(relations.max(), asked.max())) + 1, LABEL_COUNT))
    np.add.at(counts, (relations, answers), 1)
    usual: Labels = counts.argmax(axis=1)[asked]
    return usual


def _cross_validated(answers: Labels, relations: Labels, assigned: Labels) -> Labels:
    found = np.empty_like(answers)
    for fold in range(FOLDS):
        inside = assigned == fold
        found[inside] = _usual(answers[~inside], relations[~inside], relations[inside])
    return found
