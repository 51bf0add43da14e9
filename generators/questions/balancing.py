"""Chooses sets of choices so that what can be counted of the choices does not predict the answer.

A look is what can be counted of a choice, such as how many of the other choices are later; a
pattern is the looks of all four choices of a question, without their order. Of the candidate sets
of each question, the one is chosen that keeps most even, in each pattern and over all patterns,
which of the looks is the answer's. Questions that leave it uneven all the same are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.graph.model import Ids
from solver.questions.contributions import CHOICES

_EVENING = 0.2
"""A question is left out if it makes up for less than this share of its own excesses."""
_AT_ONCE = 200
"""One question of so many is left out at once."""
_FEWEST = 8
"""No question is left out of so few."""
_ROUNDS = 4
"""Rounds in which questions choose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a look that is balanced.

    Attributes:
        numbers: places of its numbers in the look.
        weight: factor of its excess.
        patterns: whether it is balanced in each pattern too.
    """

    numbers: tuple[int, ...]
    weight: int = 1
    patterns: bool = True


def balanced(looks: Ids, parts: Sequence[Part], questions: Ids, draw: np.random.Generator) -> Ids:
    """Choose at most one candidate set for each question.

    Args:
        looks: looks of the choices of each candidate set, the answer first; shape (sets,
            ``CHOICES``, numbers of a look).
        parts: parts of a look that are balanced.
        questions: the question of each candidate set, ascending.
        draw: random generator of the order in which questions choose.

    Returns:
        Rows of the chosen sets, ascending.
    """
    if not len(looks):
        return np.empty(0, dtype=np.int64)
    keys, excess = _excess(looks, parts)
    total = np.zeros(int(keys.max()) + 1, dtype=np.int64)
    starts = np.flatnonzero(np.diff(questions, prepend=-1))
    ends = np.append(starts[1:], len(questions))
    order = draw.permutation(len(starts))
    # Questions with fewer candidate sets choose first, and again when the others have chosen.
    order = order[np.argsort((ends - starts)[order], kind="stable")]
    taken = np.full(len(starts), -1)
    for _ in range(_ROUNDS):
        for number in order.tolist():
            if taken[number] >= 0:
                total[keys[taken[number]]] -= excess[taken[number]]
            some = slice(starts[number], ends[number])
            growth = (excess[some] * (excess[some] + 2 * total[keys[some]])).sum(axis=1)
            taken[number] = starts[number] + int(np.argmin(growth))
            total[keys[taken[number]]] += excess[taken[number]]
    while len(taken) > _FEWEST:
        own, others = excess[taken], total[keys[taken]] - excess[taken]
        # The product of own and other excesses is 0 if the others have none of its looks, and minus
        # the squares of its own if all are even with it.
        lacking = (own * (others + _EVENING * own)).sum(axis=1)
        worst = np.argsort(-lacking, kind="stable")[: 1 + len(taken) // _AT_ONCE]
        worst = worst[: len(taken) - _FEWEST]
        worst = worst[lacking[worst] > 0]
        if not len(worst):
            break
        np.subtract.at(total, keys[taken[worst]], excess[taken[worst]])
        taken = np.delete(taken, worst)
    return taken


def _excess(looks: Ids, parts: Sequence[Part]) -> tuple[Ids, Ids]:
    """By how much the answer has each look more often than by chance, times ``CHOICES``.

    Returns:
        Numbers of the looks, over all patterns or in the pattern of the set, and the excess that
        the set adds to each; both of shape (sets, columns).
    """
    more = np.full(CHOICES, -1)
    more[0] += CHOICES
    keys, excess, size = [], [], 1
    for part in parts:
        look = _numbered(looks[:, :, part.numbers])
        same = look[:, :, None] == look[:, None, :]
        # Choices that look alike count once, with their sum; the others have key 0.
        repeated = np.tril(same, -1).any(axis=2)
        sums = part.weight * np.where(repeated, 0, (same * more).sum(axis=2))
        keys.append(np.where(repeated, 0, look + size))
        excess.append(sums)
        size += int(look.max()) + 1
        if part.patterns:
            pattern = _numbered(np.sort(look, axis=1))
            pattern = np.broadcast_to(pattern[:, None], look.shape)
            within = _numbered(np.stack((pattern, look), axis=2))
            keys.append(np.where(repeated, 0, within + size))
            excess.append(sums)
            size += int(within.max()) + 1
    return np.concatenate(keys, axis=1), np.concatenate(excess, axis=1)


def _numbered(rows: Ids) -> Ids:
    """Numbers of the distinct rows of numbers along the last axis."""
    found = rows[..., 0]
    for column in np.moveaxis(rows, -1, 0)[1:]:
        pairs = found * (int(column.max()) + 1) + column
        found = np.unique(pairs, return_inverse=True)[1].reshape(pairs.shape)
    return found
