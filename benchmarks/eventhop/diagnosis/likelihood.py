"""Held-out likelihood of a model's answers under noisy reasoners.

A noisy reasoner gives the reasoner's label with probability ``1 - e``, and otherwise one of the
other labels with equal probability. Its noise rate is estimated on all folds but one (with half a
hit and half a miss added, Krichevsky and Trofimov 1981) and evaluated on the remaining fold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.eventhop.ablations.reasoners import (
    CLAIM_ONLY,
    DIAGNOSED,
    Answers,
    Reasoner,
    answer,
)
from benchmarks.eventhop.cases import Case
from benchmarks.eventhop.scores import LABELS, numbered
from grammar.errors import HopcheckError
from grammar.eventhop.model import Policy
from solver.eventhop.labels import LabelScheme, SchemeError
from solver.io.sources import counted

Labels: TypeAlias = NDArray[np.intp]
Floats: TypeAlias = NDArray[np.float64]

FOLDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Observations:
    """The answers of a model and of the reasoners to the same items.

    Attributes:
        answers: the model's labels, (n,).
        gold: the decided labels, (n,).
        reasoners: in a fixed order, of distinct names.
        predicted: their labels, (reasoners, n).
        fitted: cross-validated labels of the reasoners that are fitted to the answers:
            name -> (n,).
        folds: the fold of each item, (n,).
        words: the labels, by number.
        held_out: labels of the reasoners, fitted without an item's fold, (reasoners, n).
    """

    answers: Labels
    gold: Labels
    reasoners: tuple[Reasoner, ...]
    predicted: Labels
    fitted: dict[str, Labels]
    folds: Labels
    words: tuple[str, ...] = LABELS
    held_out: Labels = field(init=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the reasoners."""
        return tuple(reasoner.name for reasoner in self.reasoners)

    def __post_init__(self) -> None:
        named = zip(self.reasoners, self.predicted, strict=True)
        rows = np.array([self.fitted.get(reasoner.name, row) for reasoner, row in named])
        object.__setattr__(self, "held_out", rows)


def folds(count: int, seed: int) -> Labels:
    """Assign items to folds of nearly equal size, (n,)."""
    dealt = np.arange(count, dtype=np.intp) % FOLDS
    return np.random.default_rng(seed).permutation(dealt)


def noise(misses: Floats, total: Floats, labels: int) -> Floats:
    """Estimate noise rates from counts; at the maximum answers are independent of the reasoner."""
    return np.minimum((misses + 0.5) / (total + 1.0), 1 - 1 / labels)


def noisy(observed: Observations) -> Floats:
    """Held-out log-likelihood (nats) of each answer under each noisy reasoner, (reasoners, n)."""
    hits = observed.held_out == observed.answers
    labels = len(observed.words)
    rate = noise(*_left_out(~hits, observed.folds), labels)[:, observed.folds]
    return np.where(hits, np.log1p(-rate), np.log(rate / (labels - 1)))


def guessed(observed: Observations) -> Floats:
    """Held-out log-likelihood of each answer under the marginal label frequencies, (n,)."""
    labels = len(observed.words)
    each = observed.answers[np.newaxis] == np.arange(labels)[:, np.newaxis]
    counts, totals = _left_out(each, observed.folds)
    shares = (counts + 0.5) / (totals + labels / 2)
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


FEWEST = FOLDS


class TooFewAnswersError(HopcheckError):
    """Too few readable answers for a diagnosis."""

    code = "too-few-answers"


def reasoner_answers(
    cases: Sequence[Case],
    *,
    more: Sequence[Reasoner] = (),
    progress: Callable[[int], object] | None = None,
) -> Answers:
    """The answers of all reasoners except the claim-only one, which has to be fitted.

    Args:
        cases: the items.
        more: reasoners besides those of this project.
        progress: called with the number of items after each reasoner.
    """
    return answer(
        [case.item for case in cases],
        [case.verdict.label for case in cases],
        reasoners=[reasoner for reasoner in (*DIAGNOSED, *more) if reasoner.name != CLAIM_ONLY],
        progress=progress,
    )


