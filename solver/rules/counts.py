"""Incremental counting of integer keys: in an array if the key range is small, else by sorting."""

from __future__ import annotations

import numpy as np

from solver.tkg.quadruples import Ids

DENSE = 1 << 20
"""Largest key range that is counted in an array, which then stays in the cache."""

MOST_PENDING = 1 << 22
"""Number of buffered keys at which they are sorted and merged."""


class Counts:
    """A growing multiset of keys in [0, size)."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._dense = np.zeros(size if size <= DENSE else 0, dtype=np.int64)
        self._buffer: list[Ids] = []
        self._buffered = 0
        self._keys = np.empty(0, dtype=np.int64)
        self._counts = np.empty(0, dtype=np.int64)

    def add(self, keys: Ids) -> None:
        """Count keys."""
        if self._size <= DENSE:
            self._dense += np.bincount(keys, minlength=self._size)
            return
        self._buffer.append(keys)
        self._buffered += len(keys)
        if self._buffered >= MOST_PENDING:
            self._merge()

    def items(self) -> tuple[Ids, Ids]:
        """The distinct keys in ascending order, and their counts."""
        if self._size <= DENSE:
            keys = np.flatnonzero(self._dense)
            return keys, self._dense[keys]
        self._merge()
        return self._keys, self._counts

    def _merge(self) -> None:
        """Sort the buffered keys and add their counts."""
        if not self._buffer:
            return
        new, counts = np.unique(np.concatenate(self._buffer), return_counts=True)
        self._buffer, self._buffered = [], 0
        keys, places = np.unique(np.concatenate([self._keys, new]), return_inverse=True)
        every = np.zeros(len(keys), dtype=np.int64)
        every[places[: len(self._keys)]] = self._counts
        every[places[len(self._keys) :]] += counts
        self._keys, self._counts = keys, every
