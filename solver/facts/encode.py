"""Decides coherency and schema conformance of dated facts with the ASP encodings."""

from __future__ import annotations

from collections.abc import Iterator

from solver.asp import Atom, Program, Term
from solver.facts.model import Case, is_empty, is_placeholder
from solver.facts.schema import Schema
from solver.tkg.encode import Finding

COHERENCY, SCHEMA = "facts/coherency.lp", "facts/schema.lp"
ENCODINGS = (COHERENCY, SCHEMA)

UNVERIFIABLE, UNTYPED = "unverifiable", "untyped"
"""Findings that are not violations: ends without a known start, entities without a class."""

ROLES = ("domain", "range")
"""The argument positions of a relation; findings refer to them by index."""


def findings(case: Case) -> list[Finding]:
    """Compute violations and other findings, sorted; see the headers of the encodings."""
    program = Program(encodings=ENCODINGS if case.schema else (COHERENCY,))
    return sorted(map(_finding, program.unique_model(encode_case(case))))


def encode_case(case: Case) -> str:
    """Encode the case as input facts of the encodings."""
    return "\n".join((*_facts(case), *(_schema_facts(case, case.schema) if case.schema else ())))


def _facts(case: Case) -> Iterator[str]:
    entities = {name: number for number, name in enumerate(case.entities)}
    relations = {name: number for number, name in enumerate(case.relations)}
    for number, (fact, past) in enumerate(zip(case.facts, case.past, strict=True)):
        subject, object_ = entities[fact.subject], entities[fact.object]
        relation = relations[fact.relation]
        yield f"fact({number},{subject},{relation},{fact.bound},{object_},{fact.day})."
        if past:
            yield f"past({number})."
    for number, one in enumerate(case.intervals):
        if one.end is not None:
            yield f"ended({number},{relations[one.relation]})." if case.schema else ""
            if one.start is not None:
                yield f"interval({number},{one.start},{one.end})."
    for name, number in entities.items():
        if is_empty(name):
            yield f"nameless({number})."
        elif is_placeholder(name):
            yield f"placeholder({number})."
    yield from (f"exclusive({relations[name]})." for name in sorted(case.exclusive))
    if case.window is not None:
        yield f"window({case.window.first},{case.window.last})."
    if case.whole_history:
        yield "history(whole)."


def _schema_facts(case: Case, schema: Schema) -> Iterator[str]:
    entities = {name: number for number, name in enumerate(case.entities)}
    relations = {name: number for number, name in enumerate(case.relations)}
    classes = {name: number for number, name in enumerate(case.classes)}
    for name, relation in sorted(schema.relations.items()):
        if relation.end is None:
            yield f"endless({relations[name]})."
        for number, signature in enumerate(relation.signatures):
            yield f"signature({relations[name]},{number})."
            for role, allowed in zip(ROLES, (signature.domain, signature.range), strict=True):
                for one in allowed:
                    yield f"demands({relations[name]},{number},{role},{classes[one]})."
    for name, number in classes.items():
        yield f"class({number})."
        parents = schema.hierarchy.parents[name]
        yield from (f"subclass({number},{classes[up]})." for up in parents)
    for one, other in sorted(schema.hierarchy.disjoint):
        yield f"disjoint({classes[one]},{classes[other]})."
    for entity, names in case.types.items():
        yield from (f"typed({entities[entity]},{classes[one]})." for one in names)


def _finding(atom: Atom) -> Finding:
    match atom:
        case Atom(name="violation", arguments=((str(code), terms),)):
            return Finding(code=code, numbers=tuple(_numbers(terms)))
    return Finding(code=atom.name, numbers=tuple(_numbers(atom.arguments)))


def _numbers(terms: tuple[Term, ...]) -> Iterator[int]:
    """The integers in nested terms, in order of occurrence."""
    for term in terms:
        if isinstance(term, tuple):
            yield from _numbers(term[1])
        else:
            yield ROLES.index(term) if isinstance(term, str) else term
