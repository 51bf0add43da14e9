"""Tells a finding about dated facts: the fact, what is wrong with it, what shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from solver.temporal_facts.case import Case
from solver.temporal_facts.findings import ROLES
from solver.tkg.proof import Finding
from solver.verify.checked import Violation

_CLASHES = {
    "reopened": "starts what is open already",
    "reclosed": "ends what has ended already",
    "second_open": "starts while the subject has an object of this relation",
    "other_open": "ends what is not open, while another object of this relation is",
    "nothing_open": "ends what is not open: no object of this relation is",
    "duplicate": "is there already",
}
_ALONE = {
    "never_opened": "ends what has never started",
    "unverifiable": "ends what is not known to have started",
    "empty_subject": "has a subject without a name",
    "empty_object": "has an object without a name",
    "placeholder_subject": "has a subject whose name stands in for another",
    "placeholder_object": "has an object whose name stands in for another",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    where: str
    message: str
    certificate: Mapping[str, Any]


class Telling:
    """Finds the words for the findings of one case."""

    def __init__(self, case: Case) -> None:
        self._case = case
        # The first judged fact that names an entity, or else the first of history.
        self._firsts: dict[str, int] = {}
        # The first fact that has an entity in a role: 0 of the domain, 1 of the range.
        self._filling: dict[tuple[str, int, str], int] = {}
        for past in (False, True):
            for number, fact in enumerate(case.facts):
                if case.past[number] is past:
                    for role, name in enumerate((fact.subject, fact.object)):
                        self._firsts.setdefault(name, number)
                        self._filling.setdefault((name, role, fact.relation), number)

    def violation(self, finding: Finding) -> Violation:
        """A finding in words."""
        code, numbers = finding.code, finding.numbers
        if code in _CLASHES:
            told = self._clash(_CLASHES[code], *numbers)
        elif code in _ALONE:
            told = self._of_fact(numbers[0], _ALONE[code])
        else:
            tell: Callable[..., _Told] = getattr(self, f"_{code}")
            told = tell(*numbers)
        return Violation(
            code=code.replace("_", "-"),
            where=told.where,
            message=told.message,
            certificate=told.certificate,
        )

    def _clash(self, said: str, number: int, other: int) -> _Told:
        facts = self._case.facts
        certificate = {"first": facts[other].told(), "second": facts[number].told()}
        return self._of_fact(number, said, certificate)

    def _of_fact(
        self, number: int, said: str, certificate: Mapping[str, Any] | None = None
    ) -> _Told:
        fact = self._case.facts[number]
        return _Told(where=fact.where, message=f"{fact} {said}", certificate=certificate or {})

    # What each other code of encodings/tkg/coherency.lp and schema.lp means.

    def _outside_window(self, number: int) -> _Told:
        window = self._case.window
        days = (date.fromordinal(day) for day in (window.first, window.last)) if window else ()
        return self._of_fact(number, f"is outside the window {' to '.join(map(str, days))}")

    def _end_before_start(self, number: int) -> _Told:
        one = self._case.intervals[number]
        said = f"{one} ends before it starts; it is left out of what is checked further"
        return _Told(where=one.where, message=said, certificate={})

    def _cannot_end(self, number: int) -> _Told:
        one = self._case.intervals[number]
        said = f"{one} has an end, but {one.relation} cannot end"
        return _Told(where=one.where, message=said, certificate={})

    def _unknown_relation(self, number: int) -> _Told:
        written = self._case.facts[number].written
        return self._of_fact(number, f"has relation {written!r}, which the schema does not know")

    def _wrong_domain(self, number: int) -> _Told:
        return self._misfit(number, 0)

    def _wrong_range(self, number: int) -> _Told:
        return self._misfit(number, 1)

    def _misfit(self, number: int, role: int) -> _Told:
        fact = self._case.facts[number]
        noun, end = (("subject", fact.subject), ("object", fact.object))[role]
        said = f"has {noun} {end!r}, which is of none of the classes asked for"
        shown = {"classes": self._paths(end), "asked": self._demanded(fact.relation, role)}
        return self._of_fact(number, said, shown)

    def _wrong_signature(self, number: int) -> _Told:
        fact = self._case.facts[number]
        asked = [f"{one.domain} and {one.range}" for one in self._signatures(fact.relation)]
        shown = {
            "subject": self._paths(fact.subject),
            "object": self._paths(fact.object),
            "asked": asked,
        }
        said = (
            "has a subject that one reading of its relation asks for, an object that another does"
        )
        return self._of_fact(number, said, shown)

    def _untyped(self, entity: int) -> _Told:
        name = self._case.entities[entity]
        number = self._firsts[name]
        said = f"{name!r} is of no known class"
        where = self._case.facts[number].where
        return _Told(where=where, message=said, certificate={"fact": str(self._case.facts[number])})

    def _disjoint_types(self, entity: int, one: int, other: int) -> _Told:
        name, classes = self._case.entities[entity], self._case.classes
        said = f"{name!r} is of {classes[one]} and of {classes[other]}, which are disjoint"
        where = self._case.facts[self._firsts[name]].where
        return _Told(where=where, message=said, certificate={"classes": self._paths(name)})

    def _disjoint_roles(self, entity: int, *roles: int) -> _Told:
        name = self._case.entities[entity]
        shown: dict[str, str] = {}
        last = 0
        for role, relation in (roles[:2], roles[2:]):
            number = self._filling[name, role, self._case.relations[relation]]
            asked = " or ".join(self._demanded(self._case.relations[relation], role))
            fact = self._case.facts[number].told()
            key = "second" if shown else "first"
            shown[key] = f"{fact} asks for {asked} as its {ROLES[role]}"
            last = max(last, number)
        said = f"{name!r} would be of disjoint classes"
        where = self._case.facts[last].where
        return _Told(where=where, message=said, certificate=shown)

    def _paths(self, name: str) -> list[str]:
        """The classes of an entity, each with those above it."""
        schema = self._case.schema
        names = self._case.types.get(name, ())
        return [] if schema is None else [schema.hierarchy.path(one) for one in names]

    def _signatures(self, relation: str) -> Any:  # noqa: ANN401
        schema = self._case.schema
        return () if schema is None else schema.relations[relation].signatures

    def _demanded(self, relation: str, role: int) -> list[str]:
        asked = {c for one in self._signatures(relation) for c in (one.domain, one.range)[role]}
        return sorted(asked)
