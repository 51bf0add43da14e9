"""Checks certificates of forecast facts: does each fact follow by its rule from earlier facts?

With the rules of the forecast, also whether the rule is the one of its number and scores highest,
and whether the confidences are right.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from grammar.errors import HopcheckError
from solver.facts.encode import RoleCertificate, invalid_role_certificates
from solver.facts.io import CertifiedFact, NamedFact, format_fact
from solver.facts.model import Case, DatedFact
from solver.facts.role_rules import mine_role_rules, relation_kinds, stated_rules
from solver.graph.model import Quadruples, Vocabulary
from solver.graph.queries import Queries
from solver.rules.application import Application, Settings
from solver.rules.check import Certificate, invalid_certificates
from solver.rules.encode import Fact
from solver.rules.model import Rule, RuleTable
from solver.rules.notation import read_rule, rule_text
from solver.rules.ranks import Events, noisy_or
from solver.verification.report import Finding

GROUNDINGS = "rules/groundings.lp"

UNSUPPORTED, UNCERTIFIED, STRAY = "unsupported", "uncertified", "stray-certificate"
REPEATED = "repeated-fact"
OCCUPIED = "occupied"
UNKNOWN_RULE, OTHER_RULE, WEAKER_RULE = "unknown-rule", "other-rule", "weaker-rule"
RULE_CONFIDENCE, CONFIDENCE = "wrong-rule-confidence", "wrong-confidence"

DECIMALS = 6
"""Decimals to which confidences are written."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ForecastRules:
    """The rules by which a forecast was made.

    Attributes:
        rules: the rules, numbered by row.
        relations: names of the relations of the rules, by id.
        window: days before a fact within which groundings may lie; 0 for all.
    """

    rules: RuleTable
    relations: tuple[str, ...]
    window: int


