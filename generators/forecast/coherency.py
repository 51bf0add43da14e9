"""Incremental coherency check: nothing starts while open, nothing ends unless open.

It maintains fact by fact what ``tkg/coherency.lp`` decides for a whole set. Tests compare the two,
and every run is verified with the encoding at the end.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from generators.forecast.kinds import RelationKinds
from generators.forecast.roles import Mask
from solver.temporal_facts.dated import Bound
from solver.tkg.quadruples import Ids, Quadruples


@dataclass(slots=True)
class Coherency:
    """The state of all open and ended facts.

    Attributes:
        kinds: base relation and bound of each relation.
        entities: number of entities.
        exclusive: whether to enforce one object at a time for exclusive relations.
        unknown: whether a fact without a known start may end.
    """

    kinds: RelationKinds
    entities: int
    exclusive: bool = False
    unknown: bool = False
    _open: dict[tuple[int, int, int], bool] = field(default_factory=dict)
    _chains: set[tuple[int, int]] = field(default_factory=set)
    """Subjects and relations with any start or end."""
    _objects: dict[int, Ids] = field(default_factory=dict)
    """For each interval relation, the number of open objects by subject."""

    def add(self, subject: int, relation: int, object_: int) -> None:
        """Update the state with a fact."""
        kind, bound = self.kinds.relation[relation], self.kinds.bound[relation]
        if bound is Bound.POINT:
            return
        key = (subject, kind, object_)
        starts = bound is Bound.START
        was = self._open.get(key, False)
        self._open[key] = starts
        self._chains.add((subject, kind))
        self._counts(kind)[subject] += int(starts) - int(was)

    def add_all(self, facts: Quadruples) -> None:
        """Update the state with a history, in order."""
        columns = (facts.head.tolist(), facts.relation.tolist(), facts.tail.tolist())
        for subject, relation, object_ in zip(*columns, strict=True):
            self.add(subject, relation, object_)

    def allows(self, subject: int, relation: int, object_: int) -> bool:
        """Whether a fact is coherent with the state."""
        kind, bound = self.kinds.relation[relation], self.kinds.bound[relation]
        if bound is Bound.POINT:
            return True
        before = self._open.get((subject, kind, object_))
        starts = bound is Bound.START
        if before is None and not starts:
            one_at_a_time = self.exclusive and self.kinds.exclusive[kind]
            return self.unknown and not (one_at_a_time and (subject, kind) in self._chains)
        if before is starts:
            return False
        # An end at this point closes its own open object.
        only = starts and self.exclusive and self.kinds.exclusive[kind]
        return not (only and self._counts(kind)[subject])

    def subjects(self, relation: int) -> Mask:
        """The entities that may be the subject for at least one object."""
        kind, bound = self.kinds.relation[relation], self.kinds.bound[relation]
        if bound is Bound.END and not self.unknown:
            some: Mask = self._counts(kind) > 0
            return some
        if bound is Bound.START and self.exclusive and self.kinds.exclusive[kind]:
            none: Mask = self._counts(kind) == 0
            return none
        return np.ones(self.entities, dtype=np.bool_)

    def _counts(self, kind: int) -> Ids:
        if kind not in self._objects:
            self._objects[kind] = np.zeros(self.entities, dtype=np.int64)
        return self._objects[kind]
