"""Which reasoner explains a model's answers best: over all items, and by group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from benchmarks.diagnosis.likelihood import Answered, Floats, guessed, noise_rates, noisy
from benchmarks.diagnosis.mixture import best_mixture
from benchmarks.nli.dimension import Dimension
from benchmarks.nli.groups import Group

SURE = 2.0
"""Standard errors by which one explanation has to exceed another to be told apart from it."""
FEWEST = 30
"""A group of fewer answers is not diagnosed."""
LEAST_WEIGHT = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """By how much one explanation is better: held-out log-likelihood in nats, over all items."""

    value: float
    error: float

    @property
    def sure(self) -> bool:
        """Whether it is more than luck."""
        return self.value > SURE * self.error


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """How well a noisy reasoner explains the answers.

    Attributes:
        reasoner: its name.
        same: reasoners that give the same answers to all these items: no data like these can
            tell them apart.
        likelihood: held-out log-likelihood per answer, in nats; at most 0, higher is better.
        noise: share of answers that are not the reasoner's.
        behind: by how much the first explanation is better; 0 for the first.
        differs: items to which the first explanation's reasoner gives another answer.
        errors: the model's wrong answers.
        explained: those that are the reasoner's wrong answers, too.
        by_chance: share of wrong answers that would be explained if they were strewn at random.
        own_errors: the reasoner's wrong answers.
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
    """The best mixture of two: told if it is surely better than the best single reasoner."""

    first: str
    second: str
    weight: float
    noise: float
    likelihood: float
    ahead: Margin
    needed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupFinding:
    """Who explains a group of items best; ``sure`` if better than whoever answers otherwise."""

    dimension: Dimension
    name: str
    items: int
    reasoner: str
    sure: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """All explanations, the best first.

    Attributes:
        guessing: log-likelihood per answer of labels drawn at the answers' own frequencies.
        guessing_behind: by how much the first explanation is better than that.
    """

    answers: int
    explanations: tuple[Explanation, ...]
    guessing: float
    guessing_behind: Margin
    pair: Pair | None
    groups: tuple[GroupFinding, ...]


def rank(answered: Answered, grouped: Sequence[Group]) -> Ranking:
    """Rank the reasoners; ``grouped`` holds positions among the answered items."""
    likelihood = noisy(answered)
    totals = likelihood.sum(axis=1)
    order = sorted(range(len(totals)), key=lambda place: (-round(float(totals[place]), 6), place))
    first = order[0]
    named: set[int] = set()
    explanations = []
    for place in order:
        if place in named:
            continue
        alike = [other for other in order if (answered.given[other] == answered.given[place]).all()]
        named.update(alike)
        explanations.append(_explanation(answered, likelihood, place, first, alike))
    guesses = guessed(answered)
    return Ranking(
        answers=len(answered.said),
        explanations=tuple(explanations),
        guessing=float(guesses.mean()),
        guessing_behind=_margin(likelihood[first] - guesses),
        pair=_pair(answered, likelihood[first]),
        groups=tuple(
            _group(answered, likelihood, group) for group in grouped if len(group.members) >= FEWEST
        ),
    )


def _explanation(
    answered: Answered, likelihood: Floats, place: int, first: int, alike: Sequence[int]
) -> Explanation:
    given = answered.given[place]
    wrong, own = answered.said != answered.gold, given != answered.gold
    return Explanation(
        reasoner=answered.reasoners[place],
        same=tuple(answered.reasoners[other] for other in alike if other != place),
        likelihood=float(likelihood[place].mean()),
        noise=float(noise_rates(answered)[place]),
        behind=_margin(likelihood[first] - likelihood[place]),
        differs=int((given != answered.given[first]).sum()),
        errors=int(wrong.sum()),
        explained=int((wrong & (given == answered.said)).sum()),
        by_chance=float(own.mean()) / 2,
        own_errors=int(own.sum()),
    )


def _margin(differences: Floats) -> Margin:
    """The sum of differences of log-likelihoods, item by item, and its standard error."""
    spread = float(np.std(differences, ddof=1)) if len(differences) > 1 else 0.0
    return Margin(value=float(differences.sum()), error=spread * sqrt(len(differences)))


def _pair(answered: Answered, best: Floats) -> Pair | None:
    mixture = best_mixture(answered)
    if mixture is None:
        return None
    ahead = _margin(mixture.likelihood - best)
    count = len(answered.reasoners)
    # The best of many pairs is ahead by some luck; hardly by more than the log of their number.
    beyond_luck = ahead.value > log(count * (count - 1) / 2)
    balanced = LEAST_WEIGHT < mixture.weight < 1 - LEAST_WEIGHT
    names, weight = (mixture.first, mixture.second), mixture.weight
    if weight < 0.5:
        names, weight = names[::-1], 1 - weight
    return Pair(
        first=answered.reasoners[names[0]],
        second=answered.reasoners[names[1]],
        weight=weight,
        noise=mixture.noise,
        likelihood=float(mixture.likelihood.mean()),
        ahead=ahead,
        needed=ahead.sure and beyond_luck and balanced,
    )


def _group(answered: Answered, likelihood: Floats, group: Group) -> GroupFinding:
    members = list(group.members)
    inside = likelihood[:, members]
    totals = np.round(inside.sum(axis=1), 6)
    best = int(totals.argmax())
    # Whoever gives the same answers here is no rival.
    given = answered.given[:, members]
    rivals = [p for p in range(len(totals)) if (given[p] != given[best]).any()]
    sure = all(_margin(inside[best] - inside[rival]).sure for rival in rivals)
    return GroupFinding(
        dimension=group.dimension,
        name=group.name,
        items=len(members),
        reasoner=answered.reasoners[best],
        sure=sure,
    )
