"""Mixtures of two reasoners: each answer comes from one of the two, with the same noise.

The sufficient statistics of a pair are five counts: the two agree and the answer is theirs, or is
not; the answer is that of the first only, of the second only, or of neither. Weight and noise are
fitted to them by expectation maximisation (Dempster, Laird and Rubin 1977) and evaluated on
held-out items.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from benchmarks.diagnosis.likelihood import FOLDS, UNIFORM, Floats, Labels, Observations

_ROUNDS = 200
_AGREE_HIT, _AGREE_MISS, _FIRST, _SECOND, _NEITHER = range(5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixture:
    """Two reasoners, the share of answers from the first, and the noise of both.

    ``likelihood``: held-out log-likelihood (nats) of each answer, (n,).
    """

    first: int
    second: int
    weight: float
    noise: float
    likelihood: Floats


@dataclass(frozen=True, slots=True)
class _Fit:
    weight: Floats
    noise: Floats


def best_mixture(observed: Observations) -> Mixture | None:
    """The pair with the highest held-out likelihood; None if all reasoners agree everywhere."""
    pairs = [
        pair
        for pair in combinations(range(len(observed.reasoners)), 2)
        if (observed.predicted[pair[0]] != observed.predicted[pair[1]]).any()
    ]
    if not pairs:
        return None
    kinds = np.array([_kinds(observed.held_out, observed.answers, *pair) for pair in pairs])
    counts = _outside(kinds, observed.folds)
    logs = _logs(_fit(counts))
    # Each item is evaluated by the fit without its fold.
    rows = np.arange(len(pairs))[:, np.newaxis]
    likelihood = logs[rows, observed.folds, kinds]
    best = int(likelihood.sum(axis=1).argmax())
    whole = np.bincount(kinds[best], minlength=5).astype(np.float64)[np.newaxis]
    fit = _fit(whole)
    return Mixture(
        first=pairs[best][0],
        second=pairs[best][1],
        weight=float(fit.weight[0]),
        noise=float(fit.noise[0]),
        likelihood=likelihood[best],
    )


def _kinds(predicted: Labels, answers: Labels, first: int, second: int) -> NDArray[np.int8]:
    one, other = predicted[first] == answers, predicted[second] == answers
    alike = predicted[first] == predicted[second]
    kinds = np.select(
        [alike & one, alike & ~one, one, other],
        [_AGREE_HIT, _AGREE_MISS, _FIRST, _SECOND],
        default=_NEITHER,
    )
    return kinds.astype(np.int8)


def _outside(kinds: NDArray[np.int8], folds: Labels) -> Floats:
    """Counts of the five kinds outside each fold, (pairs, folds, 5)."""
    members = (folds[:, np.newaxis] == np.arange(FOLDS)).astype(np.float64)
    inside = np.stack([(kinds == kind).astype(np.float64) @ members for kind in range(5)], axis=2)
    outside: Floats = inside.sum(axis=1, keepdims=True) - inside
    return outside


def _fit(counts: Floats) -> _Fit:
    """Weight of the first reasoner and noise, for each row of five counts."""
    weight = np.full(counts.shape[:-1], 0.5)
    noise = np.full(counts.shape[:-1], 0.2)
    first, second = counts[..., _FIRST], counts[..., _SECOND]
    missed = counts[..., _AGREE_MISS] + counts[..., _NEITHER]
    total = counts.sum(axis=-1)
    for _ in range(_ROUNDS):
        # Share of the first's exclusive answers that come from it; the rest is noise of the
        # second. And vice versa.
        own_first = _own(weight, noise)
        own_second = _own(1 - weight, noise)
        from_first = first * own_first + second * (1 - own_second)
        slips = missed + first * (1 - own_first) + second * (1 - own_second)
        weight = (from_first + 0.5) / (first + second + 1)
        noise = np.minimum((slips + 0.5) / (total + 1), UNIFORM)
    return _Fit(weight, noise)


def _own(weight: Floats, noise: Floats) -> Floats:
    meant = weight * (1 - noise)
    own: Floats = meant / (meant + (1 - weight) * noise / 2)
    return own


def _logs(fit: _Fit) -> Floats:
    """Log-probability of each kind of answer: (..., 5)."""
    right, slip = 1 - fit.noise, fit.noise / 2
    first = fit.weight * right + (1 - fit.weight) * slip
    second = (1 - fit.weight) * right + fit.weight * slip
    logs: Floats = np.log(np.stack([right, slip, first, second, slip], axis=-1))
    return logs
