"""Packs facts into int64 codes that sort by time, head, relation and tail."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.tkg.index import pack
from solver.tkg.quadruples import Ids, Quadruples


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """Space of all facts of a graph of given sizes."""

    entities: int
    relations: int
    steps: int

    def codes(self, facts: Quadruples) -> Ids:
        """Pack facts into codes."""
        return pack(
            (facts.time, facts.head, facts.relation, facts.tail),
            (self.steps, self.entities, self.relations, self.entities),
        )

    def facts(self, codes: Ids) -> Quadruples:
        """Unpack codes into facts, in order."""
        rest, tail = np.divmod(codes, self.entities)
        rest, relation = np.divmod(rest, self.relations)
        time, head = np.divmod(rest, self.entities)
        return Quadruples(head=head, relation=relation, tail=tail, time=time)
