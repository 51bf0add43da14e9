"""Checks certificates of forecast facts: does each fact follow by its rule from earlier facts?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grammar.errors import HopcheckError
from solver.facts.io import CertifiedFact, NamedFact, format_fact
from solver.facts.model import Case, DatedFact
from solver.graph.model import Quadruples, Vocabulary
from solver.rules.check import Certificate, invalid_certificates
from solver.rules.encode import Fact
from solver.rules.model import Rule
from solver.rules.notation import read_rule
from solver.verification.report import Finding

GROUNDINGS = "rules/groundings.lp"

UNSUPPORTED, UNCERTIFIED, STRAY = "unsupported", "uncertified", "stray-certificate"


def certificate_findings(certified: Sequence[CertifiedFact], case: Case) -> tuple[Finding, ...]:
    """Find facts with an invalid or missing certificate, and certificates without a fact.

    Args:
        certified: certificates of the checked facts.
        case: a certificate may cite its history and facts of earlier days.
    """
    judged = [fact for fact, past in zip(case.facts, case.past, strict=True) if not past]
    left = Counter(_key(fact) for fact in judged)
    left.subtract(one.fact for one in certified)
    wrong = [
        _violation(UNCERTIFIED, fact.where, f"{fact} has no certificate")
        for fact in judged
        if left[_key(fact)] > 0
    ]
    wrong += [
        _violation(
            STRAY,
            one.where,
            f"{format_fact(one.fact)} is not among the facts, or is certified twice",
        )
        for one in certified
        if left[one.fact] < 0
    ]
    return (*wrong, *_unsound_certificates(certified, _Names.of(map(_key, case.facts))))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Names:
    """The known facts, and the ids of their names."""

    known: frozenset[NamedFact]
    vocabulary: Vocabulary
    entities: Mapping[str, int]
    relations: Mapping[str, int]
    first: int

    @classmethod
    def of(cls, facts: Iterable[NamedFact]) -> _Names:
        known = frozenset(facts)
        entities = sorted({end for fact in known for end in (fact[0], fact[2])})
        relations = sorted({fact[1] for fact in known})
        days = [fact[3] for fact in known] or [0]
        return cls(
            known=known,
            vocabulary=Vocabulary(
                entities=len(entities),
                relations=len(relations),
                times=max(days) - min(days) + 1,
                entity_names=tuple(entities),
                relation_names=tuple(relations),
            ),
            entities={name: number for number, name in enumerate(entities)},
            relations={name: number for number, name in enumerate(relations)},
            first=min(days),
        )

    def numbered(self, fact: NamedFact) -> Fact:
        """Encode a known fact with ids."""
        subject, relation, object_, day = fact
        ends = self.entities[subject], self.entities[object_]
        return ends[0], self.relations[relation], ends[1], day - self.first


def _unsound_certificates(certified: Sequence[CertifiedFact], names: _Names) -> list[Finding]:
    """Check rules and groundings; violations in input order."""
    rules: dict[str, Rule | str] = {}
    found: dict[int, str] = {}
    pending: list[tuple[int, Certificate]] = []
    for number, one in enumerate(certified):
        if one.fact not in names.known:
            continue  # Reported as a stray certificate.
        if one.rule not in rules:
            rules[one.rule] = _rule(one.rule, names.vocabulary)
        rule = rules[one.rule]
        missing = next((fact for fact in one.grounding if fact not in names.known), None)
        if isinstance(rule, str):
            found[number] = f"has an invalid rule: {rule}"
        elif missing is not None:
            found[number] = f"cites {format_fact(missing)}, which is unknown"
        else:
            pending.append((number, _certificate(one, rule, names)))
    known = np.array(sorted(map(names.numbered, names.known)), dtype=np.int64)
    checked = [certificate for _, certificate in pending]
    for place in invalid_certificates(checked, Quadruples.of(known), names.vocabulary):
        found[pending[place][0]] = "does not follow by its rule from the cited facts"
    return [_unsupported(certified[number], found[number]) for number in sorted(found)]


def _rule(text: str, vocabulary: Vocabulary) -> Rule | str:
    """Parse a rule whose head is not inverse; an error message if there is none."""
    try:
        readings = read_rule(text, vocabulary)
    except HopcheckError as error:
        return error.message
    forwards = [rule for rule in readings if rule.head < vocabulary.relations]
    return forwards[0] if forwards else "its body does not lead from the subject to the object"


def _certificate(one: CertifiedFact, rule: Rule, names: _Names) -> Certificate:
    """Build a certificate, inverting the facts that the body uses in inverse direction."""
    size = names.vocabulary.relations
    facts = []
    for place, (subject, relation, object_, time) in enumerate(map(names.numbered, one.grounding)):
        backwards = place < rule.length and rule.body[place] >= size
        turned = (object_, relation + size, subject, time)
        facts.append(turned if backwards else (subject, relation, object_, time))
    return Certificate(fact=names.numbered(one.fact), rule=rule, grounding=tuple(facts))


def _key(fact: DatedFact) -> NamedFact:
    return fact.subject, fact.written, fact.object, fact.day


def _unsupported(one: CertifiedFact, reason: str) -> Finding:
    shown = {"rule": one.rule, "grounding": [format_fact(fact) for fact in one.grounding]}
    return _violation(UNSUPPORTED, one.where, f"{format_fact(one.fact)} {reason}", shown)


def _violation(
    code: str, where: str, message: str, certificate: Mapping[str, object] | None = None
) -> Finding:
    return Finding(code=code, where=where, message=message, certificate=certificate or {})
