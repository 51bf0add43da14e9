"""Finding codes of dated facts: their messages, and the facts and classes that prove them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from solver.dataset.copies import COPIES
from solver.encodings import ViolationAtom
from solver.facts.encode import ROLES
from solver.facts.model import Case
from solver.verification.report import Codes, Finding

CODES = Codes(
    {
        "reopened(fact,earlier)": "{fact} starts what is already open",
        "reclosed(fact,earlier)": "{fact} ends what has already ended",
        "never_opened(fact)": "{fact} ends what has never started",
        "unverifiable(fact)": "{fact} ends what is not known to have started",
        "second_open(fact,earlier)": (
            "{fact} starts while another object of this subject and relation is open"
        ),
        "other_open(fact,earlier)": (
            "{fact} ends what is not open, while another object of this relation is open"
        ),
        "nothing_open(fact,earlier)": (
            "{fact} ends what is not open: no object of this relation is open"
        ),
        "duplicate(fact,earlier)": "{fact} is a duplicate",
        "end_before_start(interval)": (
            "{interval} ends before it starts; it is excluded from the other checks"
        ),
        "outside_window(fact)": "{fact} is outside the window {window}",
        "empty_subject(fact)": "{fact} has an empty subject",
        "empty_object(fact)": "{fact} has an empty object",
        "placeholder_subject(fact)": "{fact} has a placeholder as its subject",
        "placeholder_object(fact)": "{fact} has a placeholder as its object",
        "unknown_relation(fact)": (
            "{fact} has relation {fact.written!r}, which is not in the schema"
        ),
        "cannot_end(interval)": "{interval} has an end, but {interval.relation} cannot end",
        "wrong_domain(fact)": (
            "{fact} has subject {fact.subject!r}, which is in none of the allowed classes"
        ),
        "wrong_range(fact)": (
            "{fact} has object {fact.object!r}, which is in none of the allowed classes"
        ),
        "wrong_signature(fact)": (
            "{fact} fits no signature: subject and object fit different signatures of the relation"
        ),
        "untyped(entity)": "{entity!r} has no known class",
        "disjoint_types(entity,class,other)": (
            "{entity!r} is in {class} and {other}, which are disjoint"
        ),
        "disjoint_roles(entity,role,relation,other_role,other_relation)": (
            "{entity!r} fills roles of disjoint classes"
        ),
        **COPIES,
        "other-role-rules": ("{message}", "the role rules are not those of the history"),
        "uncertified": "{fact} has no certificate",
        "stray-certificate": "{fact} is not among the facts, or is certified twice",
        "unsupported": (
            "{message}",
            "the rule is invalid, a cited fact is unknown, or the fact does not follow from them",
        ),
        "repeated-fact": ("{message}", "a fact is cited twice, for two facts of the body"),
        "unknown-rule": ("{message}", "there is no rule with this number"),
        "other-rule": ("{message}", "the rule is not the one with this number"),
        "weaker-rule": (
            "{message}",
            "another rule that predicts the fact scores higher, or the rule is not applied",
        ),
        "wrong-rule-confidence": (
            "{message}",
            "the confidence of the rule is not its rule support over its body support",
        ),
        "occupied": (
            "{message}",
            "a role rule predicts the start of what is not free on that day",
        ),
        "wrong-confidence": (
            "{message}",
            "the confidence of the fact is not that of all rules together",
        ),
    }
)


class FindingFormatter:
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

    def finding(self, atom: ViolationAtom) -> Finding:
        """Convert a finding of the engines to one with a message."""
        code, case = CODES[atom.code], self._case
        named = {
            "fact": case.facts,
            "earlier": case.facts,
            "interval": case.intervals,
            "entity": case.entities,
            "class": case.classes,
            "other": case.classes,
        }
        words: dict[str, Any] = {
            argument: named[argument][number]
            for argument, number in zip(code.arguments, atom.numbers, strict=True)
            if argument in named
        }
        where, certificate = self._evidence(atom, words)
        days = (case.window.first, case.window.last) if case.window else ()
        words["window"] = " to ".join(str(date.fromordinal(day)) for day in days)
        message = code.message.format(**words)
        return Finding(code=code.name, where=where, message=message, certificate=certificate)

    def _evidence(
        self, atom: ViolationAtom, words: Mapping[str, Any]
    ) -> tuple[str, Mapping[str, Any]]:
        """The place of a finding, and what proves it."""
        if "entity" in words:
            return self._of_entity(atom, words["entity"])
        fact = words.get("fact") or words["interval"]
        certificate: dict[str, Any] = {}
        if "earlier" in words:
            certificate = {"first": words["earlier"].located(), "second": fact.located()}
        match atom.code:
            case "wrong_domain" | "wrong_range":
                role = atom.code == "wrong_range"
                name = fact.object if role else fact.subject
                allowed = self._allowed(fact.relation, role)
                certificate = {"classes": self._paths(name), "asked": allowed}
            case "wrong_signature":
                certificate = {
                    "subject": self._paths(fact.subject),
                    "object": self._paths(fact.object),
                    "asked": [
                        f"{signature.domain} and {signature.range}"
                        for signature in self._signatures(fact.relation)
                    ],
                }
        return fact.where, certificate

    def _of_entity(self, atom: ViolationAtom, name: str) -> tuple[str, Mapping[str, Any]]:
        fact = self._case.facts[self._firsts[name]]
        if atom.code == "untyped":
            return fact.where, {"fact": str(fact)}
        if atom.code == "disjoint_types":
            return fact.where, {"classes": self._paths(name)}
        _, *roles = atom.numbers
        shown: dict[str, str] = {}
        last = 0
        for key, (role, relation) in (("first", roles[:2]), ("second", roles[2:])):
            filled = self._case.relations[relation]
            number = self._filling[name, role, filled]
            allowed = " or ".join(self._allowed(filled, role))
            located = self._case.facts[number].located()
            shown[key] = f"{located} requires {allowed} as its {ROLES[role]}"
            last = max(last, number)
        return self._case.facts[last].where, shown

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
