"""A gate for facts that come one by one: nothing starts that is open, nothing ends that is not.

What ``tkg/coherency.lp`` says of a whole set, kept up to date fact by fact; tests hold one against
the other, and every run asks the encoding in the end.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from generators.forecast.kinds import Kinds
from generators.forecast.roles import Mask
from solver.temporal_facts.dated import Bound
from solver.tkg.quadruples import Ids, Quadruples


@dataclass(slots=True)
class Coherency:
    """What is open and what has ended.

    Attributes:
        kinds: of the relations.
        entities: how many there are.
        exclusive: whether a subject has one object at a time where the kinds say so.
        unknown: whether what is not known to have started may end.
    """

    kinds: Kinds
    entities: int
    exclusive: bool = False
    unknown: bool = False
    _open: dict[tuple[int, int, int], bool] = field(default_factory=dict)
    _chains: set[tuple[int, int]] = field(default_factory=set)
    """Subjects and relations of which anything has started or ended."""
    _objects: dict[int, Ids] = field(default_factory=dict)
    """Of each relation that lasts, how many objects of each subject are open."""

    def add(self, subject: int, relation: int, object_: int) -> None:
        """Take in a fact, as it comes."""
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
        """Take in a history, in its order."""
        columns = (facts.head.tolist(), facts.relation.tolist(), facts.tail.tolist())
        for subject, relation, object_ in zip(*columns, strict=True):
            self.add(subject, relation, object_)

    def allows(self, subject: int, relation: int, object_: int) -> bool:
        """Whether a fact may come now."""
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
        # An end that comes here ends what is open, which is its own object.
        only = starts and self.exclusive and self.kinds.exclusive[kind]
        return not (only and self._counts(kind)[subject])

    def subjects(self, relation: int) -> Mask:
        """The entities that may be the subject, with some object or other."""
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
