"""Metrics of answers to questions: filtered ranks of right answers, and what is told rightly.

MRR and Hits@k are means over right answers, as in ``benchmarks.ranking.metrics``: one that
is not given has the rank infinity, whose reciprocal is 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf


def filtered_ranks(ranking: Sequence[str], answers: Sequence[str]) -> tuple[float, ...]:
    """The rank of each right answer among those given, the other right ones left out.

    At least 1, lower is better; infinity for one that is not given. Source: Bordes et al. 2013.

    Args:
        ranking: answers, the best first, each once.
        answers: the right ones, each once.
    """
    right = frozenset(answers)
    ranks: dict[str, float] = {}
    wrong = 0
    for one in ranking:
        if one in right:
            ranks[one] = 1.0 + wrong
        else:
            wrong += 1
    return tuple(ranks.get(one, inf) for one in answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelScore:
    """How well one label is told; each figure is in [0, 1], higher is better.

    Attributes:
        precision: rightly told / told; 0 if it never is.
        recall: rightly told / questions whose label it is; 0 without one.
        f1: harmonic mean of the two (van Rijsbergen 1979); 0 if both are 0.
        told: how often each label is told where this one is right; the empty one for no answer.
    """

    precision: float
    recall: float
    f1: float
    told: Mapping[str, int]


def label_scores(gold: Sequence[str], said: Sequence[str]) -> dict[str, LabelScore]:
    """Precision, recall and F1 of each label that is right for a question, in their order.

    Args:
        gold: the right labels.
        said: what is told, the empty text for nothing; of the same length.
    """
    labels = sorted(set(gold))
    answers = sorted({*labels, *said})
    cells = {(right, one): 0 for right in labels for one in answers}
    for pair in zip(gold, said, strict=True):
        cells[pair] += 1
    found = {}
    for label in labels:
        right = cells[label, label]
        told = {one: cells[label, one] for one in answers}
        items, named = sum(told.values()), sum(cells[other, label] for other in labels)
        found[label] = LabelScore(
            precision=right / named if named else 0.0,
            recall=right / items,
            f1=2 * right / (items + named),
            told=told,
        )
    return found
