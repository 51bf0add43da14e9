"""Decides coherency and schema conformance of dated facts with the ASP encodings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from solver.asp import Program
from solver.encodings import Fact, ViolationAtom, written
from solver.facts.model import Bound, Case, is_empty, is_placeholder
from solver.facts.schema import Schema

COHERENCY, SCHEMA = "facts/coherency.lp", "facts/schema.lp"
ENCODINGS = (COHERENCY, SCHEMA)

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
    class_: int
    other: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed(Fact):
    """An entity and a class of it."""

    predicate: ClassVar[str] = "typed"
    entity: int
    number: int


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
    for number, interval in enumerate(case.intervals):
        if interval.end is None:
            continue
        if case.schema:
            yield Ended(interval=number, relation=relations[interval.relation])
        if interval.start is not None:
            yield IntervalRow(interval=number, start=interval.start, end=interval.end)
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
        for number, signature in enumerate(relation.signatures):
            yield SignatureRow(relation=row, signature=number)
            for role, allowed in zip(ROLES, (signature.domain, signature.range), strict=True):
                for each in allowed:
                    kind = classes[each]
                    yield AllowedClass(relation=row, signature=number, role=role, allowed=kind)
    for name, number in classes.items():
        yield Class(number=number)
        parents = schema.hierarchy.parents[name]
        yield from (Subclass(number=number, parent=classes[parent]) for parent in parents)
    for left, right in sorted(schema.hierarchy.disjoint):
        yield Disjoint(class_=classes[left], other=classes[right])
    for entity, names in case.types.items():
        yield from (Typed(entity=entities[entity], number=classes[name]) for name in names)
