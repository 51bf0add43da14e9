"""How often keys occur, counted piece by piece: in an array if it is small, else by sorting."""

from __future__ import annotations

import numpy as np

from solver.tkg.quadruples import Ids

DENSE = 1 << 20
"""The largest number of different keys that gets an array: it stays in the cache."""

HELD = 1 << 22
"""Keys that wait for being sorted."""


class Counts:
    """A growing multiset of keys in [0, size)."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._dense = np.zeros(size if size <= DENSE else 0, dtype=np.int64)
        self._waiting: list[Ids] = []
        self._held = 0
        self._keys = np.empty(0, dtype=np.int64)
        self._counts = np.empty(0, dtype=np.int64)

    def add(self, keys: Ids) -> None:
        """Count keys."""
        if self._size <= DENSE:
            self._dense += np.bincount(keys, minlength=self._size)
            return
        self._waiting.append(keys)
        self._held += len(keys)
        if self._held >= HELD:
            self._settle()

    def items(self) -> tuple[Ids, Ids]:
        """The keys that occur, ascending, and how often."""
        if self._size <= DENSE:
            keys = np.flatnonzero(self._dense)
            return keys, self._dense[keys]
        self._settle()
        return self._keys, self._counts

    def _settle(self) -> None:
        """Sort what waits, and add it to what is counted."""
        if not self._waiting:
            return
        new, counts = np.unique(np.concatenate(self._waiting), return_counts=True)
        self._waiting, self._held = [], 0
        keys, places = np.unique(np.concatenate([self._keys, new]), return_inverse=True)
        every = np.zeros(len(keys), dtype=np.int64)
        every[places[: len(self._keys)]] = self._counts
        every[places[len(self._keys) :]] += counts
        self._keys, self._counts = keys, every
