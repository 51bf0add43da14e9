"""Rules by which facts start: entities that fill two roles, and are free, join.

``startMemberOf(A, B) <- endMemberOf(A, C), startMemberOf(D, B)``: someone who has left an
organisation joins another that has had members. A chain rule needs facts that lead from A to B, and
so hardly ever predicts a pair of entities that nothing joins yet; a role rule needs none.

The rules of a graph are a function of its facts, the same for any numbering of names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.facts.intervals import Naming
from solver.facts.model import Bound
from solver.facts.schema import Schema
from solver.graph.model import Ids, Quadruples, Vocabulary, pack
from solver.rules.model import wilson_bound

SUBJECT, OBJECT = 0, 1
"""The two ends of a fact."""

OPEN = np.iinfo(np.int64).max
"""The end of an interval that has not ended."""

LEAST_ENTITIES = 2
"""Minimum number of entities that a role has to lead to the head."""

MOST_ROLES = 3
"""Maximum number of roles for each end of a relation."""

RARE = 0.05
"""Maximum share of starts with an occupied entity if entities are occupied by one fact only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationKinds:
    """Relations as bounds of base relations.

    Attributes:
        names: names of the base relations, sorted.
        relation: for each relation of the graph, the index of its base relation in ``names``.
        bound: for each relation of the graph, which bound it marks.
        exclusive: for each of ``names``, whether a subject has one object at a time.
    """

    names: tuple[str, ...]
    relation: tuple[int, ...]
    bound: tuple[Bound, ...]
    exclusive: tuple[bool, ...]

    def marks(self, bound: Bound) -> NDArray[np.bool_]:
        """For each relation of the graph, whether it marks a bound."""
        return np.array([other_bound is bound for other_bound in self.bound], dtype=np.bool_)


