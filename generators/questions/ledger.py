"""Which facts questions have used: no fact is asked twice, and no question answers another one.

All facts between two entities on a day form one *group*, as reports of a day repeat each other: *A
makes a visit to B*, *B hosts a visit by A*. A group is used by one question, except that 2-hop
questions may share a group which all of them use for the same hop.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from solver.graph.model import Ids, Quadruples, pack

FREE, GIVEN, ASKED_FOR, TAKEN = range(4)
"""States of a group: unused, or used as the first or the second hop of 2-hop questions, or by one
question."""


class Ledger:
    """States of the groups of a graph.

    Args:
        facts: distinct facts, sorted by time.
        entities: number of entities.

    Attributes:
        group: the group of each fact.
    """

    def __init__(self, facts: Quadruples, entities: int) -> None:
        times, rank = np.unique(facts.time, return_inverse=True)
        low, high = np.minimum(facts.head, facts.tail), np.maximum(facts.head, facts.tail)
        keys = pack((rank, low, high), (len(times), entities, entities))
        group: Ids = np.unique(keys, return_inverse=True)[1].astype(np.int64)
        self.group = group
        self._state = bytearray(int(group.max(initial=-1)) + 1)

    @property
    def states(self) -> bytes:
        """The state of each group."""
        return bytes(self._state)

    def add(self, states: bytes) -> None:
        """Mark the groups that are used in another ledger of the same facts."""
        pairs = zip(self._state, states, strict=True)
        self._state = bytearray(max(pair) for pair in pairs)

    def free(self) -> NDArray[np.bool_]:
        """For each fact, whether its group is unused."""
        states = np.frombuffer(bytes(self._state), dtype=np.uint8)
        free: NDArray[np.bool_] = states[self.group] == FREE
        return free

    def take(self, rows: Iterable[int]) -> bool:
        """Use the groups of some facts for one question, if all of them are unused."""
        groups = {int(self.group[row]) for row in rows}
        state = self._state
        if any(state[group] for group in groups):
            return False
        for group in groups:
            state[group] = TAKEN
        return True

    def state_rows(self, rows: Iterable[int]) -> None:
        """Mark facts that questions state; several questions may state the same."""
        for row in rows:
            self._state[int(self.group[row])] = TAKEN

    def take_hops(self, given: Iterable[int], asked: Iterable[int]) -> bool:
        """Use facts for the two hops of a 2-hop question, if no question excludes it."""
        firsts = {int(self.group[row]) for row in given}
        seconds = {int(self.group[row]) for row in asked}
        state = self._state
        if not firsts.isdisjoint(seconds):
            return False
        if any(state[group] not in (FREE, GIVEN) for group in firsts):
            return False
        if any(state[group] not in (FREE, ASKED_FOR) for group in seconds):
            return False
        for group in firsts:
            state[group] = GIVEN
        for group in seconds:
            state[group] = ASKED_FOR
        return True
