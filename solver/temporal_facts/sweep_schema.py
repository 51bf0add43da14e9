"""The schema checks of the second engine."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, product

from solver.schema import Relation, Schema
from solver.temporal_facts.case import Case
from solver.temporal_facts.dated import DatedFact
from solver.temporal_facts.names import is_empty
from solver.tkg.proof import Finding

_Role = tuple[int, int]


def schema_findings(case: Case, schema: Schema) -> Iterator[Finding]:
    """Compute the schema findings of a case, unsorted."""
    above = {name: frozenset(schema.hierarchy.above(name)) for name in schema.hierarchy.parents}
    ids = {name: number for number, name in enumerate(case.entities)}
    untyped = set()
    for number, fact in enumerate(case.facts):
        if case.past[number]:
            continue
        ends = {fact.subject, fact.object} - case.types.keys()
        untyped |= {ids[end] for end in ends if not is_empty(end)}
        relation = schema.relations.get(fact.relation)
        if relation is None:
            yield Finding(code="unknown_relation", numbers=(number,))
        else:
            codes = _misfits(fact, relation, case, above)
            yield from (Finding(code=code, numbers=(number,)) for code in codes)
    yield from (Finding(code="untyped", numbers=(entity,)) for entity in untyped)
    for number, interval in enumerate(case.intervals):
        known = schema.relations.get(interval.relation)
        if interval.end is not None and known is not None and known.end is None:
            yield Finding(code="cannot_end", numbers=(number,))
    apart = _apart(schema, above)
    classes = {name: number for number, name in enumerate(case.classes)}
    for entity, names in case.types.items():
        for one, other in combinations(sorted(set(names)), 2):
            if (one, other) in apart:
                numbers = (ids[entity], classes[one], classes[other])
                yield Finding(code="disjoint_types", numbers=numbers)
    yield from _roles(case, schema, ids, untyped, apart)


def _misfits(
    fact: DatedFact, relation: Relation, case: Case, above: dict[str, frozenset[str]]
) -> list[str]:
    fits = [
        (
            _fits(case.types.get(fact.subject), one.domain, above),
            _fits(case.types.get(fact.object), one.range, above),
        )
        for one in relation.signatures
    ]
    if any(all(one) for one in fits):
        return []
    domain, range_ = any(one for one, _ in fits), any(one for _, one in fits)
    if domain and range_:
        return ["wrong_signature"]
    return ["wrong_domain"] * (not domain) + ["wrong_range"] * (not range_)


def _fits(
    names: tuple[str, ...] | None, allowed: tuple[str, ...], above: dict[str, frozenset[str]]
) -> bool:
    if names is None or not allowed:
        return True
    return any(not above[name].isdisjoint(allowed) for name in names)


def _apart(schema: Schema, above: dict[str, frozenset[str]]) -> frozenset[tuple[str, str]]:
    pairs = schema.hierarchy.disjoint
    both = pairs | {(other, one) for one, other in pairs}
    return frozenset(
        (one, other)
        for one, other in product(above, repeat=2)
        if any(pair in both for pair in product(above[one], above[other]))
    )


def _roles(
    case: Case,
    schema: Schema,
    ids: dict[str, int],
    untyped: set[int],
    apart: frozenset[tuple[str, str]],
) -> Iterator[Finding]:
    relations = {name: number for number, name in enumerate(case.relations)}
    filled: dict[int, set[_Role]] = defaultdict(set)
    for fact in case.facts:
        if fact.relation in schema.relations:
            filled[ids[fact.subject]].add((0, relations[fact.relation]))
            filled[ids[fact.object]].add((1, relations[fact.relation]))
    allowed: dict[_Role, list[tuple[str, ...]]] = {
        (role, relations[name]): [(one.domain, one.range)[role] for one in relation.signatures]
        for name, relation in schema.relations.items()
        for role in (0, 1)
    }
    for entity in sorted(untyped & set(filled)):
        for one, other in combinations(sorted(filled[entity]), 2):
            if not all(allowed[one]) or not all(allowed[other]):
                continue
            pairs = product(sum(allowed[one], ()), sum(allowed[other], ()))
            if all(pair in apart for pair in pairs):
                yield Finding(code="disjoint_roles", numbers=(entity, *one, *other))
