"""Ranks reasoners by how well they explain a model's answers, and decides what can be claimed.

Four families of claims are tested, each at the level ``LEVEL / FAMILIES``, so that with a
probability of at least 1 - ``LEVEL`` none of a diagnosis is wrong if a model is one of the
reasoners with uniform noise:

- a reasoner is better than guessing (permutation test);
- a reasoner is better than another (sign test of the answers that agree with one of the two alone:
  under uniform noise an answer of the other agrees with the first at most half of the time);
- the answers that differ from a reasoner's are spread evenly (exact tests, Holm's correction);
- in a group of items, a reasoner is better than all others (Holm's correction for the groups).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import erfc, log, sqrt

import numpy as np
from numpy.typing import NDArray

from benchmarks.eventhop.cases import Dimension, Group
from benchmarks.eventhop.diagnosis.likelihood import (
    Floats,
    Labels,
    Mixture,
    Observations,
    best_mixture,
    guessed,
    noise_rates,
    noisy,
)
from benchmarks.metrics.significance import binomial_tail, holm, hypergeometric_test, share_interval

LEVEL = 0.05
FAMILIES = 4
FAMILY_LEVEL = LEVEL / FAMILIES
FEWEST = 30
"""Minimum number of answers for the diagnosis of a group."""
LEAST_WEIGHT = 0.05
SURE = 2.0
"""Minimum lead of a mixture, in standard errors."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """Difference of two explanations: held-out log-likelihood in nats, over all items."""

    value: float
    error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisive:
    """The answers that agree with exactly one of two reasoners.

    Attributes:
        agree: number that agrees with the first.
        total: number that agrees with one of them.
        low, high: simultaneous interval of the share that agrees with the first; it excludes the
            other reasoner if it is above 1/2.
    """

    agree: int
    total: int
    low: float
    high: float

    @property
    def excludes(self) -> bool:
        """Whether the other reasoner is excluded."""
        return self.low > 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """How well a noisy reasoner explains the answers.

    Attributes:
        reasoner: its name.
        same: reasoners with the same answers to all items, indistinguishable on these data.
        meaning, habit: its description, see ``Reasoner``.
        likelihood: held-out log-likelihood per answer, in nats; at most 0, higher is better.
        noise: share of answers that differ from the reasoner's.
        behind: margin of the best explanation over this one; 0 for the best.
        decisive: the answers that decide between the best explanation and this one.
        differs: number of items on which it differs from the best explanation's reasoner.
        errors: number of the model's errors.
        explained: number of these that the reasoner makes, too.
        by_chance: expected share of explained errors if errors were random.
        own_errors: number of the reasoner's errors.
    """

    reasoner: str
    same: tuple[str, ...]
    meaning: str
    habit: str
    likelihood: float
    noise: float
    behind: Margin
    decisive: Decisive
    differs: int
    errors: int
    explained: int
    by_chance: float
    own_errors: int

    @property
    def names(self) -> tuple[str, ...]:
        """All reasoners with these answers."""
        return (self.reasoner, *self.same)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Items on which more answers differ from an explanation than uniform noise makes likely.

    Attributes:
        place: which items, completing "where …".
        items: number of answers.
        misses: number that differ.
        expected: number expected if misses were spread evenly.
    """

    place: str
    items: int
    misses: int
    expected: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """Goodness of fit: whether the unexplained answers are spread evenly.

    Attributes:
        rejected: whether they are not.
        clusters: where there are too many, the most significant first.
    """

    rejected: bool
    clusters: tuple[Cluster, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """The best mixture of two; ``needed`` if no single reasoner and no other mixture is left."""

    first: str
    second: str
    weight: float
    noise: float
    likelihood: float
    ahead: Margin
    needed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupFinding:
    """The best reasoner for a group.

    Attributes:
        reasoner: its name.
        same: the others with the same answers to the items of the group.
        habit: its description, see ``Reasoner``.
        sure: whether all that differ are excluded, and its misses are spread evenly.
    """

    dimension: Dimension
    name: str
    items: int
    reasoner: str
    same: tuple[str, ...]
    habit: str
    sure: bool

    @property
    def names(self) -> tuple[str, ...]:
        """All reasoners with these answers."""
        return (self.reasoner, *self.same)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """All explanations, the best first.

    Attributes:
        guessing: log-likelihood per answer under the marginal label frequencies.
        guessing_behind: margin of the best explanation over guessing.
        beats_guessing: whether the best explanation is significantly better than guessing.
        fit: goodness of fit of the best explanation.
        pair: the best mixture; None unless the fit is rejected.
    """

    answers: int
    explanations: tuple[Explanation, ...]
    guessing: float
    guessing_behind: Margin
    beats_guessing: bool
    fit: Fit
    pair: Pair | None
    groups: tuple[GroupFinding, ...]

    @property
    def rivals(self) -> tuple[Explanation, ...]:
        """Explanations that the answers do not exclude, without the best."""
        return tuple(
            explanation
            for explanation in self.explanations[1:]
            if not explanation.decisive.excludes
        )

    @property
    def claimed(self) -> bool:
        """Whether the best explanation is claimed to be the model's."""
        return self.beats_guessing and not self.fit.rejected and not self.rivals


def rank(observed: Observations, grouped: Sequence[Group]) -> Ranking:
    """Rank the reasoners; ``grouped`` refers to positions among the answered items."""
    likelihood = noisy(observed)
    everything = np.arange(len(observed.answers))
    classes = _classes(observed, likelihood, everything)
    first = classes[0][0]
    guesses = guessed(observed)
    fit = _fit(observed, first, grouped, everything)
    beats_guessing = _beats_guessing(observed, first, everything, FAMILY_LEVEL)
    pair = None
    if beats_guessing and fit.rejected:
        pair = _pair(observed, likelihood[first], classes, grouped)
    return Ranking(
        answers=len(observed.answers),
        explanations=tuple(
            _explanation(observed, likelihood, classes, class_) for class_ in classes
        ),
        guessing=float(guesses.mean()),
        guessing_behind=_margin(likelihood[first] - guesses),
        beats_guessing=beats_guessing,
        fit=fit,
        pair=pair,
        groups=tuple(_groups(observed, likelihood, grouped)),
    )


def _classes(observed: Observations, likelihood: Floats, members: Labels) -> list[list[int]]:
    """Reasoners with the same labels for the members, the best class first."""
    totals = likelihood[:, members].sum(axis=1)
    order = sorted(range(len(totals)), key=lambda place: (-round(float(totals[place]), 6), place))
    classes: dict[bytes, list[int]] = {}
    for place in order:
        classes.setdefault(observed.predicted[place, members].tobytes(), []).append(place)
    return list(classes.values())


def _explanation(
    observed: Observations,
    likelihood: Floats,
    classes: Sequence[Sequence[int]],
    own_indices: Sequence[int],
) -> Explanation:
    first, place = classes[0][0], own_indices[0]
    predicted = observed.predicted[place]
    wrong, err = observed.answers != observed.gold, predicted != observed.gold
    return Explanation(
        reasoner=observed.reasoners[place].name,
        same=tuple(observed.reasoners[other].name for other in own_indices[1:]),
        meaning=observed.reasoners[place].meaning,
        habit=observed.reasoners[place].habit,
        likelihood=float(likelihood[place].mean()),
        noise=float(noise_rates(observed)[place]),
        behind=_margin(likelihood[first] - likelihood[place]),
        decisive=_decisive(observed, first, place, len(classes)),
        differs=int((predicted != observed.predicted[first]).sum()),
        errors=int(wrong.sum()),
        explained=int((wrong & (predicted == observed.answers)).sum()),
        by_chance=float(err.mean()) / 2,
        own_errors=int(err.sum()),
    )


def _margin(differences: Floats) -> Margin:
    """The sum of differences of log-likelihoods, item by item, and its standard error."""
    spread = float(np.std(differences, ddof=1)) if len(differences) > 1 else 0.0
    return Margin(value=float(differences.sum()), error=spread * sqrt(len(differences)))


def _sides(observed: Observations, candidate: int, other: int, members: Labels) -> tuple[int, int]:
    """The answers that agree with exactly one of two reasoners: with the first, with either."""
    hits = observed.held_out[[candidate, other]][:, members] == observed.answers[members]
    agree = int((hits[0] & ~hits[1]).sum())
    return agree, agree + int((hits[1] & ~hits[0]).sum())


def _decisive(observed: Observations, first: int, other: int, classes: int) -> Decisive:
    agree, total = _sides(observed, first, other, np.arange(len(observed.answers)))
    # The bound below counts alone, so half of the level is for each of the best's rivals.
    low, high = share_interval(agree, total, 2 * FAMILY_LEVEL / max(classes - 1, 1))
    return Decisive(agree=agree, total=total, low=low, high=high)


def _beats_guessing(observed: Observations, place: int, members: Labels, level: float) -> bool:
    """Whether a reasoner agrees with more answers than with the same answers in random order."""
    predicted, answers = observed.held_out[place, members], observed.answers[members]
    count = len(members)
    if count < 2:
        return False
    labels = np.arange(len(observed.words))
    given = (answers == labels[:, np.newaxis]).sum(axis=1)
    votes = (predicted == labels[:, np.newaxis]).sum(axis=1)
    mean = float((votes * given).sum()) / count
    # Variance of a linear permutation statistic; rows are the reasoner's labels (Hoeffding 1951).
    centred = np.eye(len(labels)) - given[:, np.newaxis] / count - votes[np.newaxis] / count
    spread = sqrt(
        float((np.outer(votes, given) * (centred + mean / count) ** 2).sum()) / (count - 1)
    )
    if spread == 0:
        return False
    z = (int((predicted == answers).sum()) - 0.5 - mean) / spread
    return 0.5 * erfc(z / sqrt(2)) <= level / len(observed.reasoners)


def _fit(observed: Observations, place: int, grouped: Sequence[Group], members: Labels) -> Fit:
    """Test whether the misses of a reasoner are spread evenly over the members.

    Three families share the level: the groups, the reasoner's own labels, and the labels of the
    other reasoners. Under uniform noise a miss is each of the other labels equally often.
    """
    name = observed.reasoners[place].name
    predicted, answers = observed.held_out[place, members], observed.answers[members]
    missed = predicted != answers
    own = _tested(
        [
            (f"{name} says {word}", predicted == number, missed)
            for number, word in enumerate(observed.words)
        ]
    )
    for number, word in enumerate(observed.words):
        for other, answered in enumerate(observed.words):
            if other != number and len(observed.words) > 2:
                where = f"{name} says {word} and the answer is {answered}"
                own.append(_halves(where, missed & (predicted == number), answers == other))
    others: list[tuple[float, Cluster]] = []
    for rival, labels in zip(observed.reasoners, observed.held_out[:, members], strict=True):
        apart = labels != predicted
        if apart.any():
            others += _tested([(f"{rival.name} answers otherwise", apart, missed)])
            where = f"{rival.name} answers otherwise, and as the model"
            others.append(_halves(where, missed & apart, answers == labels))
    groups = _tested([(where, cell, missed) for where, cell in _cells(grouped, members)])
    return _judged((groups, own, others))


def _halves(where: str, rows: Mask, marked: Mask) -> tuple[float, Cluster]:
    """Sign test of whether more than half of the rows are marked."""
    hits, total = int((rows & marked).sum()), int(rows.sum())
    cluster = Cluster(place=where, items=total, misses=hits, expected=total / 2)
    return binomial_tail(hits, total), cluster


def _judged(families: Sequence[Sequence[tuple[float, Cluster]]]) -> Fit:
    """Apply Holm's correction within each family of tests."""
    rejected: list[tuple[float, int, Cluster]] = []
    for tests in families:
        corrected = holm([value for value, _ in tests])
        rejected += [
            (value, len(rejected), cluster)
            for (value, cluster), p in zip(tests, corrected, strict=True)
            if p <= FAMILY_LEVEL / len(families)
        ]
    ordered = [cluster for _, _, cluster in sorted(rejected, key=lambda row: row[:2])]
    return Fit(
        rejected=bool(rejected),
        clusters=tuple(cluster for cluster in ordered if cluster.misses > cluster.expected),
    )


def _cells(grouped: Sequence[Group], members: Labels) -> list[tuple[str, Mask]]:
    return [
        (f"{group.dimension} is {group.name}", np.isin(members, group.members)) for group in grouped
    ]


def _tested(tests: Sequence[tuple[str, Mask, Mask]]) -> list[tuple[float, Cluster]]:
    """Exact tests of whether marked items are spread evenly over cells and the rest."""
    found = []
    for where, cell, marked in tests:
        inside, drawn = int((cell & marked).sum()), int(cell.sum())
        total, count = int(marked.sum()), len(marked)
        if 0 < drawn < count:
            cluster = Cluster(
                place=where, items=drawn, misses=inside, expected=drawn * total / count
            )
            found.append((hypergeometric_test(inside, drawn, total, count), cluster))
    return found


def _pair(
    observed: Observations,
    best: Floats,
    classes: Sequence[Sequence[int]],
    grouped: Sequence[Group],
) -> Pair | None:
    found = best_mixture(observed, [class_[0] for class_ in classes])
    if found is None:
        return None
    mixture, others = found
    ahead = _margin(mixture.likelihood - best)
    # The best of many pairs has to lead over each of the others, and over the best single
    # reasoner. A held-out likelihood ratio of 1 / a or more against the truth has a probability
    # of at most a (Markov's inequality; Wasserman, Ramdas and Balakrishnan 2020).
    least = log((len(others) + 1) / FAMILY_LEVEL)
    margins = [ahead, *(_margin(mixture.likelihood - other) for other in others)]
    leads = all(margin.value > max(least, SURE * margin.error) for margin in margins)
    balanced = LEAST_WEIGHT < mixture.weight < 1 - LEAST_WEIGHT
    names, weight = (mixture.first, mixture.second), mixture.weight
    if weight < 0.5:
        names, weight = names[::-1], 1 - weight
    needed = leads and balanced
    return Pair(
        first=observed.reasoners[names[0]].name,
        second=observed.reasoners[names[1]].name,
        weight=weight,
        noise=mixture.noise,
        likelihood=float(mixture.likelihood.mean()),
        ahead=ahead,
        needed=needed and not _mixture_fit(observed, mixture, grouped).rejected,
    )


def _mixture_fit(observed: Observations, mixture: Mixture, grouped: Sequence[Group]) -> Fit:
    """Test whether the shares of a mixture and its misses are the same everywhere."""
    first, second = observed.held_out[mixture.first], observed.held_out[mixture.second]
    first_right, other = first == observed.answers, second == observed.answers
    tests: list[tuple[str, Mask, Mask]] = []
    for inside, marked in (
        (first == second, ~first_right),
        (first != second, first_right),
        (first != second, ~first_right & ~other),
    ):
        rows = np.flatnonzero(inside)
        cells = _cells(grouped, rows)
        cells += [
            (f"{name} says {word}", votes[rows] == number)
            for name, votes in (("the first", first), ("the second", second))
            for number, word in enumerate(observed.words)
        ]
        tests += [(where, cell, marked[rows]) for where, cell in cells]
    return _judged((_tested(tests),))


def _groups(
    observed: Observations, likelihood: Floats, grouped: Sequence[Group]
) -> list[GroupFinding]:
    large = [group for group in grouped if len(group.members) >= FEWEST]
    found, values = [], []
    for group in large:
        members = np.array(group.members, dtype=np.intp)
        classes = _classes(observed, likelihood, members)
        best = classes[0]
        # The best of the classes has to exclude each of the others.
        worst = max(
            (
                binomial_tail(*_sides(observed, best[0], class_[0], members))
                for class_ in classes[1:]
            ),
            default=0.0,
        )
        values.append(worst * (len(classes) - 1))
        sure = (
            values[-1] <= FAMILY_LEVEL
            and _beats_guessing(observed, best[0], members, FAMILY_LEVEL / len(large))
            and not _fit(observed, best[0], grouped, members).rejected
        )
        found.append(
            GroupFinding(
                dimension=group.dimension,
                name=group.name,
                items=len(members),
                reasoner=observed.reasoners[best[0]].name,
                same=tuple(observed.reasoners[number].name for number in best[1:]),
                habit=observed.reasoners[best[0]].habit,
                sure=sure,
            )
        )
    pairs = zip(found, holm(values), strict=True)
    return [replace(finding, sure=finding.sure and p <= FAMILY_LEVEL) for finding, p in pairs]
