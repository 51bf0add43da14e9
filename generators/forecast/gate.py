"""Admits or rejects facts one by one: names, schema constraints and coherency."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from generators.forecast.coherency import Coherency
from generators.forecast.dated import DatedGraph
from generators.forecast.kinds import RelationKinds
from generators.forecast.roles import NONE, Mask, RoleTable, role_table
from solver.schema import Schema
from solver.temporal_facts.names import is_empty, is_placeholder
from solver.tkg.dataset import Vocabulary
from solver.tkg.quadruples import Ids


@dataclass(frozen=True, slots=True, kw_only=True)
class FactConstraints:
    """Constraints on facts.

    Attributes:
        schema: None to skip class constraints.
        types: classes by entity.
        coherent: whether nothing may start while open or end unless open.
        exclusive: whether a subject has one object at a time.
        unknown: whether a fact without a known start may end.
        typed: whether entities without a class are rejected.
    """

    schema: Schema | None = None
    types: Mapping[str, tuple[str, ...]]
    coherent: bool = True
    exclusive: bool = False
    unknown: bool = False
    typed: bool = False


class FactFilter:
    """Checks facts against the constraints, and keeps track of those added.

    Args:
        graph: the known facts; not checked themselves.
        kinds: base relation and bound of each relation.
        constraints: the constraints.
    """

    def __init__(
        self, graph: DatedGraph, kinds: RelationKinds, constraints: FactConstraints
    ) -> None:
        self._kinds = kinds
        self._coherency = Coherency(
            kinds=kinds,
            entities=graph.vocabulary.entities,
            exclusive=constraints.exclusive,
            unknown=constraints.unknown,
        )
        self._coherent = constraints.coherent
        self._coherency.add_all(graph.facts)
        self._sets, self._role_table = _schema_roles(graph.vocabulary, kinds, constraints)
        self._roles = self._filled(graph, constraints)
        self._today: set[tuple[int, int, int]] = set()

    def _filled(self, graph: DatedGraph, constraints: FactConstraints) -> Mask:
        """Which entities may fill which role given the known facts, shape (roles, entities)."""
        named = np.array([not _nameless(graph.vocabulary, e) for e in range(len(self._sets))])
        roles: Mask = self._role_table.fits[self._sets].T & named
        if constraints.typed:
            roles &= self._sets != NONE
        filled = np.zeros_like(roles)
        kind = np.array(self._kinds.relation, dtype=np.int64)[graph.facts.relation]
        filled[2 * kind, graph.facts.head] = True
        filled[2 * kind + 1, graph.facts.tail] = True
        for role in range(len(roles)):
            self._bind(roles, role, np.flatnonzero(filled[role]))
        # Known facts may contradict the schema; such an entity gets no further facts.
        for one, other in np.argwhere(np.triu(self._role_table.apart)).tolist():
            roles[:, filled[one] & filled[other] & (self._sets == NONE)] = False
        return roles

    def _bind(self, roles: Mask, role: int, entities: Ids) -> None:
        """Exclude untyped entities that fill a role from all roles disjoint with it."""
        others = np.flatnonzero(self._role_table.apart[role])
        roles[np.ix_(others, entities[self._sets[entities] == NONE])] = False

    def subjects(self, relation: int) -> Ids:
        """The entities that may be the subject for at least one object, ascending."""
        fit = self._roles[2 * self._kinds.relation[relation]]
        if self._coherent:
            fit = fit & self._coherency.subjects(relation)
        return np.flatnonzero(fit)

    def allows(self, subject: int, relation: int, object_: int) -> bool:
        """Whether a fact satisfies all constraints."""
        kind = self._kinds.relation[relation]
        if (subject, self._key(relation), object_) in self._today:
            return False
        if not (self._roles[2 * kind, subject] and self._roles[2 * kind + 1, object_]):
            return False
        # The two roles within this fact.
        untyped = self._sets[subject] == NONE
        if subject == object_ and untyped and self._role_table.apart[2 * kind, 2 * kind + 1]:
            return False
        if (kind, int(self._sets[subject]), int(self._sets[object_])) in self._role_table.clashing:
            return False
        return not self._coherent or self._coherency.allows(subject, relation, object_)

    def add(self, subject: int, relation: int, object_: int) -> None:
        """Add a fact of the current day."""
        kind = self._kinds.relation[relation]
        self._today.add((subject, self._key(relation), object_))
        self._coherency.add(subject, relation, object_)
        self._bind(self._roles, 2 * kind, np.array([subject]))
        self._bind(self._roles, 2 * kind + 1, np.array([object_]))

    def next_day(self) -> None:
        """Reset the duplicate check of the day."""
        self._today.clear()

    def _key(self, relation: int) -> int:
        """Duplicate key: under coherency a start and an end of one day count as duplicates."""
        return self._kinds.relation[relation] if self._coherent else relation


def _schema_roles(
    vocabulary: Vocabulary, kinds: RelationKinds, constraints: FactConstraints
) -> tuple[Ids, RoleTable]:
    """The class-set number of each entity, and the role table of the schema."""
    sets = np.full(vocabulary.entities, NONE, dtype=np.int64)
    roles = 2 * len(kinds.names)
    if constraints.schema is None:
        fits, apart = np.ones((1, roles), np.bool_), np.zeros((roles, roles), np.bool_)
        return sets, RoleTable(fits=fits, apart=apart, clashing=frozenset())
    numbers: dict[tuple[str, ...], int] = {}
    for entity in range(vocabulary.entities):
        classes = tuple(sorted(constraints.types.get(vocabulary.entity(entity), ())))
        if classes:
            sets[entity] = numbers.setdefault(classes, len(numbers))
    return sets, role_table(constraints.schema, kinds, tuple(numbers))


def _nameless(vocabulary: Vocabulary, entity: int) -> bool:
    name = vocabulary.entity(entity)
    return is_empty(name) or is_placeholder(name)