def relation_kinds(vocabulary: Vocabulary, schema: Schema | None) -> RelationKinds:
    """Resolve names by the schema; without one, by prefix: ``startSpouse`` starts ``spouse``."""
    naming = Naming.of(schema)
    read = [naming.read(vocabulary.relation(number)) for number in range(vocabulary.relations)]
    names = sorted({name for name, _ in read})
    known = {} if schema is None else schema.relations
    return RelationKinds(
        names=tuple(names),
        relation=tuple(names.index(name) for name, _ in read),
        bound=tuple(bound for _, bound in read),
        exclusive=tuple(schema is None or (n in known and known[n].exclusive) for n in names),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Intervals:
    """The intervals that starts open, one a row.

    Attributes:
        subject, relation, object: the relation is a base relation.
        start: the day of the start.
        end: day of the first end on or after the start, ``OPEN`` if there is none.
    """

    subject: Ids
    relation: Ids
    object: Ids
    start: Ids
    end: Ids

    @classmethod
    def of(cls, facts: Quadruples, kinds: RelationKinds) -> Intervals:
        """Match each start with the end that follows; the order within a day is irrelevant."""
        base = np.array(kinds.relation, dtype=np.int64)[facts.relation]
        starts, ends = (
            np.flatnonzero(kinds.marks(bound)[facts.relation]) for bound in (Bound.START, Bound.END)
        )
        size = int(max(facts.head.max(initial=0), facts.tail.max(initial=0))) + 1
        triples = pack((facts.head, base, facts.tail), (size, len(kinds.names) or 1, size))
        _, key = np.unique(triples, return_inverse=True)
        span = int(facts.time.max(initial=0)) + 1
        closing = np.sort(key[ends] * span + facts.time[ends])
        place = np.searchsorted(closing, key[starts] * span + facts.time[starts])
        found = np.append(closing, -1)[place]
        same = (place < len(closing)) & (found // span == key[starts])
        return cls(
            subject=facts.head[starts],
            relation=base[starts],
            object=facts.tail[starts],
            start=facts.time[starts],
            end=np.where(same, found % span, OPEN),
        )

    def entity(self, end: int) -> Ids:
        """The subjects or the objects."""
        return self.subject if end == SUBJECT else self.object

    def occupied(self, relation: int, end: int, day: int, entities: int) -> NDArray[np.bool_]:
        """The entities at one end of an interval of a base relation that includes a day.

        An interval includes the days of its start and of its end.
        """
        rows = (self.relation == relation) & (self.start <= day) & (self.end >= day)
        found = np.zeros(entities, dtype=np.bool_)
        found[self.entity(end)[rows]] = True
        return found


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Role:
    """An entity fills a role if it is at an end of a fact of the relation."""

    relation: int
    end: int

    def atom(self, variable: str, other: str, vocabulary: Vocabulary) -> str:
        """The role as an atom of a rule."""
        ends = (variable, other) if self.end == SUBJECT else (other, variable)
        return f"{vocabulary.relation(self.relation)}({', '.join(ends)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleRule:
    """``head(A, B)`` follows if A and B fill their roles on earlier days, and both are free.

    Attributes:
        subject, object: the roles of A and B.
        counts: for either end, the number of entities that fill the head after their role, and of
            those that fill the role.
    """

    head: int
    subject: Role
    object: Role
    counts: tuple[tuple[int, int], tuple[int, int]]

    @property
    def confidence(self) -> float:
        """The product of the shares of either end, in (0, 1]."""
        (count, ones), (other, others) = self.counts
        return count * other / (ones * others)

    def text(self, vocabulary: Vocabulary) -> str:
        """The rule with names: ``startMemberOf(A, B) <- endMemberOf(A, C), ...``."""
        head = f"{vocabulary.relation(self.head)}(A, B)"
        roles = self.subject.atom("A", "C", vocabulary), self.object.atom("B", "D", vocabulary)
        return f"{head} <- {', '.join(roles)}"


Occupation = tuple[int, int, int]
"""A base relation, and two ends: an entity at the first must not be occupied at the second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleRules:
    """The role rules of a graph, numbered, and when entities are free for a start.

    Attributes:
        rules: sorted by the name of their head, highest confidence first.
        single: an entity that starts a relation at one end is not occupied by it at the other.
    """

    rules: tuple[RoleRule, ...]
    single: frozenset[Occupation]

    def busy(
        self, intervals: Intervals, relation: int, end: int, day: int, entities: int
    ) -> NDArray[np.bool_]:
        """The entities that are not free to be at an end of a start of a base relation."""
        found = np.zeros(entities, dtype=np.bool_)
        for other in (SUBJECT, OBJECT):
            if (relation, end, other) in self.single:
                found |= intervals.occupied(relation, other, day, entities)
        return found


def mine_role_rules(facts: Quadruples, vocabulary: Vocabulary, kinds: RelationKinds) -> RoleRules:
    """Count the entities that fill a relation after a role, for all relations but ends."""
    filled = _filled_roles(facts)
    rules = [
        rule
        for head in range(vocabulary.relations)
        if kinds.bound[head] is not Bound.END
        for rule in _rules_of(head, facts, filled, vocabulary)
    ]
    rules.sort(
        key=lambda rule: (vocabulary.relation(rule.head), -rule.confidence, rule.text(vocabulary))
    )
    return RoleRules(rules=tuple(rules), single=frozenset(_single(Intervals.of(facts, kinds))))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Filled:
    """The roles that entities fill: the role's number, ``2 relation + end``, and the first day."""

    entity: Ids
    role: Ids
    first: Ids


def _filled_roles(facts: Quadruples) -> _Filled:
    entity = np.concatenate((facts.head, facts.tail))
    role = np.concatenate((2 * facts.relation + SUBJECT, 2 * facts.relation + OBJECT))
    time = np.tile(facts.time, 2)
    order = np.lexsort((time, role, entity))
    entity, role, time = entity[order], role[order], time[order]
    new = np.ones(len(entity), dtype=np.bool_)
    new[1:] = (entity[1:] != entity[:-1]) | (role[1:] != role[:-1])
    return _Filled(entity=entity[new], role=role[new], first=time[new])


def _rules_of(
    head: int, facts: Quadruples, filled: _Filled, vocabulary: Vocabulary
) -> Iterator[RoleRule]:
    own_facts = facts.take(np.flatnonzero(facts.relation == head))
    sides = [
        _best_roles(entities, own_facts.time, filled, vocabulary)
        for entities in (own_facts.head, own_facts.tail)
    ]
    for (subject, of_subject), (object_, of_object) in product(*sides):
        yield RoleRule(head=head, subject=subject, object=object_, counts=(of_subject, of_object))


def _best_roles(
    entities: Ids, times: Ids, filled: _Filled, vocabulary: Vocabulary
) -> list[tuple[Role, tuple[int, int]]]:
    """The roles that most surely lead to one end of a relation, with their counts."""
    last = np.full(vocabulary.entities, -1, dtype=np.int64)
    np.maximum.at(last, entities, times)
    roles = 2 * vocabulary.relations
    bodies = np.bincount(filled.role, minlength=roles)
    led = np.bincount(filled.role[last[filled.entity] > filled.first], minlength=roles)
    bound = wilson_bound(led, bodies)
    enough = sorted(
        np.flatnonzero(led >= LEAST_ENTITIES).tolist(),
        key=lambda number: (-bound[number], vocabulary.relation(number // 2), number % 2),
    )
    return [
        (Role(relation=number // 2, end=number % 2), (int(led[number]), int(bodies[number])))
        for number in enough[:MOST_ROLES]
    ]


def _single(intervals: Intervals) -> Iterator[Occupation]:
    """The ends at which starts seldom find their entity occupied."""
    for relation in np.unique(intervals.relation).tolist():
        rows = intervals.relation == relation
        starts = intervals.start[rows]
        for end, other in product((SUBJECT, OBJECT), repeat=2):
            own, theirs = intervals.entity(end)[rows], intervals.entity(other)[rows]
            # A start occupies its own entities.
            count = _including(own, starts, theirs, starts, intervals.end[rows]) - (own == theirs)
            if (count > 0).mean() <= RARE:
                yield relation, end, other


def _including(entity: Ids, day: Ids, owner: Ids, start: Ids, end: Ids) -> Ids:
    """For each entity and day, the number of the entity's intervals that include the day."""
    days = np.unique(np.concatenate((day, start, end)))
    span = len(days) + 1

    def keys(whose: Ids, when: Ids) -> Ids:
        return whose * span + np.searchsorted(days, when)

    begun = np.searchsorted(np.sort(keys(owner, start)), keys(entity, day), side="right")
    ended = np.searchsorted(np.sort(keys(owner, end)), keys(entity, day), side="left")
    # Both counts include all intervals of entities with lower ids: the same number.
    return begun - ended


def role_rows(
    rules: RoleRules, vocabulary: Vocabulary, kinds: RelationKinds
) -> Iterator[dict[str, Any]]:
    """The rules as JSON, each with the ends at which an entity must not be occupied."""
    ends = ("subject", "object")
    for rule in rules.rules:
        base, starts = kinds.relation[rule.head], kinds.bound[rule.head] is Bound.START
        closing = [
            number
            for number in np.flatnonzero(kinds.marks(Bound.END)).tolist()
            if kinds.relation[number] == base
        ]
        single = [(ends[end], ends[other]) for kind, end, other in rules.single if kind == base]
        yield {
            "rule": rule.text(vocabulary),
            "confidence": round(rule.confidence, 6),
            "counts": rule.counts,
            "ended_by": vocabulary.relation(closing[0]) if closing and starts else None,
            "single": sorted(single) if starts else [],
        }
