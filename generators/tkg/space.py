"""Facts as numbers: one int64 each, ascending by time, head, relation and tail."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.tkg.index import pack
from solver.tkg.quadruples import Ids, Quadruples


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """All facts that a graph of these sizes can have."""

    entities: int
    relations: int
    steps: int

    def codes(self, facts: Quadruples) -> Ids:
        """The number of each fact."""
        return pack(
            (facts.time, facts.head, facts.relation, facts.tail),
            (self.steps, self.entities, self.relations, self.entities),
        )

    def facts(self, codes: Ids) -> Quadruples:
        """The facts of numbers, in their order."""
        rest, tail = np.divmod(codes, self.entities)
        rest, relation = np.divmod(rest, self.relations)
        time, head = np.divmod(rest, self.entities)
        return Quadruples(head=head, relation=relation, tail=tail, time=time)
