"""The input of the artefact checks: texts, label and counts of an item."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from typing import Any

from grammar.eventhop.model import Bound, Claim, Item, Label, Order, Point, Relation
from solver.eventhop.records import Record

LIMIT = 20_000
"""Maximum number of items."""

KINDS = tuple(product(Bound, Order, Bound))
"""The twelve kinds of premise relation, such as ``end before start``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The text and counts of an item, and its gold label.

    Attributes:
        relation: the claim relation; empty if unknown.
        events, relations: numbers of events and relations; 0 if unknown.
        kinds: number of premise relations of each of ``KINDS``; empty if unknown.
    """

    premise: str
    claim: str
    gold: Label
    relation: str = ""
    events: int = 0
    relations: int = 0
    kinds: tuple[int, ...] = ()


def sample(record: Record, item: Item | None) -> Sample | None:
    """The sample of a record; None if it has no gold label.

    Args:
        record: the texts and the label.
        item: its graph; None if the text does not parse, which leaves the counts unknown.
    """
    if record.label is None:
        return None
    seen = Sample(premise=record.premise, claim=record.claim, gold=record.label)
    if item is None:
        return seen
    counts = Counter((r.left.bound, r.order, r.right.bound) for r in item.premise)
    return replace(
        seen,
        relation=_claimed(item.claim),
        events=len({point.event for r in item.premise for point in (r.left, r.right)}),
        relations=len(item.premise),
        kinds=tuple(counts[kind] for kind in KINDS),
    )


def _claimed(claim: Claim | Relation) -> str:
    if isinstance(claim, Claim):
        return claim.relation.value
    return f"{_bound(claim.left)} {claim.order} {_bound(claim.right)}"


def _bound(point: Point) -> str:
    return point.bound.value


MOST_WORDS = 300
"""Size of the vocabulary: the most frequent words."""

_WORD = re.compile(r"[^\s.]+")


class FeatureSet(StrEnum):
    """The input of a probe."""

    CLAIM_RELATION = "the claim's relation"
    CLAIM_WORDS = "the words of the claim"
    WORDS = "the words of premise and claim"
    COUNTS = "length and counts of relations"


def matrix(samples: Sequence[Sample], seen: FeatureSet) -> Any:  # noqa: ANN401 - scipy has no stubs
    """Scaled features of each item; may have no columns."""
    if seen is FeatureSet.COUNTS:
        return _standardised([_counts(sample) for sample in samples])
    return _counted([_words(sample, seen) for sample in samples])


def _words(sample: Sample, seen: FeatureSet) -> Iterable[str]:
    if seen is FeatureSet.CLAIM_RELATION:
        return [sample.relation] if sample.relation else []
    claim = _WORD.findall(sample.claim.lower())
    if seen is FeatureSet.CLAIM_WORDS:
        return claim
    # Words of the claim are separate features: premises are much longer.
    return [*_WORD.findall(sample.premise.lower()), *(f"claim {word}" for word in claim)]


def _counted(texts: Sequence[Iterable[str]]) -> Any:  # noqa: ANN401
    """Scaled counts of the most frequent words that occur in at least two items."""
    from scipy.sparse import csr_matrix
    from sklearn.preprocessing import MaxAbsScaler

    counts = [Counter(text) for text in texts]
    spread = Counter(word for text in counts for word in text)
    common = sorted(
        (word for word, number in spread.items() if number > 1), key=lambda w: (-spread[w], w)
    )
    columns = {word: column for column, word in enumerate(common[:MOST_WORDS])}
    cells = [
        (row, columns[word], number)
        for row, text in enumerate(counts)
        for word, number in sorted(text.items())
        if word in columns
    ]
    rows, places, numbers = zip(*cells, strict=True) if cells else ((), (), ())
    shape = (len(texts), len(columns))
    features = csr_matrix((numbers, (rows, places)), shape=shape, dtype=float)
    return MaxAbsScaler().fit_transform(features) if cells else features


def _counts(sample: Sample) -> list[float]:
    words = len(sample.premise.split())
    return [words, len(sample.premise), sample.events, sample.relations, *sample.kinds]


def _standardised(rows: Sequence[Sequence[float]]) -> Any:  # noqa: ANN401
    import numpy as np
    from sklearn.preprocessing import StandardScaler

    longest = max(map(len, rows), default=0)
    table = np.array([[*row, *[0.0] * (longest - len(row))] for row in rows], dtype=float)
    return StandardScaler().fit_transform(table)
