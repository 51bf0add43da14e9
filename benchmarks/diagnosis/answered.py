"""Puts a model's answers beside those of every reasoner."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.ablations.answering import Answers, answer
from benchmarks.ablations.reasoners import CLAIM_ONLY, REASONERS
from benchmarks.diagnosis.likelihood import FOLDS, LABEL_COUNT, Answered, Labels, folds
from benchmarks.nli.cases import Case
from benchmarks.nli.metrics import numbered
from solver.errors import HopcheckError
from solver.model import Label
from solver.wording import counted

FEWEST = FOLDS


class TooFewAnswersError(HopcheckError):
    """Too few readable answers to say anything."""

    code = "too-few-answers"


def ask_all(cases: Sequence[Case], *, progress: Callable[[int], object] | None = None) -> Answers:
    """The answers of all reasoners but the claim-only one, which has to be fitted."""
    return answer(
        [case.item for case in cases],
        [case.verdict.label for case in cases],
        reasoners=[one for one in REASONERS if one.name != CLAIM_ONLY],
        progress=progress,
    )


def put_together(
    cases: Sequence[Case], answers: Answers, labels: Sequence[Label], *, seed: int
) -> Answered:
    """What there is to explain.

    The claim-only reasoner takes what is usual from the model's own answers: which label a model
    gives without a premise cannot be known beforehand. On an item it is judged as fitted without
    the item's fold.

    Args:
        cases: the items that were answered readably.
        answers: of the reasoners, to these items.
        labels: the model's answers.
        seed: deals the items out to folds.

    Raises:
        TooFewAnswersError: there are fewer than ``FEWEST``.
    """
    if len(labels) < FEWEST:
        raise TooFewAnswersError(
            f"found {counted(len(labels), 'answer')} with a label, expected at least {FEWEST}",
            hint="a diagnosis needs some hundred answers to tell reasoners apart",
        )
    said = numbered(labels)
    dealt = folds(len(said), seed)
    relations = np.unique([case.relation for case in cases], return_inverse=True)[1]
    names = [one.name for one in REASONERS if one.name in answers.of or one.name == CLAIM_ONLY]
    rows = [
        _usual(said, relations, relations) if name == CLAIM_ONLY else numbered(answers.of[name])
        for name in names
    ]
    return Answered(
        said=said,
        gold=numbered([case.verdict.label for case in cases]),
        reasoners=tuple(names),
        given=np.array(rows),
        fitted={CLAIM_ONLY: _usual_elsewhere(said, relations, dealt)},
        folds=dealt,
    )


def _usual(said: Labels, relations: Labels, asked: Labels) -> Labels:
    """The most frequent answer to claims of each relation, for the claims that are asked."""
    counts = np.zeros((int(max(relations.max(), asked.max())) + 1, LABEL_COUNT))
    np.add.at(counts, (relations, said), 1)
    usual: Labels = counts.argmax(axis=1)[asked]
    return usual


def _usual_elsewhere(said: Labels, relations: Labels, dealt: Labels) -> Labels:
    found = np.empty_like(said)
    for fold in range(FOLDS):
        inside = dealt == fold
        found[inside] = _usual(said[~inside], relations[~inside], relations[inside])
    return found
