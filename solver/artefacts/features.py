"""Feature matrices for the probes: one row per item."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any

from solver.artefacts.sample import Sample

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