def certificate_findings(
    certified: Sequence[CertifiedFact], case: Case, rules: ForecastRules | None = None
) -> tuple[Finding, ...]:
    """Find facts with an invalid or missing certificate, and certificates without a fact.

    Args:
        certified: certificates of the checked facts.
        case: a certificate may cite its history and facts of earlier days.
        rules: the rules of the forecast; if given, numbers and confidences are checked too.
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
    names = _Names.of(map(_key, case.facts), () if rules is None else rules.relations)
    chained = [one for one in certified if one.role_rule is None]
    unsound = _unsound_certificates(chained, names)
    wrong += [_wrong(code, chained[n], reason) for n, (code, reason) in sorted(unsound.items())]
    if rules is not None:
        sound = [
            one
            for number, one in enumerate(chained)
            if number not in unsound and one.fact in names.known
        ]
        wrong += _RuleChecker(rules, names).findings(sound)
    by_roles = [one for one in certified if one.role_rule is not None and one.fact in names.known]
    if by_roles:
        wrong += _role_findings(by_roles, case, 0 if rules is None else rules.window)
    return tuple(wrong)


def _role_findings(
    certified: Sequence[CertifiedFact], case: Case, window: int
) -> Iterator[Finding]:
    """Mine the role rules of the history again, and check the certificates that state them."""
    names = _Names.of(map(_key, case.facts))
    kinds = relation_kinds(names.vocabulary, case.schema)
    facts, past = (
        Quadruples.of(
            np.array([names.numbered(_key(one)) for one in those], dtype=np.int64).reshape(-1, 4)
        )
        for those in (
            case.facts,
            [f for f, is_past in zip(case.facts, case.past, strict=True) if is_past],
        )
    )
    mined = mine_role_rules(past, names.vocabulary, kinds)
    stated = stated_rules(mined, names.vocabulary)
    rows = {_key(fact): row for row, fact in reversed(list(enumerate(case.facts)))}
    certificates: list[RoleCertificate] = []
    for one in certified:
        number = one.role_rule
        if number is None or not 0 <= number < len(stated):
            reason = f"has role rule {number}, expected 0 to {len(stated) - 1}"
            yield _wrong(UNKNOWN_RULE, one, reason)
            continue
        text, confidence = stated[number]
        missing = next((fact for fact in one.grounding if fact not in names.known), None)
        if one.rule != text:
            yield _wrong(OTHER_RULE, one, f"states another rule than role rule {number}, {text}")
        elif missing is not None:
            yield _wrong(UNSUPPORTED, one, f"cites {format_fact(missing)}, which is unknown")
        elif len(one.grounding) != 2:
            yield _wrong(UNSUPPORTED, one, f"cites {len(one.grounding)} facts, expected two")
        else:
            cited = rows[one.grounding[0]], rows[one.grounding[1]]
            certificates.append(RoleCertificate(fact=rows[one.fact], rule=number, cited=cited))
        stated_confidence = one.rule_confidence
        yield from _differing(
            RULE_CONFIDENCE, one, "rule confidence", stated_confidence, confidence
        )
        yield from _differing(CONFIDENCE, one, "confidence", one.confidence, confidence)
    found = invalid_role_certificates(certificates, facts, kinds, mined, window=window)
    for one in certified:
        code = found.get(rows[one.fact])
        if code is not None:
            yield _wrong(code, one, ROLE_REASONS[code])


ROLE_REASONS = {
    UNSUPPORTED: "cites facts by which its entities do not fill the roles of its rule before",
    OCCUPIED: "starts although one of its entities is not free",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Names:
    """The known facts, and the ids of their names."""

    known: frozenset[NamedFact]
    vocabulary: Vocabulary
    entities: Mapping[str, int]
    relations: Mapping[str, int]
    first: int

    @classmethod
    def of(cls, facts: Iterable[NamedFact], others: Iterable[str] = ()) -> _Names:
        """Number the names of facts, and the names of other relations."""
        known = frozenset(facts)
        entities = sorted({end for fact in known for end in (fact[0], fact[2])})
        relations = sorted({fact[1] for fact in known} | set(others))
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

    def facts(self) -> Quadruples:
        """All known facts with ids, sorted."""
        return Quadruples.of(np.array(sorted(map(self.numbered, self.known)), dtype=np.int64))

    def numbered(self, fact: NamedFact) -> Fact:
        """Encode a known fact with ids."""
        subject, relation, object_, day = fact
        ends = self.entities[subject], self.entities[object_]
        return ends[0], self.relations[relation], ends[1], day - self.first


def _unsound_certificates(
    certified: Sequence[CertifiedFact], names: _Names
) -> dict[int, tuple[str, str]]:
    """Check rules and groundings; returns code and reason of unsound certificates, by number."""
    rules: dict[str, Rule | str] = {}
    found: dict[int, tuple[str, str]] = {}
    pending: list[tuple[int, Certificate]] = []
    for number, one in enumerate(certified):
        if one.fact not in names.known:
            continue  # Reported as a stray certificate.
        if one.rule not in rules:
            rules[one.rule] = _rule(one.rule, names.vocabulary)
        rule = rules[one.rule]
        missing = next((fact for fact in one.grounding if fact not in names.known), None)
        twice = next((fact for fact, n in Counter(one.grounding).items() if n > 1), None)
        if isinstance(rule, str):
            found[number] = UNSUPPORTED, f"has an invalid rule: {rule}"
        elif missing is not None:
            found[number] = UNSUPPORTED, f"cites {format_fact(missing)}, which is unknown"
        elif twice is not None:
            found[number] = REPEATED, f"cites {format_fact(twice)} more than once"
        else:
            pending.append((number, _certificate(one, rule, names)))
    checked = [certificate for _, certificate in pending]
    for place in invalid_certificates(checked, names.facts(), names.vocabulary):
        reason = "does not follow by its rule from the cited facts"
        found[pending[place][0]] = UNSUPPORTED, reason
    return found


class _RuleChecker:
    """Checks rule numbers and confidences by applying the rules again.

    Args:
        given: the rules of the forecast.
        names: the known facts; a query sees those of earlier days.
    """

    def __init__(self, given: ForecastRules, names: _Names) -> None:
        own = np.array([names.relations[name] for name in given.relations], dtype=np.int64)
        to_own = np.concatenate([own, own + names.vocabulary.relations, [-1]])
        rules = given.rules
        self._names = names
        self._rules = replace(rules, head=to_own[rules.head], body=to_own[rules.body])
        self._application = Application(
            self._rules,
            names.facts(),
            names.vocabulary,
            settings=Settings(window=given.window, distinct_facts=True),
        )

    def findings(self, certified: Sequence[CertifiedFact]) -> list[Finding]:
        """Violations of certificates whose groundings are valid, in input order."""
        found: dict[int, list[Finding]] = {}
        by_day: defaultdict[int, list[int]] = defaultdict(list)
        for number, one in enumerate(certified):
            by_day[one.fact[3]].append(number)
        for numbers in by_day.values():
            facts = np.array([self._names.numbered(certified[one].fact) for one in numbers])
            queries, places = Queries.of(Quadruples.of(facts))
            events = self._application.events(queries)
            for number, query, fact in zip(numbers, places.tolist(), facts.tolist(), strict=True):
                rows = (events.query == query) & (events.entity == fact[2])
                found[number] = list(self._of_one(certified[number], events.take(rows)))
        return [finding for number in sorted(found) for finding in found[number]]

    def _of_one(self, one: CertifiedFact, events: Events) -> Iterator[Finding]:
        """Violations of one certificate.

        Args:
            one: the certificate.
            events: the score of its fact by each rule that was applied and predicts it.
        """
        _, scores = noisy_or(np.zeros(len(events), np.int64), events.score)
        yield from _differing(CONFIDENCE, one, "confidence", one.confidence, float(scores.sum()))
        number = one.number
        if number is None or not 0 <= number < len(self._rules):
            reason = f"has rule number {number}, expected 0 to {len(self._rules) - 1}"
            yield _wrong(UNKNOWN_RULE, one, reason)
            return
        rule, vocabulary = self._rules.rule(number), self._names.vocabulary
        text = rule_text(rule, vocabulary)
        if text not in {rule_text(read, vocabulary) for read in read_rule(one.rule, vocabulary)}:
            yield _wrong(OTHER_RULE, one, f"states another rule than number {number}, {text}")
            return
        stated = one.rule_confidence
        yield from _differing(RULE_CONFIDENCE, one, "rule confidence", stated, rule.confidence)
        numbers = self._application.numbers[events.rule]
        best = numbers[events.score == events.score.max(initial=0)].tolist()
        if not best:
            reason = f"states rule {number}, but no rule that is applied predicts it"
            yield _wrong(WEAKER_RULE, one, reason)
        elif number not in best:
            named = rule_text(self._rules.rule(best[0]), vocabulary)
            reason = f"states rule {number}, but rule {best[0]} scores higher: {named}"
            yield _wrong(WEAKER_RULE, one, reason)


def _differing(
    code: str, one: CertifiedFact, noun: str, stated: float | None, right: float
) -> Iterator[Finding]:
    """The violation of a confidence that differs from the right one by more than its rounding."""
    if stated is None or not abs(stated - right) <= 10**-DECIMALS:
        yield _wrong(code, one, f"has {noun} {stated}, expected {round(right, DECIMALS)}")


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


def _wrong(code: str, one: CertifiedFact, reason: str) -> Finding:
    shown = {"rule": one.rule, "grounding": [format_fact(fact) for fact in one.grounding]}
    return _violation(code, one.where, f"{format_fact(one.fact)} {reason}", shown)


def _violation(
    code: str, where: str, message: str, certificate: Mapping[str, object] | None = None
) -> Finding:
    return Finding(code=code, where=where, message=message, certificate=certificate or {})
