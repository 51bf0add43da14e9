"""Access to the facts of a graph by time: at a time, within a window, before a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.tkg.quadruples import Ids, Quadruples


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Snapshots:
    """Facts sorted by time.

    Attributes:
        facts: facts in stable order by time.
        times: times with facts, ascending.
        offsets: the facts of ``times[k]`` are rows ``offsets[k]`` to ``offsets[k + 1]``.
    """

    facts: Quadruples
    times: Ids
    offsets: Ids

    @classmethod
    def of(cls, facts: Quadruples) -> Snapshots:
        """Sort facts by time."""
        ordered = facts.take(np.argsort(facts.time, kind="stable"))
        times, begins = np.unique(ordered.time, return_index=True)
        offsets = np.append(begins, len(ordered)).astype(np.int64)
        return cls(facts=ordered, times=times, offsets=offsets)

    def at(self, time: int) -> Quadruples:
        """The facts of one time."""
        return self.between(time, time + 1)

    def between(self, begin: int, end: int) -> Quadruples:
        """The facts at times ``begin <= time < end``."""
        return self.facts.take(self.rows_between(begin, end))

    def previous(self, time: int, snapshots: int) -> Quadruples:
        """The facts of the last ``snapshots`` non-empty snapshots before a time."""
        last = int(np.searchsorted(self.times, time))
        first = max(last - snapshots, 0)
        return self.facts.take(slice(int(self.offsets[first]), int(self.offsets[last])))

    def rows_between(self, begin: int, end: int) -> slice:
        """The rows of ``facts`` at times ``begin <= time < end``."""
        first, last = np.searchsorted(self.times, (begin, end))
        return slice(int(self.offsets[first]), int(self.offsets[last]))
