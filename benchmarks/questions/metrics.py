"""Metrics of answers to questions: filtered ranks, and precision, recall and F1 of labels.

MRR and Hits@k are means over gold answers, as in ``benchmarks.ranking.metrics``: a gold answer
that is not predicted has the rank infinity, whose reciprocal is 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf


def filtered_ranks(ranking: Sequence[str], answers: Sequence[str]) -> tuple[float, ...]:
    """The filtered rank of each gold answer: other gold answers are ignored.

    At least 1, lower is better; infinity if not predicted. Source: Bordes et al. 2013.

    Args:
        ranking: predicted answers, the best first, each once.
        answers: gold answers, each once.
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
    """Scores of one label; each figure is in [0, 1], higher is better.

    Attributes:
        precision: correctly predicted / predicted; 0 if never predicted.
        recall: correctly predicted / questions with this gold label.
        f1: harmonic mean of the two (van Rijsbergen 1979); 0 if both are 0.
        predicted: confusion matrix row: predictions where this label is gold; "" for no answer.
    """

    precision: float
    recall: float
    f1: float
    predicted: Mapping[str, int]


def label_scores(gold: Sequence[str], predictions: Sequence[str]) -> dict[str, LabelScore]:
    """Precision, recall and F1 of each gold label, sorted.

    Args:
        gold: gold labels.
        predictions: predicted labels, "" for none; same length.
    """
    labels = sorted(set(gold))
    answers = sorted({*labels, *predictions})
    cells = {(right, one): 0 for right in labels for one in answers}
    for pair in zip(gold, predictions, strict=True):
        cells[pair] += 1
    found = {}
    for label in labels:
        right = cells[label, label]
        predicted = {one: cells[label, one] for one in answers}
        items, named = sum(predicted.values()), sum(cells[other, label] for other in labels)
        found[label] = LabelScore(
            precision=right / named if named else 0.0,
            recall=right / items,
            f1=2 * right / (items + named),
            predicted=predicted,
        )
    return found
