"""Sorted indexes over columns, which look up many keys at once.

The common building block of the joins in rule mining, strikingness, generation and proofs:
``Index.of``, ``Index.ranges`` and ``expand``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.graph.model import Ids


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Index:
    """Rows sorted by a key.

    Attributes:
        keys: keys of the rows, ascending.
        order: row number of each key; the sort is stable.
    """

    keys: Ids
    order: Ids

    @classmethod
    def of(cls, keys: Ids) -> Index:
        """Index rows by their keys; see ``pack`` for keys of several columns."""
        order = np.argsort(keys, kind="stable")
        return cls(keys=keys[order], order=order)

    def ranges(self, keys: Ids) -> tuple[Ids, Ids]:
        """Begin and end of each key's rows in ``order``."""
        return (
            np.searchsorted(self.keys, keys, side="left"),
            np.searchsorted(self.keys, keys, side="right"),
        )

    def rows(self, key: int) -> Ids:
        """The rows of one key."""
        begin, end = np.searchsorted(self.keys, (key, key + 1))
        return self.order[begin:end]

    def contains(self, keys: Ids) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Whether each key occurs."""
        if not len(self.keys):
            return np.zeros(len(keys), dtype=np.bool_)
        found = np.searchsorted(self.keys, keys)
        found[found == len(self.keys)] = 0
        held: np.ndarray[tuple[int], np.dtype[np.bool_]] = self.keys[found] == keys
        return held


def pack(columns: Sequence[Ids], sizes: Sequence[int]) -> Ids:
    """Combine columns into one key each row; keys sort lexicographically as the rows do.

    Args:
        columns: values in [0, size) of their column, of the same length.
        sizes: sizes of the columns. With times as the last column, a range of keys is a window.

    Raises:
        OverflowError: the keys do not fit in 63 bits.
    """
    if np.prod([float(size) for size in sizes]) >= 2.0**63:
        raise OverflowError(f"keys of sizes {tuple(sizes)} do not fit in 63 bits")
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column, size in zip(columns, sizes, strict=True):
        key *= size
        key += column
    return key


def expand(begins: Ids, ends: Ids) -> tuple[Ids, Ids]:
    """All pairs of a join: each range number with each place ``begin <= place < end``.

    Returns:
        range numbers, ascending; places, ascending within each range.
    """
    counts = np.maximum(ends - begins, 0)
    askers = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    first = np.cumsum(counts) - counts
    places = np.arange(len(askers), dtype=np.int64) + np.repeat(begins - first, counts)
    return askers, places
