"""The second engine for dated facts: one chronological sweep with hash look-ups.

It shares nothing with the encodings and serves only to cross-check their findings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, product

from solver.encodings import ViolationAtom
from solver.facts.model import Bound, Case, DatedFact, is_empty, is_placeholder
from solver.facts.schema import Relation, Schema

_Role = tuple[int, int]


def schema_findings(case: Case, schema: Schema) -> Iterator[ViolationAtom]:
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
            yield ViolationAtom(code="unknown_relation", numbers=(number,))
        else:
            codes = _misfits(fact, relation, case, above)
            yield from (ViolationAtom(code=code, numbers=(number,)) for code in codes)
    yield from (ViolationAtom(code="untyped", numbers=(entity,)) for entity in untyped)
    for number, interval in enumerate(case.intervals):
        known = schema.relations.get(interval.relation)
        if interval.end is not None and known is not None and known.end is None:
            yield ViolationAtom(code="cannot_end", numbers=(number,))
    apart = _apart(schema, above)
    classes = {name: number for number, name in enumerate(case.classes)}
    for entity, names in case.types.items():
        for class_name, other in combinations(sorted(set(names)), 2):
            if (class_name, other) in apart:
                numbers = (ids[entity], classes[class_name], classes[other])
                yield ViolationAtom(code="disjoint_types", numbers=numbers)
    yield from _roles(case, schema, ids, untyped, apart)


def _misfits(
    fact: DatedFact, relation: Relation, case: Case, above: dict[str, frozenset[str]]
) -> list[str]:
    fits = [
        (
            _fits(case.types.get(fact.subject), signature.domain, above),
            _fits(case.types.get(fact.object), signature.range, above),
        )
        for signature in relation.signatures
    ]
    if any(all(fitting) for fitting in fits):
        return []
    domain, range_ = any(fitting for fitting, _ in fits), any(fitting for _, fitting in fits)
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
    both = pairs | {(other, class_name) for class_name, other in pairs}
    return frozenset(
        (class_name, other)
        for class_name, other in product(above, repeat=2)
        if any(pair in both for pair in product(above[class_name], above[other]))
    )


def _roles(
    case: Case,
    schema: Schema,
    ids: dict[str, int],
    untyped: set[int],
    apart: frozenset[tuple[str, str]],
) -> Iterator[ViolationAtom]:
    relations = {name: number for number, name in enumerate(case.relations)}
    filled: dict[int, set[_Role]] = defaultdict(set)
    for fact in case.facts:
        if fact.relation in schema.relations:
            filled[ids[fact.subject]].add((0, relations[fact.relation]))
            filled[ids[fact.object]].add((1, relations[fact.relation]))
    allowed: dict[_Role, list[tuple[str, ...]]] = {
        (role, relations[name]): [
            (signature.domain, signature.range)[role] for signature in relation.signatures
        ]
        for name, relation in schema.relations.items()
        for role in (0, 1)
    }
    for entity in sorted(untyped & set(filled)):
        for other_pair, other in combinations(sorted(filled[entity]), 2):
            if not all(allowed[other_pair]) or not all(allowed[other]):
                continue
            pairs = product(sum(allowed[other_pair], ()), sum(allowed[other], ()))
            if all(pair in apart for pair in pairs):
                yield ViolationAtom(code="disjoint_roles", numbers=(entity, *other_pair, *other))


def sweep(case: Case) -> list[ViolationAtom]:
    """Compute the same sorted findings as ``solver.facts.encode.findings``."""
    found = [
        *_coherency(case),
        *_each(case),
        *(
            ViolationAtom(code="end_before_start", numbers=(number,))
            for number, interval in enumerate(case.intervals)
            if interval.reversed
        ),
    ]
    if case.schema is not None:
        found += schema_findings(case, case.schema)
    return sorted(found)


@dataclass(slots=True)
class _Chain:
    """The state of one subject and relation during the sweep.

    Attributes:
        latest: for each object its last fact, and whether that is a start.
        open: starts not yet followed by a fact of the same object.
        last: the last fact of any object.
    """

    latest: dict[str, tuple[int, bool]] = field(default_factory=dict)
    open: set[int] = field(default_factory=set)
    last: int | None = None


def _coherency(case: Case) -> Iterator[ViolationAtom]:
    chains: dict[tuple[str, str], _Chain] = defaultdict(_Chain)
    exclusive = case.exclusive
    for number, fact in enumerate(case.facts):
        if fact.bound is Bound.POINT or is_empty(fact.subject):
            continue
        chain = chains[fact.subject, fact.relation]
        if not case.past[number]:
            yield from _per_object(number, fact, chain, whole=case.whole_history)
            if fact.relation in exclusive:
                yield from _any_object(number, fact, chain)
        before = chain.latest.get(fact.object)
        if before is not None:
            chain.open.discard(before[0])
        starts = fact.bound is Bound.START
        if starts:
            chain.open.add(number)
        chain.latest[fact.object] = (number, starts)
        chain.last = number


def _per_object(
    number: int, fact: DatedFact, chain: _Chain, *, whole: bool
) -> Iterator[ViolationAtom]:
    starts = fact.bound is Bound.START
    before = chain.latest.get(fact.object)
    if before is None:
        if not starts:
            yield ViolationAtom(code="never_opened" if whole else "unverifiable", numbers=(number,))
    elif before[1] == starts:
        yield ViolationAtom(code="reopened" if starts else "reclosed", numbers=(number, before[0]))


def _any_object(number: int, fact: DatedFact, chain: _Chain) -> Iterator[ViolationAtom]:
    since = max(chain.open, default=None)
    if fact.bound is Bound.START:
        if since is not None:
            yield ViolationAtom(code="second_open", numbers=(number, since))
    elif since is None:
        if chain.last is not None:
            yield ViolationAtom(code="nothing_open", numbers=(number, chain.last))
    elif not chain.latest.get(fact.object, (0, False))[1]:
        yield ViolationAtom(code="other_open", numbers=(number, since))


def _each(case: Case) -> Iterator[ViolationAtom]:
    """Checks of single facts, and duplicates."""
    seen: dict[tuple[object, ...], int] = {}
    window = case.window
    for number, fact in enumerate(case.facts):
        key = (fact.subject, fact.relation, fact.bound, fact.object, fact.day)
        before = seen.get(key)
        seen[key] = number
        if case.past[number]:
            continue
        if before is not None:
            yield ViolationAtom(code="duplicate", numbers=(number, before))
        if window is not None and not window.first <= fact.day <= window.last:
            yield ViolationAtom(code="outside_window", numbers=(number,))
        for role, name in (("subject", fact.subject), ("object", fact.object)):
            if is_empty(name):
                yield ViolationAtom(code=f"empty_{role}", numbers=(number,))
            elif is_placeholder(name):
                yield ViolationAtom(code=f"placeholder_{role}", numbers=(number,))
