"""Decides coherency and schema conformance of dated facts with the ASP encodings."""

from __future__ import annotations

from collections.abc import Iterator

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


class DatedFactRow(Fact, predicate="fact"):
    """A dated fact."""

    number: int
    subject: int
    relation: int
    bound: Bound
    object: int
    day: int


class Past(Fact, predicate="past"):
    """A fact of the history, which is context only."""

    fact: int


class IntervalRow(Fact, predicate="interval"):
    """An interval with a start and an end."""

    interval: int
    start: int
    end: int


class Ended(Fact, predicate="ended"):
    """An interval of a relation that has an end."""

    interval: int
    relation: int


class Nameless(Fact, predicate="nameless"):
    """An entity with an empty name."""

    entity: int


class Placeholder(Fact, predicate="placeholder"):
    """An entity whose name is a placeholder."""

    entity: int


class Exclusive(Fact, predicate="exclusive"):
    """A relation with one object at a time."""

    relation: int


class Window(Fact, predicate="window"):
    """The days of checked facts, both included."""

    first: int
    last: int


class History(Fact, predicate="history"):
    """Which starts are among the facts: ``whole`` if all are."""

    extent: str


class Endless(Fact, predicate="endless"):
    """A relation that cannot end."""

    relation: int


class SignatureRow(Fact, predicate="signature"):
    """A signature of a relation."""

    relation: int
    signature: int


class AllowedClass(Fact, predicate="allows"):
    """A class that a signature allows for its domain or its range."""

    relation: int
    signature: int
    role: str
    allowed: int


class Class(Fact, predicate="class"):
    """A class of entities."""

    number: int


class Subclass(Fact, predicate="subclass"):
    """A class and a superclass."""

    number: int
    parent: int


class Disjoint(Fact, predicate="disjoint"):
    """Two classes without a common instance."""

    class_: int
    other: int


class Typed(Fact, predicate="typed"):
    """An entity and a class of it."""

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
