"""What may be said of whom: names, the schema and coherency, fact by fact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from generators.forecast.coherency import Coherency
from generators.forecast.dated import DatedGraph
from generators.forecast.kinds import Kinds
from generators.forecast.roles import NONE, Mask, Rulings, rulings
from solver.schema import Schema
from solver.temporal_facts.names import is_empty, is_placeholder
from solver.tkg.dataset import Vocabulary
from solver.tkg.quadruples import Ids


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """What facts have to satisfy.

    Attributes:
        schema: None to ask nothing of classes.
        types: classes of entities.
        coherent: whether nothing starts that is open, and nothing ends that is not.
        exclusive: whether a subject has one object at a time.
        unknown: whether what is not known to have started may end.
        typed: whether entities without a class are refused.
    """

    schema: Schema | None = None
    types: Mapping[str, tuple[str, ...]]
    coherent: bool = True
    exclusive: bool = False
    unknown: bool = False
    typed: bool = False


class Gate:
    """Lets facts pass, and remembers them.

    Args:
        graph: what is known; it is not judged.
        kinds: of its relations.
        admission: what is asked.
    """

    def __init__(self, graph: DatedGraph, kinds: Kinds, admission: Admission) -> None:
        self._kinds = kinds
        self._coherency = Coherency(
            kinds=kinds,
            entities=graph.vocabulary.entities,
            exclusive=admission.exclusive,
            unknown=admission.unknown,
        )
        self._coherent = admission.coherent
        self._coherency.add_all(graph.facts)
        self._sets, self._rulings = _ruled(graph.vocabulary, kinds, admission)
        self._roles = self._filled(graph, admission)
        self._today: set[tuple[int, int, int]] = set()

    def _filled(self, graph: DatedGraph, admission: Admission) -> Mask:
        """Who may fill which role, shape (roles, entities), by what is known of them."""
        named = np.array([not _nameless(graph.vocabulary, e) for e in range(len(self._sets))])
        roles: Mask = self._rulings.fits[self._sets].T & named
        if admission.typed:
            roles &= self._sets != NONE
        filled = np.zeros_like(roles)
        kind = np.array(self._kinds.relation, dtype=np.int64)[graph.facts.relation]
        filled[2 * kind, graph.facts.head] = True
        filled[2 * kind + 1, graph.facts.tail] = True
        for role in range(len(roles)):
            self._bind(roles, role, np.flatnonzero(filled[role]))
        # What is known may be wrong itself: of such an entity nothing more is said.
        for one, other in np.argwhere(np.triu(self._rulings.apart)).tolist():
            roles[:, filled[one] & filled[other] & (self._sets == NONE)] = False
        return roles

    def _bind(self, roles: Mask, role: int, entities: Ids) -> None:
        """Keep entities without a class that fill a role out of those that are apart from it."""
        others = np.flatnonzero(self._rulings.apart[role])
        roles[np.ix_(others, entities[self._sets[entities] == NONE])] = False

    def subjects(self, relation: int) -> Ids:
        """The entities that may be the subject, with some object or other; ascending."""
        fit = self._roles[2 * self._kinds.relation[relation]]
        if self._coherent:
            fit = fit & self._coherency.subjects(relation)
        return np.flatnonzero(fit)

    def allows(self, subject: int, relation: int, object_: int) -> bool:
        """Whether a fact may come now."""
        kind = self._kinds.relation[relation]
        if (subject, self._key(relation), object_) in self._today:
            return False
        if not (self._roles[2 * kind, subject] and self._roles[2 * kind + 1, object_]):
            return False
        # The two roles of this very fact.
        untyped = self._sets[subject] == NONE
        if subject == object_ and untyped and self._rulings.apart[2 * kind, 2 * kind + 1]:
            return False
        if (kind, int(self._sets[subject]), int(self._sets[object_])) in self._rulings.clashing:
            return False
        return not self._coherent or self._coherency.allows(subject, relation, object_)

    def add(self, subject: int, relation: int, object_: int) -> None:
        """Take in a fact of today."""
        kind = self._kinds.relation[relation]
        self._today.add((subject, self._key(relation), object_))
        self._coherency.add(subject, relation, object_)
        self._bind(self._roles, 2 * kind, np.array([subject]))
        self._bind(self._roles, 2 * kind + 1, np.array([object_]))

    def next_day(self) -> None:
        """Forget what is said once a day."""
        self._today.clear()

    def _key(self, relation: int) -> int:
        """What is said once a day: with coherency a start or an end, so that order is no matter."""
        return self._kinds.relation[relation] if self._coherent else relation


def _ruled(vocabulary: Vocabulary, kinds: Kinds, admission: Admission) -> tuple[Ids, Rulings]:
    """The set of classes of each entity, and what the schema says of sets and roles."""
    sets = np.full(vocabulary.entities, NONE, dtype=np.int64)
    roles = 2 * len(kinds.names)
    if admission.schema is None:
        fits, apart = np.ones((1, roles), np.bool_), np.zeros((roles, roles), np.bool_)
        return sets, Rulings(fits=fits, apart=apart, clashing=frozenset())
    numbers: dict[tuple[str, ...], int] = {}
    for entity in range(vocabulary.entities):
        classes = tuple(sorted(admission.types.get(vocabulary.entity(entity), ())))
        if classes:
            sets[entity] = numbers.setdefault(classes, len(numbers))
    return sets, rulings(admission.schema, kinds, tuple(numbers))


def _nameless(vocabulary: Vocabulary, entity: int) -> bool:
    name = vocabulary.entity(entity)
    return is_empty(name) or is_placeholder(name)
