"""How likely a model's answers are if a reasoner gave them, with noise: on items held out.

A noisy reasoner answers as the reasoner does with probability ``1 - e``, and otherwise with one of
the two other labels, each alike. Its noise rate is estimated on all folds but one (Krichevsky and
Trofimov 1981: half a hit and half a miss more than counted), and judged on the fold left out.
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
"""The noise rate at which an answer tells nothing: no reasoner is taken to mean the opposite."""
LABEL_COUNT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What there is to explain; all arrays go over the answered items.

    Attributes:
        said: the model's labels, (n,).
        gold: the decided labels, (n,).
        reasoners: names, in a fixed order.
        given: their labels, (reasoners, n).
        fitted: for reasoners that are fitted to the answers, their labels on each item as fitted
            without the item's fold: name -> (n,).
        folds: the fold of each item, (n,).
    """

    said: Labels
    gold: Labels
    reasoners: tuple[str, ...]
    given: Labels
    fitted: dict[str, Labels]
    folds: Labels

    @property
    def held_out(self) -> Labels:
        """Labels of the reasoners that know nothing of an item's own fold, (reasoners, n)."""
        rows = [
            self.fitted.get(name, row) for name, row in zip(self.reasoners, self.given, strict=True)
        ]
        return np.array(rows)


def folds(count: int, seed: int) -> Labels:
    """Deal items out to folds of nearly the same size, (n,)."""
    dealt = np.arange(count, dtype=np.intp) % FOLDS
    return np.random.default_rng(seed).permutation(dealt)


def noise(misses: Floats, total: Floats) -> Floats:
    """Noise rates from counts."""
    return np.minimum((misses + 0.5) / (total + 1.0), UNIFORM)


def noisy(answered: Answered) -> Floats:
    """Held-out log-likelihood (nats) of each answer under each noisy reasoner, (reasoners, n)."""
    hits = answered.held_out == answered.said
    rate = noise(*_left_out(~hits, answered.folds))[:, answered.folds]
    return np.where(hits, np.log1p(-rate), np.log(rate / (LABEL_COUNT - 1)))


def guessed(answered: Answered) -> Floats:
    """Held-out log-likelihood of each answer if labels are drawn at their own frequencies, (n,).

    What a reader reaches that never looks at an item.
    """
    each = answered.said[np.newaxis] == np.arange(LABEL_COUNT)[:, np.newaxis]
    counts, totals = _left_out(each, answered.folds)
    shares = (counts + 0.5) / (totals + LABEL_COUNT / 2)
    likelihood: Floats = np.log(shares[answered.said, answered.folds])
    return likelihood


def noise_rates(answered: Answered) -> Floats:
    """Share of answers that are not the reasoner's, (reasoners,); in [0, 1]."""
    rates: Floats = (answered.given != answered.said).mean(axis=1)
    return rates


def _left_out(events: NDArray[np.bool_], folds: Labels) -> tuple[Floats, Floats]:
    """How often events happen outside each fold, and of how many items: (rows, folds) each."""
    members = (folds[:, np.newaxis] == np.arange(FOLDS)).astype(np.float64)
    inside = events.astype(np.float64) @ members
    outside = inside.sum(axis=1, keepdims=True) - inside
    totals = len(folds) - members.sum(axis=0)
    return outside, np.broadcast_to(totals, outside.shape)
