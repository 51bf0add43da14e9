"""Baselines that answer without reasoning.

Each is fitted on labelled items and answers other items. Without training items, answers are
cross-validated over five folds.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from benchmarks.eventhop.ablations.reasoners import most_frequent
from benchmarks.eventhop.cases import Case
from grammar.errors import HopcheckError
from grammar.eventhop.model import Label
from solver.extras import require

FOLDS = 5
_WORD = re.compile(r"[^\s.]+")


class Baseline(StrEnum):
    """Kind of baseline.

    ``random``: uniformly random labels. ``majority``: the most frequent label. ``claim-only``: the
    most frequent label of the claim's relation. ``bag-of-words``: logistic regression on the words
    of premise and claim.
    """

    RANDOM = "random"
    MAJORITY = "majority"
    CLAIM_ONLY = "claim-only"
    BAG_OF_WORDS = "bag-of-words"


class UntrainableError(HopcheckError):
    """Items on which no model can be fitted."""

    code = "untrainable"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledItems:
    """Items with their labels."""

    cases: Sequence[Case]
    labels: Sequence[Label]

    def part(self, places: Sequence[int]) -> LabelledItems:
        """The items at the given positions."""
        return LabelledItems(
            cases=[self.cases[place] for place in places],
            labels=[self.labels[place] for place in places],
        )


def answers(
    baseline: Baseline, train: LabelledItems, asked: Sequence[Case], *, seed: int = 0
) -> list[Label]:
    """Fit a baseline and answer items with it.

    Args:
        baseline: the kind of baseline.
        train: training items.
        asked: items to answer.
        seed: random seed; a random answer depends on it and on the item's id.

    Raises:
        UntrainableError: there are no training items.
    """
    if baseline is Baseline.RANDOM:
        return [_drawn(case.record.id, seed) for case in asked]
    if not train.cases:
        raise UntrainableError("found no training items", hint="use --train or more items")
    if baseline is Baseline.BAG_OF_WORDS and len(set(train.labels)) > 1:
        return _bag_of_words(train, asked)
    usual = most_frequent([""] * len(train.labels), train.labels)
    if baseline is Baseline.CLAIM_ONLY:
        usual |= most_frequent([case.relation for case in train.cases], train.labels)
    return [usual.get(case.relation, usual[""]) for case in asked]


def cross_answers(baseline: Baseline, items: LabelledItems, *, seed: int = 0) -> list[Label]:
    """Answer each fold with a baseline fitted on the others; the seed assigns the folds."""
    hashes = [_hashed(f"fold {case.record.id}", seed) for case in items.cases]
    dealt = sorted(range(len(hashes)), key=hashes.__getitem__)
    given: dict[int, Label] = {}
    for number in range(FOLDS):
        inside = dealt[number::FOLDS]
        outside = sorted(set(dealt) - set(inside))
        if inside:
            asked = [items.cases[place] for place in inside]
            predicted = answers(baseline, items.part(outside), asked, seed=seed)
            given |= dict(zip(inside, predicted, strict=True))
    return [given[place] for place in range(len(hashes))]


def _drawn(item: str, seed: int) -> Label:
    labels = tuple(Label)
    return labels[_hashed(f"draw {item}", seed) % len(labels)]


def _hashed(text: str, seed: int) -> int:
    data = f"{seed} {text}".encode(errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big")


def _bag_of_words(train: LabelledItems, asked: Sequence[Case]) -> list[Label]:
    require("the baseline bag-of-words", "sklearn")
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    # Words of the claim are separate features from those of the premise.
    words = TfidfVectorizer(analyzer=_words, sublinear_tf=True)
    model: Any = LogisticRegression(max_iter=500, tol=1e-3)
    # One thread: floating-point sums depend on how they are split.
    with threadpool_limits(limits=1):
        features = words.fit_transform(train.cases)
        model.fit(features, [label.value for label in train.labels])
        predicted = model.predict(words.transform(asked))
    return [Label(str(label)) for label in predicted]


def _words(case: Case) -> list[str]:
    premise = _WORD.findall(case.record.premise.casefold())
    claim = _WORD.findall(case.record.claim.casefold())
    return [*premise, *(f"claim:{word}" for word in claim)]
