"""Formats findings about dated facts: message, position and witness facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeAlias

from solver.encodings import ViolationAtom
from solver.facts.encode import COHERENCY, ROLES, SCHEMA
from solver.facts.model import Case
from solver.verification.report import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class _Message:
    where: str
    text: str
    certificate: Mapping[str, Any]


class MessageFormatter:
    """Formats the findings of one case."""

    def __init__(self, case: Case) -> None:
        self._case = case
        # The first checked fact that mentions an entity, else the first of history.
        self._firsts: dict[str, int] = {}
        # The first fact with an entity in a role: 0 is the domain, 1 the range.
        self._filling: dict[tuple[str, int, str], int] = {}
        for past in (False, True):
            for number, fact in enumerate(case.facts):
                if case.past[number] is past:
                    for role, name in enumerate((fact.subject, fact.object)):
                        self._firsts.setdefault(name, number)
                        self._filling.setdefault((name, role, fact.relation), number)

    def finding(self, finding: ViolationAtom) -> Finding:
        """Convert a finding of the engines to one with a message."""
        _, message_of = MESSAGES[finding.code]
        message = message_of(self, *finding.numbers)
        return Finding(
            code=finding.code.replace("_", "-"),
            where=message.where,
            message=message.text,
            certificate=message.certificate,
        )

    def _of_fact(
        self, number: int, text: str, certificate: Mapping[str, Any] | None = None
    ) -> _Message:
        fact = self._case.facts[number]
        return _Message(where=fact.where, text=f"{fact} {text}", certificate=certificate or {})

    def _outside_window(self, number: int) -> _Message:
        window = self._case.window
        days = (date.fromordinal(day) for day in (window.first, window.last)) if window else ()
        return self._of_fact(number, f"is outside the window {' to '.join(map(str, days))}")

    def _end_before_start(self, number: int) -> _Message:
        fact = self._case.intervals[number]
        text = f"{fact} ends before it starts; it is excluded from the other checks"
        return _Message(where=fact.where, text=text, certificate={})

    def _cannot_end(self, number: int) -> _Message:
        fact = self._case.intervals[number]
        text = f"{fact} has an end, but {fact.relation} cannot end"
        return _Message(where=fact.where, text=text, certificate={})

    def _unknown_relation(self, number: int) -> _Message:
        written = self._case.facts[number].written
        return self._of_fact(number, f"has relation {written!r}, which is not in the schema")

    def _wrong_domain(self, number: int) -> _Message:
        return self._misfit(number, 0)

    def _wrong_range(self, number: int) -> _Message:
        return self._misfit(number, 1)

    def _misfit(self, number: int, role: int) -> _Message:
        fact = self._case.facts[number]
        noun, end = (("subject", fact.subject), ("object", fact.object))[role]
        text = f"has {noun} {end!r}, which is in none of the allowed classes"
        shown = {"classes": self._paths(end), "asked": self._allowed(fact.relation, role)}
        return self._of_fact(number, text, shown)

    def _wrong_signature(self, number: int) -> _Message:
        fact = self._case.facts[number]
        allowed = [
            f"{signature.domain} and {signature.range}"
            for signature in self._signatures(fact.relation)
        ]
        shown = {
            "subject": self._paths(fact.subject),
            "object": self._paths(fact.object),
            "asked": allowed,
        }
        text = "fits no signature: subject and object fit different signatures of the relation"
        return self._of_fact(number, text, shown)

    def _untyped(self, entity: int) -> _Message:
        name = self._case.entities[entity]
        number = self._firsts[name]
        text = f"{name!r} has no known class"
        where = self._case.facts[number].where
        return _Message(where=where, text=text, certificate={"fact": str(self._case.facts[number])})

    def _disjoint_types(self, entity: int, type_number: int, other: int) -> _Message:
        name, classes = self._case.entities[entity], self._case.classes
        text = f"{name!r} is in {classes[type_number]} and {classes[other]}, which are disjoint"
        where = self._case.facts[self._firsts[name]].where
        return _Message(where=where, text=text, certificate={"classes": self._paths(name)})

    def _disjoint_roles(self, entity: int, *roles: int) -> _Message:
        name = self._case.entities[entity]
        shown: dict[str, str] = {}
        last = 0
        for role, relation in (roles[:2], roles[2:]):
            number = self._filling[name, role, self._case.relations[relation]]
            allowed = " or ".join(self._allowed(self._case.relations[relation], role))
            fact = self._case.facts[number].located()
            key = "second" if shown else "first"
            shown[key] = f"{fact} requires {allowed} as its {ROLES[role]}"
            last = max(last, number)
        text = f"{name!r} fills roles of disjoint classes"
        where = self._case.facts[last].where
        return _Message(where=where, text=text, certificate=shown)

    def _paths(self, name: str) -> list[str]:
        """The classes of an entity, each with its superclasses."""
        schema = self._case.schema
        names = self._case.types.get(name, ())
        return [] if schema is None else [schema.hierarchy.path(text) for text in names]

    def _signatures(self, relation: str) -> Any:  # noqa: ANN401
        schema = self._case.schema
        return () if schema is None else schema.relations[relation].signatures

    def _allowed(self, relation: str, role: int) -> list[str]:
        return sorted(
            {
                c
                for signature in self._signatures(relation)
                for c in (signature.domain, signature.range)[role]
            }
        )


Formatter: TypeAlias = Callable[..., _Message]


def _of_one(text: str) -> Formatter:
    """The message about a fact: the fact, followed by a text."""
    return lambda formatter, number: formatter._of_fact(number, text)


def _of_two(text: str) -> Formatter:
    """The same about a fact that clashes with an earlier one, which is the evidence."""

    def message(formatter: MessageFormatter, number: int, other: int) -> _Message:
        facts = formatter._case.facts
        certificate = {"first": facts[other].located(), "second": facts[number].located()}
        return formatter._of_fact(number, text, certificate)

    return message


_SECOND_OPEN = "starts while another object of this subject and relation is open"
_OTHER_OPEN = "ends what is not open, while another object of this relation is open"
_NOTHING_OPEN = "ends what is not open: no object of this relation is open"

MESSAGES: Mapping[str, tuple[str, Formatter]] = {
    "reopened": (COHERENCY, _of_two("starts what is already open")),
    "reclosed": (COHERENCY, _of_two("ends what has already ended")),
    "never_opened": (COHERENCY, _of_one("ends what has never started")),
    "unverifiable": (COHERENCY, _of_one("ends what is not known to have started")),
    "second_open": (COHERENCY, _of_two(_SECOND_OPEN)),
    "other_open": (COHERENCY, _of_two(_OTHER_OPEN)),
    "nothing_open": (COHERENCY, _of_two(_NOTHING_OPEN)),
    "duplicate": (COHERENCY, _of_two("is a duplicate")),
    "end_before_start": (COHERENCY, MessageFormatter._end_before_start),
    "outside_window": (COHERENCY, MessageFormatter._outside_window),
    "empty_subject": (COHERENCY, _of_one("has an empty subject")),
    "empty_object": (COHERENCY, _of_one("has an empty object")),
    "placeholder_subject": (COHERENCY, _of_one("has a placeholder as its subject")),
    "placeholder_object": (COHERENCY, _of_one("has a placeholder as its object")),
    "unknown_relation": (SCHEMA, MessageFormatter._unknown_relation),
    "cannot_end": (SCHEMA, MessageFormatter._cannot_end),
    "wrong_domain": (SCHEMA, MessageFormatter._wrong_domain),
    "wrong_range": (SCHEMA, MessageFormatter._wrong_range),
    "wrong_signature": (SCHEMA, MessageFormatter._wrong_signature),
    "untyped": (SCHEMA, MessageFormatter._untyped),
    "disjoint_types": (SCHEMA, MessageFormatter._disjoint_types),
    "disjoint_roles": (SCHEMA, MessageFormatter._disjoint_roles),
}
"""For each code, the encoding with the rules that derive it, and its message."""
