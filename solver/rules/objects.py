"""The fallback where no rule applies: the most frequent objects of a relation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.rules.scores import Scores
from solver.tkg.dataset import Vocabulary
from solver.tkg.index import Index, pack
from solver.tkg.quadruples import Ids, Quadruples


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ObjectDistribution:
    """Relative frequency of each object per relation, inverses included.

    Attributes:
        relation: relations, ascending.
        entity: distinct objects of each relation, most frequent first.
        share: relative frequency of the object among the facts of the relation, in (0, 1].
        anywhere: the objects of all facts, most frequent first, with their relative frequencies.
    """

    relation: Ids
    entity: Ids
    share: Scores
    anywhere: tuple[Ids, Scores]

    @classmethod
    def of(cls, facts: Quadruples, vocabulary: Vocabulary) -> ObjectDistribution:
        """Count the objects of facts in both directions."""
        both = facts.both_ways(vocabulary.relations)
        sizes = (2 * vocabulary.relations, vocabulary.entities)
        keys, counts = np.unique(pack((both.relation, both.tail), sizes), return_counts=True)
        relations, entities = np.divmod(keys, vocabulary.entities)
        totals = np.bincount(both.relation, minlength=2 * vocabulary.relations)
        order = np.lexsort((entities, -counts, relations))
        objects, times = np.unique(both.tail, return_counts=True)
        often = np.lexsort((objects, -times))
        return cls(
            relation=relations[order],
            entity=entities[order],
            share=(counts / totals[relations])[order],
            anywhere=(objects[often], times[often] / max(len(both), 1)),
        )

    def most_often(self, relation: int) -> tuple[Ids, Scores]:
        """The objects of a relation, or of all facts if it has none, with their frequencies."""
        rows = Index(keys=self.relation, order=np.arange(len(self.relation))).rows(relation)
        return (self.entity[rows], self.share[rows]) if len(rows) else self.anywhere