def observations(
    cases: Sequence[Case],
    answers: Answers,
    labels: Sequence[str],
    *,
    seed: int,
    more: Sequence[Reasoner] = (),
    scheme: LabelScheme | None = None,
) -> Observations:
    """Combine the answers of a model and of the reasoners.

    The claim-only reasoner is fitted on the model's own answers, because the label that a model
    prefers without a premise is unknown. It is evaluated on each item without the item's fold.

    Args:
        cases: items with readable answers.
        answers: the reasoners' answers to these items.
        labels: the model's answers.
        seed: random seed of the folds.
        more: the reasoners besides those of this project.
        scheme: the words of the labels.

    Raises:
        TooFewAnswersError: there are fewer than ``FEWEST``.
        SchemeError: the scheme has one word.
    """
    words = LABELS if scheme is None else scheme.order
    if len(words) < 2:
        raise SchemeError("found one word for all statuses, expected at least two words")
    if len(labels) < FEWEST:
        raise TooFewAnswersError(
            f"found {counted(len(labels), 'answer')} with a label, expected at least {FEWEST}",
            hint="a diagnosis needs some hundred answers to distinguish reasoners",
        )
    given = numbered(labels, words)
    assigned = folds(len(given), seed)
    relations = np.unique([case.relation for case in cases], return_inverse=True)[1]
    asked: list[Reasoner] = []
    rows: list[Labels] = []
    for reasoner in (*DIAGNOSED, *more):
        if reasoner.name == CLAIM_ONLY:
            asked.append(reasoner)
            rows.append(_usual(given, relations, relations))
        elif reasoner.name in answers.labels:
            predicted = answers.words(reasoner.name, scheme)
            if predicted is not None:
                asked.append(reasoner)
                rows.append(numbered(predicted, words))
    verdicts = [case.verdict for case in cases]
    gold = [v.label if scheme is None else scheme.label(v, Policy.LOCAL) for v in verdicts]
    return Observations(
        answers=given,
        gold=numbered(gold, words),
        reasoners=tuple(asked),
        predicted=np.array(rows),
        fitted={CLAIM_ONLY: _cross_validated(given, relations, assigned)},
        folds=assigned,
        words=tuple(words),
    )


def _usual(answers: Labels, relations: Labels, asked: Labels) -> Labels:
    """The most frequent answer by claim relation, for the relations in ``asked``."""
    counts = np.zeros((int(max(relations.max(), asked.max())) + 1, int(answers.max()) + 1))
    np.add.at(counts, (relations, answers), 1)
    usual: Labels = counts.argmax(axis=1)[asked]
    return usual


def _cross_validated(answers: Labels, relations: Labels, assigned: Labels) -> Labels:
    found = np.empty_like(answers)
    for fold in range(FOLDS):
        inside = assigned == fold
        found[inside] = _usual(answers[~inside], relations[~inside], relations[inside])
    return found


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


def best_mixture(
    observed: Observations, places: Sequence[int]
) -> tuple[Mixture, list[Floats]] | None:
    """The pair with the highest held-out likelihood, and the likelihoods of all other pairs.

    Args:
        observed: the answers.
        places: reasoners no two of which give the same labels to all items.

    Returns:
        None if there are fewer than two reasoners.
    """
    pairs = list(combinations(sorted(places), 2))
    if not pairs:
        return None
    kinds = np.array([_kinds(observed.held_out, observed.answers, *pair) for pair in pairs])
    counts = _outside(kinds, observed.folds)
    labels = len(observed.words)
    logs = _logs(_fit(counts, labels), labels)
    # Each item is evaluated by the fit without its fold.
    rows = np.arange(len(pairs))[:, np.newaxis]
    likelihood = logs[rows, observed.folds, kinds]
    best = int(likelihood.sum(axis=1).argmax())
    whole = np.bincount(kinds[best], minlength=5).astype(np.float64)[np.newaxis]
    fit = _fit(whole, labels)
    mixture = Mixture(
        first=pairs[best][0],
        second=pairs[best][1],
        weight=float(fit.weight[0]),
        noise=float(fit.noise[0]),
        likelihood=likelihood[best],
    )
    return mixture, [row for place, row in enumerate(likelihood) if place != best]


def _kinds(predicted: Labels, answers: Labels, first: int, second: int) -> NDArray[np.int8]:
    first_right, other = predicted[first] == answers, predicted[second] == answers
    alike = predicted[first] == predicted[second]
    kinds = np.select(
        [alike & first_right, alike & ~first_right, first_right, other],
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


def _fit(counts: Floats, labels: int) -> _Fit:
    """Weight of the first reasoner and noise, for each row of five counts."""
    weight = np.full(counts.shape[:-1], 0.5)
    noise = np.full(counts.shape[:-1], 0.2)
    first, second = counts[..., _FIRST], counts[..., _SECOND]
    missed = counts[..., _AGREE_MISS] + counts[..., _NEITHER]
    total = counts.sum(axis=-1)
    for _ in range(_ROUNDS):
        # Share of the first's exclusive answers that come from it; the rest is noise of the
        # second. And vice versa.
        own_first = _own(weight, noise, labels)
        own_second = _own(1 - weight, noise, labels)
        from_first = first * own_first + second * (1 - own_second)
        slips = missed + first * (1 - own_first) + second * (1 - own_second)
        weight = (from_first + 0.5) / (first + second + 1)
        noise = np.minimum((slips + 0.5) / (total + 1), 1 - 1 / labels)
    return _Fit(weight, noise)


def _own(weight: Floats, noise: Floats, labels: int) -> Floats:
    meant = weight * (1 - noise)
    own: Floats = meant / (meant + (1 - weight) * noise / (labels - 1))
    return own


def _logs(fit: _Fit, labels: int) -> Floats:
    """Log-probability of each kind of answer: (..., 5)."""
    right, slip = 1 - fit.noise, fit.noise / (labels - 1)
    first = fit.weight * right + (1 - fit.weight) * slip
    second = (1 - fit.weight) * right + fit.weight * slip
    logs: Floats = np.log(np.stack([right, slip, first, second, slip], axis=-1))
    return logs
