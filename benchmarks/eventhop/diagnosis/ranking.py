"""Ranks reasoners by how well they explain a model's answers, overall and by group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from benchmarks.eventhop.cases import Dimension, Group
from benchmarks.eventhop.diagnosis.likelihood import (
    Floats,
    Observations,
    best_mixture,
    guessed,
    noise_rates,
    noisy,
)

SURE = 2.0
"""Margin in standard errors at which two explanations are distinguished."""
FEWEST = 30
"""Minimum number of answers for the diagnosis of a group."""
LEAST_WEIGHT = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """Difference of two explanations: held-out log-likelihood in nats, over all items."""

    value: float
    error: float

    @property
    def sure(self) -> bool:
        """Whether the difference is significant."""
        return self.value > SURE * self.error


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """How well a noisy reasoner explains the answers.

    Attributes:
        reasoner: its name.
        same: reasoners with the same answers to all items, indistinguishable on these data.
        likelihood: held-out log-likelihood per answer, in nats; at most 0, higher is better.
        noise: share of answers that differ from the reasoner's.
        behind: margin of the best explanation over this one; 0 for the best.
        differs: number of items on which it differs from the best explanation's reasoner.
        errors: number of the model's errors.
        explained: number of these that the reasoner makes, too.
        by_chance: expected share of explained errors if errors were random.
        own_errors: number of the reasoner's errors.
    """

    reasoner: str
    same: tuple[str, ...]
    likelihood: float
    noise: float
    behind: Margin
    differs: int
    errors: int
    explained: int
    by_chance: float
    own_errors: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """The best mixture of two; reported if significantly better than the best single reasoner."""

    first: str
    second: str
    weight: float
    noise: float
    likelihood: float
    ahead: Margin
    needed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupFinding:
    """The best reasoner for a group; ``sure`` if significantly better than all that differ."""

    dimension: Dimension
    name: str
    items: int
    reasoner: str
    sure: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """All explanations, the best first.

    Attributes:
        guessing: log-likelihood per answer under the marginal label frequencies.
        guessing_behind: margin of the best explanation over guessing.
    """

    answers: int
    explanations: tuple[Explanation, ...]
    guessing: float
    guessing_behind: Margin
    pair: Pair | None
    groups: tuple[GroupFinding, ...]


def rank(observed: Observations, grouped: Sequence[Group]) -> Ranking:
    """Rank the reasoners; ``grouped`` refers to positions among the answered items."""
    likelihood = noisy(observed)
    totals = likelihood.sum(axis=1)
    order = sorted(range(len(totals)), key=lambda place: (-round(float(totals[place]), 6), place))
    first = order[0]
    named: set[int] = set()
    explanations = []
    for place in order:
        if place in named:
            continue
        alike = [
            other
            for other in order
            if (observed.predicted[other] == observed.predicted[place]).all()
        ]
        named.update(alike)
        explanations.append(_explanation(observed, likelihood, place, first, alike))
    guesses = guessed(observed)
    return Ranking(
        answers=len(observed.answers),
        explanations=tuple(explanations),
        guessing=float(guesses.mean()),
        guessing_behind=_margin(likelihood[first] - guesses),
        pair=_pair(observed, likelihood[first]),
        groups=tuple(
            _group(observed, likelihood, group) for group in grouped if len(group.members) >= FEWEST
        ),
    )


def _explanation(
    observed: Observations, likelihood: Floats, place: int, first: int, alike: Sequence[int]
) -> Explanation:
    predicted = observed.predicted[place]
    wrong, own = observed.answers != observed.gold, predicted != observed.gold
    return Explanation(
        reasoner=observed.reasoners[place],
        same=tuple(observed.reasoners[other] for other in alike if other != place),
        likelihood=float(likelihood[place].mean()),
        noise=float(noise_rates(observed)[place]),
        behind=_margin(likelihood[first] - likelihood[place]),
        differs=int((predicted != observed.predicted[first]).sum()),
        errors=int(wrong.sum()),
        explained=int((wrong & (predicted == observed.answers)).sum()),
        by_chance=float(own.mean()) / 2,
        own_errors=int(own.sum()),
    )


def _margin(differences: Floats) -> Margin:
    """The sum of differences of log-likelihoods, item by item, and its standard error."""
    spread = float(np.std(differences, ddof=1)) if len(differences) > 1 else 0.0
    return Margin(value=float(differences.sum()), error=spread * sqrt(len(differences)))


def _pair(observed: Observations, best: Floats) -> Pair | None:
    mixture = best_mixture(observed)
    if mixture is None:
        return None
    ahead = _margin(mixture.likelihood - best)
    count = len(observed.reasoners)
    # Correct for choosing the best of many pairs.
    beyond_luck = ahead.value > log(count * (count - 1) / 2)
    balanced = LEAST_WEIGHT < mixture.weight < 1 - LEAST_WEIGHT
    names, weight = (mixture.first, mixture.second), mixture.weight
    if weight < 0.5:
        names, weight = names[::-1], 1 - weight
    return Pair(
        first=observed.reasoners[names[0]],
        second=observed.reasoners[names[1]],
        weight=weight,
        noise=mixture.noise,
        likelihood=float(mixture.likelihood.mean()),
        ahead=ahead,
        needed=ahead.sure and beyond_luck and balanced,
    )


def _group(observed: Observations, likelihood: Floats, group: Group) -> GroupFinding:
    members = list(group.members)
    inside = likelihood[:, members]
    totals = np.round(inside.sum(axis=1), 6)
    best = int(totals.argmax())
    # Reasoners with the same answers in the group are not rivals.
    predicted = observed.predicted[:, members]
    rivals = [p for p in range(len(totals)) if (predicted[p] != predicted[best]).any()]
    sure = all(_margin(inside[best] - inside[rival]).sure for rival in rivals)
    return GroupFinding(
        dimension=group.dimension,
        name=group.name,
        items=len(members),
        reasoner=observed.reasoners[best],
        sure=sure,
    )
