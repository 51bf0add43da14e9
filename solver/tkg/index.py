"""Sorted indexes over columns: which rows hold a key, for many keys at once.

The one building block of the joins here: rules, strikingness, generation and proofs are made of
``Index.of``, ``Index.ranges`` and ``expand``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.tkg.quadruples import Ids


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Index:
    """Rows sorted by a key.

    Attributes:
        keys: the rows' keys, ascending.
        order: the row number of each key; rows of one key keep their order.
    """

    keys: Ids
    order: Ids

    @classmethod
    def of(cls, keys: Ids) -> Index:
        """Index rows by their keys; see ``pack`` for keys of several columns."""
        order = np.argsort(keys, kind="stable")
        return cls(keys=keys[order], order=order)

    def ranges(self, keys: Ids) -> tuple[Ids, Ids]:
        """For each key where its rows begin and end in ``order``."""
        return (
            np.searchsorted(self.keys, keys, side="left"),
            np.searchsorted(self.keys, keys, side="right"),
        )

    def rows(self, key: int) -> Ids:
        """The rows of one key."""
        begin, end = np.searchsorted(self.keys, (key, key + 1))
        return self.order[begin:end]

    def contains(self, keys: Ids) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """For each key whether any row has it."""
        if not len(self.keys):
            return np.zeros(len(keys), dtype=np.bool_)
        found = np.searchsorted(self.keys, keys)
        found[found == len(self.keys)] = 0
        held: np.ndarray[tuple[int], np.dtype[np.bool_]] = self.keys[found] == keys
        return held


def pack(columns: Sequence[Ids], sizes: Sequence[int]) -> Ids:
    """One key for several columns, the first one counting most, so that keys sort as rows do.

    Args:
        columns: values in [0, size) of their column, of the same length.
        sizes: of the columns; a last column may be times, so that a range of keys is a window.

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
    """All pairs of a join: for ranges ``begin <= place < end`` each asker with each place.

    Returns:
        askers: number of the range, ascending; places: in the range, ascending within it.
    """
    counts = np.maximum(ends - begins, 0)
    askers = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    first = np.cumsum(counts) - counts
    places = np.arange(len(askers), dtype=np.int64) + np.repeat(begins - first, counts)
    return askers, places
