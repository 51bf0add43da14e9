"""Aligns and scores the references and predictions of items, fact by fact."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import fsum

import numpy as np
from numpy.typing import NDArray

from benchmarks.metrics.ranking import Numbers
from benchmarks.texts.elements import (
    MODES,
    UNREADABLE,
    Elements,
    Fact,
    Profile,
    SeparatorError,
    elements,
)
from benchmarks.texts.pairs import Pairs, padded, score_pairs
from solver.extras import require
from solver.facts.literals import Row
from solver.io.sources import InputError

RELEASED_LIMIT = 7
"""Maximal number of facts of an item that the released script scores."""

_SLACK = 1e-9
"""Larger than rounding errors of the sums, smaller than differences between distinct sums."""


def optimal(f1: Numbers) -> NDArray[np.intp]:
    """Align facts so that the sum of the mean F1 of the four modes is maximal.

    Args:
        f1: shape (n candidates, n references, 4 modes).

    Returns:
        The reference of each candidate (Kuhn 1955, by scipy).
    """
    require("the optimal pairing of facts", "scipy")
    from scipy.optimize import linear_sum_assignment

    _, references = linear_sum_assignment(f1.mean(axis=2), maximize=True)
    return np.asarray(references, dtype=np.intp)


def first_optimal(f1: Numbers) -> NDArray[np.intp]:
    """Align facts as the released script does: the first permutation with the greatest sum.

    The script tries all n! permutations in lexical order and keeps one only if its sum, a float
    added up in candidate order, exceeds all before. This does the same by branch and bound,
    pruning permutations that cannot come near the best sum so far.

    Args:
        f1: shape (n candidates, n references, 4 modes), n at most 7.
    """
    # Like the script, compute the mean exactly and round once.
    means = [[fsum(cell) / 4 for cell in row] for row in f1.tolist()]
    if len(means) == 1:
        return np.zeros(1, dtype=np.intp)
    return np.array(_Descent(means).best, dtype=np.intp)


class _Descent:
    """Branch and bound over permutations in lexical order."""

    def __init__(self, means: list[list[float]]) -> None:
        self._means = means
        tops = [max(row) for row in means]
        # Upper bound on the sum of the candidates from each position on.
        self._rests = [*accumulate(reversed(tops), initial=0.0)][::-1]
        self._left = [True] * len(means)
        self._chosen: list[int] = []
        self._greatest = -1.0
        self.best: list[int] = []
        self._descend(0, 0.0)

    def _descend(self, place: int, total: float) -> None:
        if place == len(self._means):
            if total > self._greatest:
                self.best, self._greatest = self._chosen.copy(), total
            return
        for reference, mean in enumerate(self._means[place]):
            reached = total + mean
            hopeless = reached + self._rests[place + 1] < self._greatest - _SLACK
            if hopeless or not self._left[reference]:
                continue
            self._left[reference] = False
            self._chosen.append(reference)
            self._descend(place + 1, reached)
            self._chosen.pop()
            self._left[reference] = True


NONE = -1
"""Index of a missing fact: its partner is unmatched."""

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """References and candidates of a text; None for an unreadable fact."""

    references: Sequence[Fact]
    candidates: Sequence[Fact | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusions:
    """Indices of items, from 0, that the released script skips silently.

    Attributes:
        unread: the prediction is no literal, or one of its facts does not have 3 or 4 strings.
        long: more than 7 facts on one side.
        unpredicted: the predictions have no line for it.
        bare: neither references nor candidates; not scored in any profile.
    """

    unread: tuple[int, ...] = ()
    long: tuple[int, ...] = ()
    unpredicted: tuple[int, ...] = ()
    bare: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Extraction:
    """Scored pairs of all items, one for each fact of an item's longer side.

    Attributes:
        items: all items, indexed by ``item``.
        item: item of each pair, ascending.
        candidate: index of the candidate in its item; ``NONE`` if the reference is unmatched.
        reference: likewise, for the reference.
        pairs: scores of the pairs.
        excluded: items that are not scored.
    """

    profile: Profile
    items: tuple[Item, ...]
    item: Places
    candidate: Places
    reference: Places
    pairs: Pairs
    excluded: Exclusions

    def item_f1(self) -> tuple[Places, NDArray[np.float64]]:
        """The scored items, and the mean F1 of their pairs: (k, 4 modes)."""
        scored, where, sizes = np.unique(self.item, return_inverse=True, return_counts=True)
        sums = np.zeros((len(scored), len(MODES)))
        np.add.at(sums, where, self.pairs.figures[..., 2])
        return scored, sums / sizes[:, None]


def match_lines(
    references: Sequence[Row], predictions: Sequence[Row], *, file: str
) -> tuple[tuple[Item, ...], tuple[int, ...], tuple[int, ...]]:
    """Align lines by number: items, those with unreadable predictions, those without any.

    Raises:
        InputError: there are more predictions than references.
    """
    if len(predictions) > len(references):
        extra = predictions[len(references)].number
        raise InputError(
            f"found {len(predictions):,} lines, expected one for each of the {len(references):,} "
            "lines of the references",
            where=f"{file}:{extra}:1",
        )
    items = tuple(
        Item(
            references=[fact for fact in row.facts if fact is not None],
            candidates=predictions[place].facts if place < len(predictions) else (),
        )
        for place, row in enumerate(references)
    )
    unread = tuple(place for place, row in enumerate(predictions) if row.dropped)
    return items, unread, tuple(range(len(predictions), len(references)))


def extract(
    items: Iterable[Item],
    profile: Profile,
    *,
    unread: Sequence[int] = (),
    unpredicted: Sequence[int] = (),
) -> Extraction:
    """Align and score items.

    ``released`` skips the items that the released script skips, including ``unread`` (unreadable
    predictions) and ``unpredicted`` (none); ``exact`` skips nothing.

    Raises:
        SeparatorError: under ``released``, a name contains the separator.
    """
    items = tuple(items)
    released = profile is Profile.RELEASED
    sizes = [max(len(item.references), len(item.candidates)) for item in items]
    excluded = _excluded(sizes, unread, unpredicted) if released else Exclusions(bare=_bare(sizes))
    left_out = {*excluded.unread, *excluded.long, *excluded.unpredicted, *excluded.bare}
    kept = [n for n in range(len(items)) if n not in left_out]
    sides = [_sides(items[n], n, sizes[n], released) for n in kept]
    scored = score_pairs(sides, profile)
    parts = [_aligned(items[n], pairs, released) for n, pairs in zip(kept, scored, strict=True)]
    return Extraction(
        profile=profile,
        items=items,
        item=np.repeat(np.array(kept, dtype=np.intp), [sizes[n] for n in kept]),
        candidate=np.concatenate([np.empty(0, np.intp), *(part[0] for part in parts)]),
        reference=np.concatenate([np.empty(0, np.intp), *(part[1] for part in parts)]),
        pairs=Pairs.joined([part[2] for part in parts]),
        excluded=excluded,
    )


def _excluded(
    sizes: Sequence[int], unread: Sequence[int], unpredicted: Sequence[int]
) -> Exclusions:
    """The items that the released script skips, each for the first reason only."""
    dropped = {*unread, *unpredicted}
    return Exclusions(
        unread=tuple(unread),
        unpredicted=tuple(unpredicted),
        long=tuple(n for n, size in enumerate(sizes) if size > RELEASED_LIMIT and n not in dropped),
        bare=tuple(n for n in _bare(sizes) if n not in dropped),
    )


def _bare(sizes: Sequence[int]) -> tuple[int, ...]:
    return tuple(n for n, size in enumerate(sizes) if not size)


def _sides(item: Item, number: int, size: int, bars: bool) -> tuple[list[Elements], list[Elements]]:
    try:
        ours = [
            UNREADABLE if candidate is None else elements(candidate, bars=bars)
            for candidate in item.candidates
        ]
        theirs = [elements(reference, bars=bars) for reference in item.references]
    except SeparatorError as error:
        where = f"item {number + 1:,}"
        raise SeparatorError(error.message, where=where, hint=error.hint) from None
    return padded(ours, size), padded(theirs, size)


def _aligned(item: Item, pairs: Pairs, released: bool) -> tuple[Places, Places, Pairs]:
    size = max(len(item.references), len(item.candidates))
    f1 = pairs.figures[..., 2].reshape(size, size, len(MODES))
    reference = first_optimal(f1) if released else optimal(f1)
    candidate = np.arange(size)
    chosen = pairs[candidate * size + reference]
    return (
        np.where(candidate < len(item.candidates), candidate, NONE),
        np.where(reference < len(item.references), reference, NONE),
        chosen,
    )
