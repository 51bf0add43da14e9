"""Probes that rank: the area under the curve of a classifier that sees texts without reasoning.

Texts are bags of words and of pairs of words; two classifiers are fitted by cross-validation, a
logistic regression and boosted trees. Texts of a group are in the same fold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.extras import require
from solver.probes.probe import FOLDS, area_under_curve, folds_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

TERMS = 400
"""Words and pairs of words that the classifiers see: the most frequent ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingResult:
    """The result of a ranking probe.

    Attributes:
        name: what the classifier sees.
        learner: the classifier.
        auc: the area under its curve, in [0, 1]; 0.5 by chance.
        items: number of texts.
    """

    name: str
    learner: str
    auc: float
    items: int

    def as_json(self) -> dict[str, Any]:
        """The figures as JSON values."""
        return {
            "features": self.name,
            "learner": self.learner,
            "auc": round(self.auc, 4),
            "items": self.items,
        }


def rank_texts(
    texts: Mapping[str, Sequence[Sequence[str]]],
    gold: Sequence[bool],
    groups: Sequence[Hashable],
    *,
    boosted: bool = True,
    within: bool = False,
) -> Iterator[RankingResult]:
    """Rank texts by what two classifiers learn from their words.

    Args:
        texts: name of what is seen -> the words of each text.
        gold: whether each is true.
        groups: the group of each.
        boosted: whether boosted trees are fitted as well.
        within: whether only texts of one group are compared, such as the options of a question.

    Raises:
        MissingLibraryError: scikit-learn is not installed.
    """
    require("probes that rank", "sklearn")
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    truth, folds = np.asarray(gold, dtype=bool), folds_of(groups)
    learners: dict[str, Any] = {"words": LogisticRegression(C=0.1, solver="liblinear")}
    if boosted:
        learners["boosted trees"] = HistGradientBoostingClassifier(max_iter=60, random_state=0)
    for name, bags in texts.items():
        table = _counts(bags)
        for learner, model in learners.items():
            seen = table.toarray() if learner != "words" else table
            scores = np.zeros(len(truth))
            # One thread: others would wait for cores that are busy, a hundred times as long.
            with threadpool_limits(1):
                for fold in range(FOLDS):
                    model.fit(seen[folds != fold], truth[folds != fold])
                    scores[folds == fold] = model.predict_proba(seen[folds == fold])[:, 1]
            auc = (
                _area_within(scores, truth, groups)
                if within
                else area_under_curve(scores, truth.tolist())
            )
            yield RankingResult(name=name, learner=learner, auc=auc, items=len(truth))


def _area_within(
    scores: NDArray[np.float64], truth: NDArray[np.bool_], groups: Sequence[Hashable]
) -> float:
    """The mean area under the curve of the groups."""
    places: dict[Hashable, list[int]] = {}
    for place, group in enumerate(groups):
        places.setdefault(group, []).append(place)
    return float(
        np.mean([area_under_curve(scores[rows], truth[rows].tolist()) for rows in places.values()])
    )


def _counts(bags: Sequence[Sequence[str]]) -> csr_matrix[Any]:
    """How often each of the most frequent terms occurs: (texts, terms)."""
    from scipy.sparse import csr_matrix

    counted = [Counter([*words, *map(" ".join, pairwise(words))]) for words in bags]
    frequent: Counter[str] = Counter()
    for terms in counted:
        frequent.update(terms.keys())
    # Sorted, so that equally frequent terms are chosen in every process alike.
    chosen = sorted(frequent, key=lambda term: (-frequent[term], term))[:TERMS]
    number = {term: column for column, term in enumerate(chosen)}
    cells = [
        (row, number[term], count)
        for row, terms in enumerate(counted)
        for term, count in terms.items()
        if term in number
    ]
    rows, columns, values = zip(*cells, strict=True) if cells else ((), (), ())
    return csr_matrix((values, (rows, columns)), shape=(len(bags), max(len(chosen), 1)))
