"""Admits or rejects facts one by one: names, schema constraints and coherency.

Which entities may be subject or object of a relation is computed once with ``facts/schema.lp``: the
schema treats entities with the same set of classes alike, and untyped entities by the roles they
fill. So a single call with representative entities, two facts for each pair of roles and two for
each relation and class set, decides for all entities of any graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from generators.facts.model import DatedGraph
from solver.facts.encode import findings
from solver.facts.model import Bound, DatedFact, build_case, is_empty, is_placeholder
from solver.facts.role_rules import OBJECT, SUBJECT, Intervals, RelationKinds, RoleRules
from solver.facts.schema import Schema
from solver.graph.model import Ids, Quadruples, Vocabulary

Mask = NDArray[np.bool_]
Classes = tuple[str, ...]

NONE = -1
"""Index of untyped entities: the last row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleTable:
    """Role constraints of a schema; role ``2 r`` is the domain, ``2 r + 1`` the range of ``r``.

    Attributes:
        fits: whether entities of a class set may fill a role, shape (sets + 1, roles); the last
            row is for untyped entities.
        apart: whether no untyped entity may fill both roles, shape (roles, roles).
        clashing: (relation, set, set) where each set fits its role, but no signature allows both.
    """

    fits: Mask
    apart: Mask
    clashing: frozenset[tuple[int, int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Probe:
    """A fact about representatives: class sets of its subject and object, and their names."""

    relation: int
    subject: int = NONE
    object: int = NONE
    names: tuple[str, str]


def role_table(schema: Schema, kinds: RelationKinds, sets: tuple[Classes, ...]) -> RoleTable:
    """Compute the role table of the relations of a graph and the class sets of its entities."""
    roles = 2 * len(kinds.names)
    pairs = list(combinations(range(roles), 2))
    probes = [*_single(schema, kinds, len(sets)), *_paired(pairs)]
    types = {_member(number): classes for number, classes in enumerate(sets)}
    case = build_case((_fact(probe, kinds) for probe in probes), schema=schema, types=types)
    fits = np.ones((len(sets) + 1, roles), dtype=np.bool_)
    apart = np.zeros((roles, roles), dtype=np.bool_)
    clashing = set()
    for finding in findings(case):
        if finding.code in _OF_ENTITIES:
            number = int(case.entities[finding.numbers[0]].split()[1])
            if finding.code == "disjoint_roles":
                apart[pairs[number]] = apart[pairs[number][::-1]] = True
            else:
                # The class set contradicts itself: its entities get no facts.
                fits[number] = False
        elif finding.code == "wrong_signature":
            about = probes[finding.numbers[0]]
            clashing.add((about.relation, about.subject, about.object))
        elif finding.code in _OF_FACTS:
            _refuse(fits, finding.code, probes[finding.numbers[0]])
    return RoleTable(fits=fits, apart=apart, clashing=frozenset(clashing))


_OF_ENTITIES = ("disjoint_roles", "disjoint_types")
_OF_FACTS = ("unknown_relation", "wrong_domain", "wrong_range")


def _refuse(fits: Mask, code: str, about: _Probe) -> None:
    """Mark the class set of a probe as unfit for a role."""
    if code == "unknown_relation":
        fits[:, 2 * about.relation : 2 * about.relation + 2] = False
    elif code == "wrong_domain":
        fits[about.subject, 2 * about.relation] = False
    else:
        fits[about.object, 2 * about.relation + 1] = False


def _single(schema: Schema, kinds: RelationKinds, sets: int) -> Iterator[_Probe]:
    """Each class set as subject and as object; all pairs if there are several signatures."""
    for relation, name in enumerate(kinds.names):
        yield _Probe(relation=relation, names=_fresh(f"{relation}"))
        for row in range(sets):
            text, other = _fresh(f"{relation} {row}")
            yield _Probe(relation=relation, subject=row, names=(_member(row), other))
            yield _Probe(relation=relation, object=row, names=(text, _member(row)))
        known = schema.relations.get(name)
        if known is not None and len(known.signatures) > 1:
            for row, other_row in product(range(sets), repeat=2):
                names = (_member(row), _member(other_row))
                yield _Probe(relation=relation, subject=row, object=other_row, names=names)


def _paired(pairs: list[tuple[int, int]]) -> Iterator[_Probe]:
    """For each pair of roles an entity that fills both."""
    for number, pair in enumerate(pairs):
        for role in pair:
            # Names of their own: an entity that fills other roles, too, could be what is wrong.
            name, other = _fresh(f"of pair {number} {role}")
            both = f"both {number}"
            names = (name, both) if role % 2 else (both, other)
            yield _Probe(relation=role // 2, names=names)


def _member(row: int) -> str:
    return f"member {row}"


def _fresh(name: str) -> tuple[str, str]:
    return f"subject {name}", f"object {name}"


def _fact(probe: _Probe, kinds: RelationKinds) -> DatedFact:
    # Point events, so that coherency findings do not interfere.
    relation = kinds.names[probe.relation]
    subject, object_ = probe.names
    return DatedFact(
        subject=subject,
        relation=relation,
        object=object_,
        bound=Bound.POINT,
        day=1,
        written=relation,
    )


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

    def openings(self) -> Ids:
        """For each base relation, the number of facts that are open."""
        found = np.zeros(len(self.kinds.names), dtype=np.int64)
        for (_, kind, _), is_open in self._open.items():
            found[kind] += is_open
        return found

    def _counts(self, kind: int) -> Ids:
        if kind not in self._objects:
            self._objects[kind] = np.zeros(self.entities, dtype=np.int64)
        return self._objects[kind]


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
        roles: which entities are free for a start; None to allow all.
    """

    schema: Schema | None = None
    types: Mapping[str, tuple[str, ...]]
    coherent: bool = True
    exclusive: bool = False
    unknown: bool = False
    typed: bool = False
    roles: RoleRules | None = None


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
        self._free = constraints.roles
        self._time = int(graph.facts.time.max(initial=-1)) + 1
        self._busy: dict[tuple[int, int], Mask] = {}
        self._known = graph.facts
        self.intervals = Intervals.of(graph.facts, kinds)
        """The intervals of the facts before the current day."""

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
        for number, other in np.argwhere(np.triu(self._role_table.apart)).tolist():
            roles[:, filled[number] & filled[other] & (self._sets == NONE)] = False
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
        if self._occupies(relation):
            fit = fit & ~self._occupied(relation, SUBJECT)
        return np.flatnonzero(fit)

    def openings(self) -> Ids:
        """For each base relation, the number of facts that are open."""
        return self._coherency.openings()

    def objects(self, relation: int) -> Ids:
        """The entities that may be the object for at least one subject, ascending."""
        fit = self._roles[2 * self._kinds.relation[relation] + 1]
        if self._occupies(relation):
            fit = fit & ~self._occupied(relation, OBJECT)
        return np.flatnonzero(fit)

    def _occupies(self, relation: int) -> bool:
        return self._free is not None and self._kinds.bound[relation] is Bound.START

    def _occupied(self, relation: int, end: int) -> Mask:
        """The entities that are not free for an end of a start of a relation."""
        kind = self._kinds.relation[relation]
        if self._free is None:
            return np.zeros(len(self._sets), dtype=np.bool_)
        if (kind, end) not in self._busy:
            size = len(self._sets)
            found = self._free.busy(self.intervals, kind, end, self._time, size)
            self._busy[kind, end] = found
        return self._busy[kind, end]

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
        if self._occupies(relation) and (
            self._occupied(relation, SUBJECT)[subject] or self._occupied(relation, OBJECT)[object_]
        ):
            return False
        return not self._coherent or self._coherency.allows(subject, relation, object_)

    def add(self, subject: int, relation: int, object_: int) -> None:
        """Add a fact of the current day."""
        kind = self._kinds.relation[relation]
        self._today.add((subject, self._key(relation), object_))
        self._coherency.add(subject, relation, object_)
        self._bind(self._roles, 2 * kind, np.array([subject]))
        self._bind(self._roles, 2 * kind + 1, np.array([object_]))
        if self._free is not None and self._occupies(relation):
            for end, (other, entity) in product((0, 1), enumerate((subject, object_))):
                if (kind, end, other) in self._free.single:
                    self._occupied(relation, end)[entity] = True

    def begin_day(self, time: int, facts: Quadruples) -> None:
        """Begin a day.

        Args:
            time: its time.
            facts: those of the day before.
        """
        self._today.clear()
        self._busy.clear()
        self._time = time
        if len(facts):
            self._known = Quadruples.joined(self._known, facts)
            if self._free is not None:
                self.intervals = Intervals.of(self._known, self._kinds)

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
