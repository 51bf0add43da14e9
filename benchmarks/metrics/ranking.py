"""Ranking metrics, plain and weighted.

Ranks are at least 1 and may be halves (mean ranks of ties); weights are positive. The weighted form
of a metric uses ``sum w x / sum w`` for each mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.graph.queries import Ranks

Numbers: TypeAlias = NDArray[np.float64]

CUTS = (1, 3, 10)
"""The k of Hits@k."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """All metrics of some queries; see the functions of these names.

    ``mrr``, ``amr`` and ``amri`` are None for a model that does not rank all candidates.
    """

    mrr: float | None
    hits1: float
    hits3: float
    hits10: float
    amr: float | None
    amri: float | None


def mrr(ranks: Numbers, weights: Numbers | None = None) -> float:
    """Mean reciprocal rank: ``mean(1 / rank)``; WMRR with weights (RSMF, eq. 10).

    In (0, 1], higher is better. Source: Voorhees 1999; RSMF, appendix B.3.
    """
    return _mean(1 / ranks, weights)


def hits(ranks: Numbers, cut: int, weights: Numbers | None = None) -> float:
    """Hits@k: share of queries with ``rank <= k``; WHits@k with weights (RSMF, eq. 11).

    In [0, 1], higher is better. Source: Bordes et al. 2013; RSMF, appendix B.3.
    """
    return _mean((ranks <= cut).astype(np.float64), weights)


def amr(ranks: Numbers, candidates: Numbers, weights: Numbers | None = None) -> float:
    """Adjusted mean rank: ``mean(rank) / mean((n + 1) / 2)`` with n candidates of each query.

    In (0, 2), lower is better; 1 for random ranking. Source: Berrendorf et al. 2020.
    """
    return _mean(ranks, weights) / _mean((candidates + 1) / 2, weights)


def amri(ranks: Numbers, candidates: Numbers, weights: Numbers | None = None) -> float:
    """Adjusted mean rank index: ``1 - mean(rank - 1) / mean((n - 1) / 2)``.

    In [-1, 1], higher is better; 0 for random and 1 for perfect ranking. It is 0 if no query has a
    second candidate. Source: Berrendorf et al. 2020.
    """
    chance = _mean((candidates - 1) / 2, weights)
    return 1 - _mean(ranks - 1, weights) / chance if chance else 0.0


def measure(
    ranks: Numbers, candidates: Numbers, weights: Numbers | None = None, *, whole: bool = True
) -> Measures:
    """All metrics of some queries.

    Args:
        ranks: ranks of the true answers.
        candidates: number of ranked candidates of each query.
        weights: positive weights of the queries; None for equal weights.
        whole: whether all candidates are ranked; otherwise only Hits@k is defined.
    """
    first, third, tenth = (hits(ranks, cut, weights) for cut in CUTS)
    return Measures(
        mrr=mrr(ranks, weights) if whole else None,
        hits1=first,
        hits3=third,
        hits10=tenth,
        amr=amr(ranks, candidates, weights) if whole else None,
        amri=amri(ranks, candidates, weights) if whole else None,
    )


def _mean(values: Numbers, weights: Numbers | None) -> float:
    if weights is None:
        return float(values.mean())
    return float(values @ weights) / float(weights.sum())


def expected_hits(ranks: Ranks, cut: int) -> Numbers:
    """The probability of ``rank <= cut`` for each query if ties are broken at random, in [0, 1].

    ``clip((cut - better) / tied, 0, 1)``, between the hits of pessimistic and optimistic ranks.
    Source: McSherry and Najork 2008.
    """
    return np.clip((cut - ranks.better) / ranks.tied, 0.0, 1.0)


def expected_reciprocal(ranks: Ranks) -> Numbers:
    """The expected ``1 / rank`` of each query if ties are broken at random, in (0, 1].

    ``(H(better + tied) - H(better)) / tied`` with harmonic numbers H. Never below the reciprocal of
    the realistic rank. Source: McSherry and Najork 2008.
    """
    # Differences of scipy's digamma lose precision for few ties at high ranks.
    last = ranks.better + ranks.tied
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, int(last.max(initial=0)) + 1))])
    expected: Numbers = (harmonic[last] - harmonic[ranks.better]) / ranks.tied
    return expected


def filtered_ranks(ranking: Sequence[str], answers: Sequence[str]) -> tuple[float, ...]:
    """The filtered rank of each gold answer in a list of names: other gold answers are ignored.

    At least 1, lower is better; infinity if not predicted. Source: Bordes et al. 2013.

    Args:
        ranking: predicted answers, the best first, each once.
        answers: gold answers, each once.
    """
    right = frozenset(answers)
    ranks: dict[str, float] = {}
    wrong = 0
    for name in ranking:
        if name in right:
            ranks[name] = 1.0 + wrong
        else:
            wrong += 1
    return tuple(ranks.get(answer, inf) for answer in answers)


def spearman(numbers: Numbers, other: Numbers) -> float | None:
    """Spearman's rank correlation, in [-1, 1]; None if one of the arrays is constant.

    Source: Spearman 1904; ties get their mean rank.
    """
    if not (np.ptp(numbers) and np.ptp(other)):
        return None
    return float(np.corrcoef(_mean_ranks(numbers), _mean_ranks(other))[0, 1])


def _mean_ranks(values: Numbers) -> Numbers:
    """Ranks from 1; ties get their mean rank."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Numbers = (last - (counts - 1) / 2)[place]
    return ranks
