"""Held-out likelihood of a model's answers under noisy reasoners.

A noisy reasoner gives the reasoner's label with probability ``1 - e``, and otherwise one of the two
other labels with equal probability. Its noise rate is estimated on all folds but one (with half a
hit and half a miss added, Krichevsky and Trofimov 1981) and evaluated on the remaining fold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Labels: TypeAlias = NDArray[np.intp]
Floats: TypeAlias = NDArray[np.float64]

FOLDS = 10
UNIFORM = 2 / 3
"""Maximum noise rate, at which answers are independent of the reasoner."""
LABEL_COUNT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Observations:
    """The answers of a model and of the reasoners to the same items.

    Attributes:
        answers: the model's labels, (n,).
        gold: the decided labels, (n,).
        reasoners: names, in a fixed order.
        predicted: their labels, (reasoners, n).
        fitted: cross-validated labels of the reasoners that are fitted to the answers:
            name -> (n,).
        folds: the fold of each item, (n,).
    """

    answers: Labels
    gold: Labels
    reasoners: tuple[str, ...]
    predicted: Labels
    fitted: dict[str, Labels]
    folds: Labels

    @property
    def held_out(self) -> Labels:
        """Labels of the reasoners fitted without an item's fold, (reasoners, n)."""
        named = zip(self.reasoners, self.predicted, strict=True)
        return np.array([self.fitted.get(name, row) for name, row in named])


def folds(count: int, seed: int) -> Labels:
    """Assign items to folds of nearly equal size, (n,)."""
    dealt = np.arange(count, dtype=np.intp) % FOLDS
    return np.random.default_rng(seed).permutation(dealt)


def noise(misses: Floats, total: Floats) -> Floats:
    """Estimate noise rates from counts."""
    return np.minimum((misses + 0.5) / (total + 1.0), UNIFORM)


def noisy(observed: Observations) -> Floats:
    """Held-out log-likelihood (nats) of each answer under each noisy reasoner, (reasoners, n)."""
    hits = observed.held_out == observed.answers
    rate = noise(*_left_out(~hits, observed.folds))[:, observed.folds]
    return np.where(hits, np.log1p(-rate), np.log(rate / (LABEL_COUNT - 1)))


def guessed(observed: Observations) -> Floats:
    """Held-out log-likelihood of each answer under the marginal label frequencies, (n,)."""
    each = observed.answers[np.newaxis] == np.arange(LABEL_COUNT)[:, np.newaxis]
    counts, totals = _left_out(each, observed.folds)
    shares = (counts + 0.5) / (totals + LABEL_COUNT / 2)
    likelihood: Floats = np.log(shares[observed.answers, observed.folds])
    return likelihood


def noise_rates(observed: Observations) -> Floats:
    """Share of answers that differ from the reasoner's, (reasoners,); in [0, 1]."""
    rates: Floats = (observed.predicted != observed.answers).mean(axis=1)
    return rates


def _left_out(events: NDArray[np.bool_], folds: Labels) -> tuple[Floats, Floats]:
    """Counts of events and of items outside each fold: (rows, folds) each."""
    members = (folds[:, np.newaxis] == np.arange(FOLDS)).astype(np.float64)
    inside = events.astype(np.float64) @ members
    outside = inside.sum(axis=1, keepdims=True) - inside
    totals = len(folds) - members.sum(axis=0)
    return outside, np.broadcast_to(totals, outside.shape)
