"""Which entities may be subject or object of a relation, computed once with ``facts/schema.lp``.

The schema treats entities with the same set of classes alike, and untyped entities by the roles
they fill. So a single call with representative entities, two facts for each pair of roles and two
for each relation and class set, decides for all entities of any graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from solver.facts.encode import findings
from solver.facts.model import Bound, DatedFact, build_case
from solver.facts.role_rules import RelationKinds
from solver.facts.schema import Schema

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
    case = build_case((_fact(one, kinds) for one in probes), schema=schema, types=types)
    fits = np.ones((len(sets) + 1, roles), dtype=np.bool_)
    apart = np.zeros((roles, roles), dtype=np.bool_)
    clashing = set()
    for one in findings(case):
        if one.code in _OF_ENTITIES:
            number = int(case.entities[one.numbers[0]].split()[1])
            if one.code == "disjoint_roles":
                apart[pairs[number]] = apart[pairs[number][::-1]] = True
            else:
                # The class set contradicts itself: its entities get no facts.
                fits[number] = False
        elif one.code == "wrong_signature":
            about = probes[one.numbers[0]]
            clashing.add((about.relation, about.subject, about.object))
        elif one.code in _OF_FACTS:
            _refuse(fits, one.code, probes[one.numbers[0]])
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
            one, other = _fresh(f"{relation} {row}")
            yield _Probe(relation=relation, subject=row, names=(_member(row), other))
            yield _Probe(relation=relation, object=row, names=(one, _member(row)))
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
            one, other = _fresh(f"of pair {number} {role}")
            both = f"both {number}"
            names = (one, both) if role % 2 else (both, other)
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
