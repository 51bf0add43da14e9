"""Decides coherency and schema conformance of dated facts with the ASP encodings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from solver.asp import Program
from solver.encodings import Fact, ViolationAtom, written
from solver.facts.model import Bound, Case, is_empty, is_placeholder
from solver.facts.role_rules import RelationKinds, RoleRules
from solver.facts.schema import Schema
from solver.graph.model import Quadruples

COHERENCY, SCHEMA = "facts/coherency.lp", "facts/schema.lp"
ENCODINGS = (COHERENCY, SCHEMA)
ROLES_ENCODING = "facts/roles.lp"

UNVERIFIABLE, UNTYPED = "unverifiable", "untyped"
"""Findings that are not violations: ends without a known start, entities without a class."""

ROLES = ("domain", "range")
"""The argument positions of a relation; findings refer to them by index."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedFactRow(Fact):
    """A dated fact."""

    predicate: ClassVar[str] = "fact"
    number: int
    subject: int
    relation: int
    bound: Bound
    object: int
    day: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Past(Fact):
    """A fact of the history, which is context only."""

    predicate: ClassVar[str] = "past"
    fact: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalRow(Fact):
    """An interval with a start and an end."""

    predicate: ClassVar[str] = "interval"
    interval: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended(Fact):
    """An interval of a relation that has an end."""

    predicate: ClassVar[str] = "ended"
    interval: int
    relation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Nameless(Fact):
    """An entity with an empty name."""

    predicate: ClassVar[str] = "nameless"
    entity: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Placeholder(Fact):
    """An entity whose name is a placeholder."""

    predicate: ClassVar[str] = "placeholder"
    entity: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusive(Fact):
    """A relation with one object at a time."""

    predicate: ClassVar[str] = "exclusive"
    relation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Window(Fact):
    """The days of checked facts, both included."""

    predicate: ClassVar[str] = "window"
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class History(Fact):
    """Which starts are among the facts: ``whole`` if all are."""

    predicate: ClassVar[str] = "history"
    extent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Endless(Fact):
    """A relation that cannot end."""

    predicate: ClassVar[str] = "endless"
    relation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureRow(Fact):
    """A signature of a relation."""

    predicate: ClassVar[str] = "signature"
    relation: int
    signature: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowedClass(Fact):
    """A class that a signature allows for its domain or its range."""

    predicate: ClassVar[str] = "allows"
    relation: int
    signature: int
    role: str
    allowed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Class(Fact):
    """A class of entities."""

    predicate: ClassVar[str] = "class"
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Subclass(Fact):
    """A class and a superclass."""

    predicate: ClassVar[str] = "subclass"
    number: int
    parent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Disjoint(Fact):
    """Two classes without a common instance."""

    predicate: ClassVar[str] = "disjoint"
    one: int
    other: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed(Fact):
    """An entity and a class of it."""

    predicate: ClassVar[str] = "typed"
    entity: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleHead(Fact):
    """What a role rule derives."""

    predicate: ClassVar[str] = "rule"
    rule: int
    relation: int
    bound: Bound


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRole(Fact):
    """The role that the entity at a place of the head has to fill."""

    predicate: ClassVar[str] = "role"
    rule: int
    place: str
    relation: int
    bound: Bound
    end: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Single(Fact):
    """Entities that start a relation at a place are not occupied by it at an end."""

    predicate: ClassVar[str] = "single"
    relation: int
    place: str
    end: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived(Fact):
    """A fact and its role rule."""

    predicate: ClassVar[str] = "derived"
    number: int
    rule: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited(Fact):
    """A cited fact, for the entity at a place."""

    predicate: ClassVar[str] = "cited"
    number: int
    place: str
    other: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach(Fact):
    """How many days older a cited fact may be."""

    predicate: ClassVar[str] = "reach"
    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleCertificate:
    """A fact derived by a role rule; facts are row numbers.

    Attributes:
        cited: the facts by which its subject and its object fill their roles.
    """

    fact: int
    rule: int
    cited: tuple[int, int]


def invalid_role_certificates(
    certificates: Sequence[RoleCertificate],
    facts: Quadruples,
    kinds: RelationKinds,
    rules: RoleRules,
    *,
    window: int = 0,
) -> dict[int, str]:
    """Find the invalid certificates with ``facts/roles.lp``: their code by the fact's row.

    Args:
        certificates: the certificates to check.
        facts: all facts, also those not derived by role rules.
        kinds: the relations of the facts.
        rules: the role rules.
        window: days before a fact within which cited facts may lie; 0 for all.
    """
    if not certificates:
        return {}
    program = "\n".join(written(_role_facts(certificates, facts, kinds, rules, window)))
    atoms = Program(encodings=(ROLES_ENCODING,)).unique_model(program)
    found = sorted(ViolationAtom.of(atom, _PLACES) for atom in atoms)
    # Sorted by code: what is unsupported and occupied is reported as unsupported.
    return {one.numbers[0]: one.code for one in found}


