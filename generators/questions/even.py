"""Chooses candidate sets such that what can be counted of the choices does not predict the answer.

Boosting is turned round. Each candidate set has a weight, at first the same for each question.
Round by round, a small tree learns to predict the answers of sets drawn by their weights, and the
sets in which it finds the answer lose weight, those in which it errs gain. So in the end the trees
find the answer of a set drawn by its weight as often as chance, and so does what can be composed of
them. Questions whose sets all lost their weight are left out.

Counts of drawn sets are whole numbers and weights powers of two, so that every machine chooses the
same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle

import numpy as np
from numpy.typing import NDArray

from solver.graph.model import Ids

KEPT = 0.38
"""Share of the questions that are kept."""
ROUNDS = 400
"""Trees that are fitted."""
DRAWN = 4_000
"""Sets that a tree is fitted to, at most."""
_DEPTH = 4
_BINS = 32
"""Classes of the values of a column."""
_FEWEST = 0.002
"""Average choices that are added to each part of a tree, as a share of those it is fitted to."""
_KIND_PRIOR = 40
"""Choices without an excess that are added to those of each kind."""
RATE = 0.5
"""Share of what a tree finds by which weights change."""
_STEPS = 64
"""Steps of a weight between two powers of two; a power of two itself."""
_FEWEST_QUESTIONS = 8
"""No question is left out of so few."""

Weights = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Tree:
    """Splits of each depth, shape (nodes, 2): a column, and the last class that goes left."""

    splits: tuple[Ids, ...]
    leaves: Weights

    def preferred(self, table: NDArray[np.uint8]) -> Weights:
        """By how much the answer of each set is preferred to its other choices."""
        place = np.zeros(table.shape[1:], dtype=np.uint8)
        for split in self.splits:
            place = _passed(place, table, split)
        choices = table.shape[2]
        # There are fewer combinations of leaves than sets.
        others = self.leaves
        for _ in range(choices - 2):
            others = others[..., None] + self.leaves
        found: Weights = self.leaves[:, None] - others.reshape(-1) / (choices - 1)
        combination = place[:, 0].astype(np.int64)
        for choice in range(1, choices):
            combination <<= _DEPTH
            combination |= place[:, choice]
        return found.reshape(-1)[combination]


def _passed(place: NDArray[np.uint8], table: NDArray[np.uint8], split: Ids) -> NDArray[np.uint8]:
    """The node of each choice at the next depth of a tree, from its node at this one."""
    right = np.zeros(place.shape, dtype=np.bool_)
    for node, (column, last) in enumerate(split.tolist()):
        if last + 1 < _BINS:
            right |= (place == node) & (table[column] > last)
    return 2 * place + right


@dataclass(frozen=True, slots=True)
class Evening:
    """A predictor of the answers of candidate sets: trees and kinds that were fitted to some.

    Attributes:
        alone: whether who answers sees one of the choices only.
        rate: share of what a tree finds by which weights change.
        edges: where the classes of each column end.
        kinds: the known kinds of each column of kinds, ascending.
        trees: a tree of each round.
        excesses: of each round, the excess of each known kind of a column, and of unknown ones; the
            columns take turns.
    """

    alone: bool
    rate: float
    edges: tuple[Ids, ...]
    kinds: tuple[Ids, ...]
    trees: list[_Tree]
    excesses: list[Weights]

    def margins(self, values: Sequence[Ids], kinds: Sequence[Ids]) -> Weights:
        """By how much the answer of each set is preferred to its other choices.

        Args:
            values: columns of what is counted of the choices of each set, the answer first; each of
                shape (sets, choices).
            kinds: columns of their kinds, of the same shape.
        """
        columns = zip(_columns(values, alone=self.alone), self.edges, strict=True)
        table = np.stack([_classes(column, edges) for column, edges in columns])
        places = [_placed(column, known) for column, known in zip(kinds, self.kinds, strict=True)]
        found = np.zeros(table.shape[1])
        for tree, excess, place in zip(self.trees, self.excesses, cycle(places)):
            found += self.rate * tree.preferred(table)
            found += self.rate / 2 * _preferred(excess[place])
        return found


def fitted(
    values: Sequence[Ids],
    kinds: Sequence[Ids],
    questions: Ids,
    draw: np.random.Generator,
    *,
    share: float = KEPT,
    rounds: int = ROUNDS,
    drawn: int = DRAWN,
    rate: float = RATE,
    alone: bool = False,
) -> tuple[Evening, Weights]:
    """Fit trees that predict the answer, weighing sets as they are chosen.

    Args:
        values: columns of what is counted of the choices of each candidate set, the answer first;
            each of shape (sets, choices). The choices are shown by the first one.
        kinds: columns of the kinds of the choices, such as their relations, of the same shape.
        questions: the question of each candidate set, ascending.
        draw: random generator.
        share: share of the questions that are kept.
        rounds: number of trees.
        drawn: sets that a tree is fitted to, at most.
        rate: share of what a tree finds by which weights change.
        alone: whether who answers sees one of the choices only.

    Returns:
        The predictor, and by how much it prefers the answer of each set.
    """
    owner = _numbered(questions)
    known = tuple(np.unique(column) for column in kinds)
    learned = [_learned_classes(column) for column in _columns(values, alone=alone)]
    found = Evening(alone, rate, tuple(edges for edges, _ in learned), known, [], [])
    table = np.stack([classes for _, classes in learned])
    places = [_placed(column, some) for column, some in zip(kinds, known, strict=True)]
    margins = np.zeros(table.shape[1])
    size, sizes = min(drawn, len(margins)), np.bincount(owner)
    for number in range(rounds):
        kept, within = _chances(margins, owner, share)
        reached = np.cumsum(np.repeat(kept, sizes) * within)
        # Sorted, which is found faster; the order of the sets does not matter.
        points = np.sort(draw.random(size)) * reached[-1]
        some = np.searchsorted(reached, points, side="right")
        some = np.minimum(some, len(margins) - 1)
        columns = draw.permutation(len(table))[: (len(table) + 1) // 2]
        tree = _grown(table, some, columns)
        # Columns of kinds take turns.
        turn = number % len(known)
        excess = _excess(places[turn][:, some], len(known[turn]))
        margins += rate * tree.preferred(table)
        margins += rate / 2 * _preferred(excess[places[turn]])
        found.trees.append(tree)
        found.excesses.append(excess)
    return found, margins


def evened(
    values: Sequence[Ids], kinds: Sequence[Ids], questions: Ids, draw: np.random.Generator
) -> Ids:
    """Choose at most one candidate set for each question, by trees that are fitted to all sets.

    Args:
        values: as of ``fitted``.
        kinds: as of ``fitted``.
        questions: the question of each candidate set, ascending.
        draw: random generator.

    Returns:
        Rows of the chosen sets, ascending.
    """
    if not len(questions):
        return np.empty(0, dtype=np.int64)
    _, margins = fitted(values, kinds, questions, draw)
    return chosen(margins, questions, draw)


def chosen(margins: Weights, questions: Ids, draw: np.random.Generator, share: float = KEPT) -> Ids:
    """Choose at most one candidate set for each question, preferably one that is predicted badly.

    Args:
        margins: by how much the answer of each set is preferred.
        questions: the question of each candidate set, ascending.
        draw: random generator.
        share: share of the questions that are kept.

    Returns:
        Rows of the chosen sets, ascending.
    """
    owner = _numbered(questions)
    kept, within = _chances(margins, owner, share)
    asked = draw.random(len(kept)) < kept
    last = np.searchsorted(owner, np.arange(len(kept)), side="right")
    first = np.searchsorted(owner, np.arange(len(kept)))
    reached = np.cumsum(within)
    begin = np.where(first > 0, reached[first - 1], 0.0)
    point = begin + draw.random(len(kept)) * (reached[last - 1] - begin)
    row = np.clip(np.searchsorted(reached, point, side="right"), first, last - 1)
    rows: Ids = row[asked].astype(np.int64)
    return rows


def _numbered(questions: Ids) -> Ids:
    numbers: Ids = np.unique(questions, return_inverse=True)[1]
    return numbers


def _chances(margins: Weights, owner: Ids, share: float) -> tuple[Weights, Weights]:
    """The chance of each question to be kept, and that of each set among those of its question."""
    wanted = max(share * (int(owner[-1]) + 1), _FEWEST_QUESTIONS)
    steps = np.rint(margins * -_STEPS).astype(np.int64)
    powers = np.array([float(round(2 ** (step / _STEPS) * 2**20)) for step in range(_STEPS)])
    # Powers of two, written as floating-point numbers are.
    exponents = np.clip(steps >> (_STEPS.bit_length() - 1), -1_000, 1_000) + 1_023
    sizes = np.bincount(owner)
    weights = powers[steps & (_STEPS - 1)] * (exponents << 52).view(np.float64)
    weights /= np.repeat(sizes, sizes)
    total = np.bincount(owner, weights).astype(np.float64)
    return _capped(total, wanted), weights / np.repeat(total, sizes)


def _capped(weights: Weights, wanted: float) -> Weights:
    """Chances in proportion to weights and at most 1, the sum of which is wanted."""
    if wanted >= len(weights):
        return np.ones(len(weights))
    order = np.sort(weights)
    below = np.cumsum(order)
    # The largest weights get 1; the others share what is left.
    ones = np.arange(len(weights))
    factor = (wanted - ones) / below[::-1]
    number = int(np.argmax(factor * order[::-1] <= 1))
    chances: Weights = np.minimum(1.0, weights * factor[number])
    return chances


def _columns(values: Sequence[Ids], *, alone: bool) -> Iterator[Ids]:
    """What is seen of each choice: its numbers, their ranks, and the numbers of the others."""
    yield from values
    if alone:
        return
    for column in values:
        yield (column[:, None, :] > column[:, :, None]).sum(axis=2)
    choices = values[0].shape[1]
    places = np.arange(choices)
    # The other choices of each choice, in the order of the first number.
    first = values[0][:, None, :] + np.zeros((choices, 1), dtype=np.int64)
    first[:, places, places] = np.iinfo(np.int64).max
    others = np.argsort(first, axis=2, kind="stable")
    for other in range(choices - 1):
        for column in values:
            yield np.take_along_axis(column, others[:, :, other], axis=1)


def _learned_classes(values: Ids) -> tuple[Ids, NDArray[np.uint8]]:
    """Where the classes of a column end, which is at its quantiles, and the class of each value."""
    least, size = int(values.min()), values.size
    places = size * np.arange(1, _BINS) // _BINS
    if int(values.max()) - least > size:
        edges: Ids = np.unique(np.sort(values, axis=None)[places])
        return edges, _classes(values, edges)
    # Most columns are counts: there are fewer numbers than values.
    shifted = values - least
    reached = np.cumsum(np.bincount(shifted.reshape(-1)))
    edges = np.unique(np.searchsorted(reached, places, side="right"))
    return edges + least, _classes(np.arange(len(reached)), edges).take(shifted)


def _classes(values: Ids, edges: Ids) -> NDArray[np.uint8]:
    return np.searchsorted(edges, values, side="right").astype(np.uint8)


def _placed(kinds: Ids, known: Ids) -> Ids:
    """The place of each kind among the known ones; one place more for an unknown one.

    Returns:
        Shape (choices, sets), as choices are looked up one after the other.
    """
    place = np.searchsorted(known, kinds)
    found = known[np.minimum(place, len(known) - 1)] == kinds
    return np.ascontiguousarray(np.where(found, place, len(known)).T)


def _grown(table: NDArray[np.uint8], some: Ids, columns: Ids) -> _Tree:
    """A tree that predicts the answers of some sets among their choices.

    It predicts the number of other choices for an answer, and -1 for another choice.
    """
    choices = table.shape[2]
    seen = np.stack([table[column].take(some, axis=0).reshape(-1) for column in columns])
    excess = np.full((len(some), choices), -1.0)
    excess[:, 0] += choices
    # One sum for both: a count is a multiple of 2^30, an excess is much less.
    weights = excess.reshape(-1) + 2.0**30
    prior = _FEWEST * seen.shape[1]
    part = np.zeros(seen.shape[1], dtype=np.uint8)
    pairs = _paired(seen)
    sums = _sums(pairs, weights, 1)[: len(seen)]
    splits = []
    for depth in range(_DEPTH):
        nodes = 1 << depth
        gains = _gains(sums, prior)
        # The first of the best splits; without a gain all go left.
        at, last = np.divmod(gains.reshape(nodes, -1).argmax(axis=1), _BINS)
        better = gains[np.arange(nodes), at, last] > 0
        at, last = np.where(better, (at, last), ((0,), (_BINS,)))
        splits.append(np.where(better, (columns[at], last), ((0,), (_BINS,))).T)
        part = _passed(part, seen, np.stack((at, last), axis=1))
        if depth + 1 < _DEPTH:
            # The larger side of each part is what is not on the smaller one; sums are exact.
            smaller = np.bincount(part, minlength=2 * nodes).reshape(-1, 2).argmin(axis=1)
            side = np.zeros((nodes, 2), dtype=np.bool_)
            side[np.arange(nodes), smaller] = True
            few = np.flatnonzero(side.reshape(-1)[part])
            begin = (part[few] // 2).astype(np.uint16) * _BINS**2
            of_few = _sums(pairs.take(few, axis=1) + begin, weights[few], nodes)[: len(seen)]
            sides = np.stack((of_few, sums - of_few), axis=2)
            sides = np.where(smaller[:, None, None] == 0, sides, sides[:, :, ::-1])
            sums = sides.reshape(len(seen), -1, _BINS)
    leaves = 1 << _DEPTH
    of_leaf = np.bincount(part, excess.reshape(-1), minlength=leaves)
    return _Tree(tuple(splits), of_leaf / (np.bincount(part, minlength=leaves) + prior))


def _paired(seen: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """The classes of two columns each as one number; of an odd one out, with the class 0."""
    even = seen[::2].astype(np.uint16) * _BINS
    even[: len(seen) // 2] += seen[1::2]
    return even


def _sums(pairs: NDArray[np.uint16], weights: Weights, nodes: int) -> Weights:
    """The sums of weights by column, part of a tree and class.

    Args:
        pairs: classes of two columns each, and the part, as a number.
        weights: of each choice.
        nodes: number of parts.
    """
    size = nodes * _BINS**2
    shape = (nodes, _BINS, _BINS)
    tables = [np.bincount(pair, weights, size).reshape(shape) for pair in pairs]
    every = [table.sum(axis=axis) for table in tables for axis in (2, 1)]
    return np.stack(every).astype(np.float64)


def _gains(sums: Weights, prior: float) -> Weights:
    """What is gained by splitting each part of a tree after each class of each column.

    Args:
        sums: weights by column, part and class.
        prior: count that is added to each side.

    Returns:
        Gains by part, column and class.
    """
    counts = np.rint(sums / 2.0**30)
    excess = np.cumsum(sums - counts * 2.0**30, axis=2)
    counts = np.cumsum(counts, axis=2)
    whole, size = excess[..., -1:], counts[..., -1:]
    left = excess**2 / (counts + prior)
    right = (whole - excess) ** 2 / (size - counts + prior)
    gain: Weights = left + right - whole**2 / (size + prior)
    return gain.transpose(1, 0, 2)


def _excess(places: Ids, known: int) -> Weights:
    """By how much more often each known kind is that of an answer than that of a choice."""
    every = np.bincount(places.reshape(-1), minlength=known + 1)
    right = np.bincount(places[0], minlength=known + 1)
    excess: Weights = (len(places) * right - every) / (every + _KIND_PRIOR)
    return excess


def _preferred(scores: Weights) -> Weights:
    """The score of the answer of each set, less the mean of the others; shape (choices, sets)."""
    others = sum(scores[2:], start=scores[1])
    found: Weights = scores[0] - others / (len(scores) - 1)
    return found
