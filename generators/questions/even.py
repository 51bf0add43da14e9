"""Chooses candidate sets such that what can be counted of the choices does not predict the answer.

Boosting is turned round. Each candidate set has a weight, at first the same for each question.
Round by round, a small tree learns to tell the answer of sets that are drawn by their weights, and
sets in which it finds the answer lose weight, those in which it errs gain. So in the end the trees
find the answer of a set drawn by its weight as often as chance, and so does what can be composed of
them. Questions whose sets all lost their weight are left out.

Counts of drawn sets are whole numbers and weights powers of two, so that every machine chooses the
same.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from solver.graph.model import Ids
from solver.questions.contributions import CHOICES

KEPT = 0.38
"""Share of the questions that are kept."""
ROUNDS = 150
"""Trees that are fitted."""
DRAWN = 8_000
"""Sets that a tree is fitted to, at most."""
_DEPTH = 4
_BINS = 32
"""Classes of the values of a column."""
_FEWEST = 0.002
"""Average choices that are added to each part of a tree, as a share of those it is fitted to."""
_KIND_PRIOR = 40
"""Choices without an excess that are added to those of each kind."""
_RATE = 0.5
"""Share of what a tree finds by which weights change."""
_STEPS = 64
"""Steps of a weight between two powers of two."""
_FEWEST_QUESTIONS = 8
"""No question is left out of so few."""

Weights = NDArray[np.float64]


def evened(values: Ids, kinds: Ids, questions: Ids, draw: np.random.Generator) -> Ids:
    """Choose at most one candidate set for each question.

    Args:
        values: what is counted of the choices of each candidate set, the answer first; shape (sets,
            ``CHOICES``, columns). The choices are shown by the first column.
        kinds: the kinds of the choices, such as their relations; shape (sets, ``CHOICES``).
        questions: the question of each candidate set, ascending.
        draw: random generator.

    Returns:
        Rows of the chosen sets, ascending.
    """
    if not len(values):
        return np.empty(0, dtype=np.int64)
    owner = np.unique(questions, return_inverse=True)[1]
    wanted = max(KEPT * (int(owner[-1]) + 1), _FEWEST_QUESTIONS)
    table = _classes(_columns(values))
    margins = np.zeros(len(values))
    for _ in range(ROUNDS):
        kept, within = _chances(margins, owner, wanted)
        reached = np.cumsum(kept[owner] * within)
        number = min(DRAWN, len(values))
        some = np.searchsorted(reached, draw.random(number) * reached[-1], side="right")
        some = np.minimum(some, len(values) - 1)
        columns = draw.permutation(table.shape[2])[: (table.shape[2] + 1) // 2]
        margins += _RATE * _found_by_tree(table, some, columns)
        margins += _RATE / 2 * _found_by_kind(kinds, some)
    kept, within = _chances(margins, owner, wanted)
    asked = draw.random(len(kept)) < kept
    last = np.searchsorted(owner, np.arange(len(kept)), side="right")
    first = np.searchsorted(owner, np.arange(len(kept)))
    reached = np.cumsum(within)
    begin = np.where(first > 0, reached[first - 1], 0.0)
    point = begin + draw.random(len(kept)) * (reached[last - 1] - begin)
    row = np.clip(np.searchsorted(reached, point, side="right"), first, last - 1)
    chosen: Ids = row[asked].astype(np.int64)
    return chosen


def _chances(margins: Weights, owner: Ids, wanted: float) -> tuple[Weights, Weights]:
    """The chance of each question to be kept, and that of each set among those of its question."""
    steps = np.rint(margins * -_STEPS).astype(np.int64)
    powers = np.array([float(round(2 ** (step / _STEPS) * 2**20)) for step in range(_STEPS)])
    weights = np.ldexp(powers[steps % _STEPS], steps // _STEPS) / np.bincount(owner)[owner]
    total = np.bincount(owner, weights).astype(np.float64)
    return _capped(total, wanted), weights / total[owner]


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


def _columns(values: Ids) -> Iterator[Ids]:
    """What is seen of each choice: its numbers, their ranks, and the numbers of the others."""
    columns = range(values.shape[2])
    yield from (values[:, :, column] for column in columns)
    for column in columns:
        value = values[:, :, column]
        yield (value[:, None, :] > value[:, :, None]).sum(axis=2)
    others = []
    for place in range(CHOICES):
        rest = np.delete(values, place, axis=1)
        order = np.argsort(rest[:, :, 0], axis=1, kind="stable")
        others.append(np.take_along_axis(rest, order[:, :, None], axis=1))
    shown = np.stack(others, axis=1)
    yield from (shown[:, :, other, column] for other in range(CHOICES - 1) for column in columns)


def _classes(columns: Iterator[Ids]) -> NDArray[np.uint8]:
    """Classes of the values of each column; shape (sets, ``CHOICES``, columns)."""
    found = []
    for values in columns:
        ordered = np.sort(values, axis=None)
        edges = np.unique(ordered[len(ordered) * np.arange(1, _BINS) // _BINS])
        found.append(np.searchsorted(edges, values, side="right").astype(np.uint8))
    return np.stack(found, axis=2)


def _found_by_tree(table: NDArray[np.uint8], some: Ids, columns: Ids) -> Weights:
    """By how much a tree fitted to some sets prefers the answer of each set to its other choices.

    The tree predicts ``CHOICES`` - 1 for an answer, and -1 for another choice.
    """
    every = table.reshape(-1)
    begins = np.arange(0, every.size, table.shape[2])
    seen = np.ascontiguousarray(
        table[some].reshape(-1, table.shape[2])[:, columns].T, dtype=np.int64
    )
    excess = np.full((len(some), CHOICES), -1.0)
    excess[:, 0] += CHOICES
    # One sum for both: a count is a multiple of 2^30, an excess is much less.
    weights = excess.reshape(-1) + 2.0**30
    prior = _FEWEST * seen.shape[1]
    part, place = np.zeros(seen.shape[1], dtype=np.int64), np.zeros(len(begins), dtype=np.int64)
    for depth in range(_DEPTH):
        nodes, begin = 1 << depth, part * _BINS
        best = np.zeros(nodes)
        split = np.zeros((nodes, 2), dtype=np.int64)
        split[:, 1] = _BINS
        for column, values in zip(columns.tolist(), seen, strict=True):
            gain = _gains(begin + values, weights, nodes, prior)
            at = gain.argmax(axis=1)
            better = gain[np.arange(nodes), at] > best
            best[better] = gain[better, at[better]]
            split[better] = np.stack((np.full(nodes, column), at), axis=1)[better]
        own = np.searchsorted(np.sort(columns), split[:, 0])
        own = np.argsort(columns)[np.minimum(own, len(columns) - 1)]
        part = 2 * part + (seen[own[part], np.arange(seen.shape[1])] > split[part, 1])
        passed = every.take(begins + split[place, 0]) > split[place, 1]
        place = 2 * place + passed
    leaves = 1 << _DEPTH
    sums = np.bincount(part, excess.reshape(-1), minlength=leaves)
    leaf = sums / (np.bincount(part, minlength=leaves) + prior)
    return _preferred(leaf[place].reshape(-1, CHOICES))


def _gains(keys: Ids, weights: Weights, nodes: int, prior: float) -> Weights:
    """What is gained by splitting each part of a tree after each class of a column."""
    sums = np.bincount(keys, weights, minlength=nodes * _BINS).reshape(nodes, _BINS)
    counts = np.rint(sums / 2.0**30)
    excess = np.cumsum(sums - counts * 2.0**30, axis=1)
    counts = np.cumsum(counts, axis=1)
    whole, size = excess[:, -1:], counts[:, -1:]
    left = excess**2 / (counts + prior)
    right = (whole - excess) ** 2 / (size - counts + prior)
    gain: Weights = left + right - whole**2 / (size + prior)
    return gain


def _found_by_kind(kinds: Ids, some: Ids) -> Weights:
    """By how much the excess of its kind among some sets prefers the answer of each set."""
    size = int(kinds.max()) + 1
    drawn = kinds[some]
    every = np.bincount(drawn.reshape(-1), minlength=size)
    right = np.bincount(drawn[:, 0], minlength=size)
    excess = (CHOICES * right - every) / (every + _KIND_PRIOR)
    return _preferred(excess[kinds])


def _preferred(scores: Weights) -> Weights:
    """The score of the answer of each set, less the mean of the others."""
    others = scores[:, 1:].sum(axis=1)
    found: Weights = scores[:, 0] - others / (CHOICES - 1)
    return found
