"""Tie counts of true answers, and their ranks under each tie-breaking."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from benchmarks.ranking.tables import Numbers
from solver.tkg.quadruples import Ids


class Tie(StrEnum):
    """Tie-breaking: rank of an answer among candidates of the same score."""

    OPTIMISTIC = "optimistic"
    REALISTIC = "realistic"
    PESSIMISTIC = "pessimistic"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ties:
    """Numbers of better and tied candidates of each query.

    Attributes:
        better: candidates that score higher than the answer.
        tied: candidates that score the same, including the answer; at least 1.
    """

    better: Ids
    tied: Ids

    def ranks(self, tie: Tie) -> Numbers:
        """Ranks from 1: the best, mean or worst of the tied ranks."""
        match tie:
            case Tie.OPTIMISTIC:
                return (self.better + 1).astype(np.float64)
            case Tie.REALISTIC:
                return (2 * self.better + self.tied + 1) / np.float64(2)
            case Tie.PESSIMISTIC:
                return (self.better + self.tied).astype(np.float64)

    def expected_hits(self, cut: int) -> Numbers:
        """The probability of ``rank <= cut`` if ties are broken at random, in [0, 1].

        ``clip((cut - better) / tied, 0, 1)``, between the hits of pessimistic and optimistic ranks.
        Source: McSherry and Najork 2008.
        """
        return np.clip((cut - self.better) / self.tied, 0.0, 1.0)

    def expected_reciprocal(self) -> Numbers:
        """The expected ``1 / rank`` if ties are broken at random, in (0, 1].

        ``(H(better + tied) - H(better)) / tied`` with harmonic numbers H. Never below the
        reciprocal of the realistic rank. Source: McSherry and Najork 2008.
        """
        # Differences of scipy's digamma lose precision for few ties at high ranks.
        most = int((self.better + self.tied).max(initial=0))
        harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, most + 1))])
        expected: Numbers = (harmonic[self.better + self.tied] - harmonic[self.better]) / self.tied
        return expected