_PLACES = ("subject", "object")


def _role_facts(
    certificates: Sequence[RoleCertificate],
    facts: Quadruples,
    kinds: RelationKinds,
    rules: RoleRules,
    window: int,
) -> Iterator[Fact]:
    own = np.array([one.fact for one in certificates])
    ends = np.unique(np.concatenate((facts.head[own], facts.tail[own])))
    about = np.isin(facts.head, ends) | np.isin(facts.tail, ends)
    for number in np.flatnonzero(about).tolist():
        relation = int(facts.relation[number])
        yield DatedFactRow(
            number=number,
            subject=int(facts.head[number]),
            relation=kinds.relation[relation],
            bound=kinds.bound[relation],
            object=int(facts.tail[number]),
            day=int(facts.time[number]),
        )
    for number in sorted({one.rule for one in certificates}):
        rule = rules.rules[number]
        yield RuleHead(
            rule=number, relation=kinds.relation[rule.head], bound=kinds.bound[rule.head]
        )
        for place, role in zip(_PLACES, (rule.subject, rule.object), strict=True):
            yield RuleRole(
                rule=number,
                place=place,
                relation=kinds.relation[role.relation],
                bound=kinds.bound[role.relation],
                end=_PLACES[role.end],
            )
    for relation, one_end, other_end in sorted(rules.single):
        yield Single(relation=relation, place=_PLACES[one_end], end=_PLACES[other_end])
    for one in certificates:
        yield Derived(number=one.fact, rule=one.rule)
        for name, other in zip(_PLACES, one.cited, strict=True):
            yield Cited(number=one.fact, place=name, other=other)
    if window:
        yield Reach(days=window)


def findings(case: Case) -> list[ViolationAtom]:
    """Compute violations and other findings, sorted; see the headers of the encodings."""
    program = Program(encodings=ENCODINGS if case.schema else (COHERENCY,))
    return sorted(ViolationAtom.of(atom, ROLES) for atom in program.unique_model(encode_case(case)))


def encode_case(case: Case) -> str:
    """Encode the case as input facts of the encodings."""
    schema = _schema_facts(case, case.schema) if case.schema else ()
    return "\n".join((*written(_facts(case)), *written(schema)))


def _facts(case: Case) -> Iterator[Fact]:
    entities = {name: number for number, name in enumerate(case.entities)}
    relations = {name: number for number, name in enumerate(case.relations)}
    for number, (fact, past) in enumerate(zip(case.facts, case.past, strict=True)):
        yield DatedFactRow(
            number=number,
            subject=entities[fact.subject],
            relation=relations[fact.relation],
            bound=fact.bound,
            object=entities[fact.object],
            day=fact.day,
        )
        if past:
            yield Past(fact=number)
    for number, one in enumerate(case.intervals):
        if one.end is None:
            continue
        if case.schema:
            yield Ended(interval=number, relation=relations[one.relation])
        if one.start is not None:
            yield IntervalRow(interval=number, start=one.start, end=one.end)
    for name, number in entities.items():
        if is_empty(name):
            yield Nameless(entity=number)
        elif is_placeholder(name):
            yield Placeholder(entity=number)
    yield from (Exclusive(relation=relations[name]) for name in sorted(case.exclusive))
    if case.window is not None:
        yield Window(first=case.window.first, last=case.window.last)
    if case.whole_history:
        yield History(extent="whole")


def _schema_facts(case: Case, schema: Schema) -> Iterator[Fact]:
    entities = {name: number for number, name in enumerate(case.entities)}
    relations = {name: number for number, name in enumerate(case.relations)}
    classes = {name: number for number, name in enumerate(case.classes)}
    for name, relation in sorted(schema.relations.items()):
        row = relations[name]
        if relation.end is None:
            yield Endless(relation=row)
        for number, one in enumerate(relation.signatures):
            yield SignatureRow(relation=row, signature=number)
            for role, allowed in zip(ROLES, (one.domain, one.range), strict=True):
                for each in allowed:
                    kind = classes[each]
                    yield AllowedClass(relation=row, signature=number, role=role, allowed=kind)
    for name, number in classes.items():
        yield Class(number=number)
        parents = schema.hierarchy.parents[name]
        yield from (Subclass(number=number, parent=classes[parent]) for parent in parents)
    for left, right in sorted(schema.hierarchy.disjoint):
        yield Disjoint(one=classes[left], other=classes[right])
    for entity, names in case.types.items():
        yield from (Typed(entity=entities[entity], number=classes[name]) for name in names)
