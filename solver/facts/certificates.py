"""Certificates of forecast facts: which facts have one, and whether each holds.

``solver.facts.check`` decides whether a fact follows by its rule from the facts that it cites. Here
the rules are applied again: the rule has to score highest, and the confidences have to be right.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from solver.facts.check import DECIMALS, Background, certificate_faults
from solver.facts.codes import CODES
from solver.facts.io import CertifiedFact, NamedFact, format_fact
from solver.facts.model import Case, DatedFact
from solver.facts.role_rules import mine_role_rules, relation_kinds, role_rows
from solver.graph.model import Quadruples, Vocabulary
from solver.graph.queries import Queries
from solver.rules.application import Application, Settings
from solver.rules.encode import Fact
from solver.rules.model import RuleTable
from solver.rules.notation import rule_text
from solver.rules.ranks import Events, noisy_or
from solver.verification.report import Finding

NOT_FOLLOWING = {"unsupported", "repeated-fact"}
OTHER_RULES = {"unknown-rule", "other-rule"}
WEAKER_RULE, CONFIDENCE = "weaker-rule", "wrong-confidence"


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
    checked = [fact for fact, past in zip(case.facts, case.past, strict=True) if not past]
    left = Counter(map(_named, checked))
    left.subtract(certificate.fact for certificate in certified)
    findings = [
        CODES["uncertified"].finding(fact.where, fact=fact)
        for fact in checked
        if left[_named(fact)] > 0
    ]
    findings += [
        CODES["stray-certificate"].finding(certificate.where, fact=format_fact(certificate.fact))
        for certificate in certified
        if left[certificate.fact] < 0
    ]
    known = set(map(_named, case.facts))
    certified = [certificate for certificate in certified if certificate.fact in known]
    names = _Names.of(known, () if rules is None else rules.relations)
    background = Background(
        known,
        rules=None if rules is None else [rule.as_json() for rule in rules.rules],
        relations=() if rules is None else rules.relations,
        roles=role_rows_of(case)
        if any(certified_fact.role_rule is not None for certified_fact in certified)
        else (),
        window=0 if rules is None else rules.window,
    )
    following: list[tuple[CertifiedFact, bool]] = []
    for certificate in certified:
        fact, cited = certificate.fact, certificate.grounding
        faults = dict(certificate_faults(background, _row(certificate), fact, cited))
        findings += [_wrong(code, certificate, reason) for code, reason in faults.items()]
        if certificate.role_rule is None and not faults.keys() & NOT_FOLLOWING:
            following.append((certificate, not faults.keys() & OTHER_RULES))
    if rules is not None and following:
        findings += _RuleChecker(rules, names).findings(following)
    return tuple(findings)


def _row(certificate: CertifiedFact) -> Mapping[str, object]:
    return {
        "rule": certificate.rule,
        "rule_number": certificate.number,
        "role_rule": certificate.role_rule,
        "rule_confidence": certificate.rule_confidence,
        "confidence": certificate.confidence,
    }


def role_rows_of(case: Case) -> Sequence[Mapping[str, object]]:
    """The role rules of the history, mined again."""
    names = _Names.of(map(_named, case.facts))
    kinds = relation_kinds(names.vocabulary, case.schema)
    history = (fact for fact, past in zip(case.facts, case.past, strict=True) if past)
    rows = [names.numbered(_named(fact)) for fact in history]
    facts = Quadruples.of(np.array(rows, dtype=np.int64).reshape(-1, 4))
    mined = mine_role_rules(facts, names.vocabulary, kinds)
    return list(role_rows(mined, names.vocabulary, kinds))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Names:
    """The ids of the names of known facts."""

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

    def findings(self, certified: Sequence[tuple[CertifiedFact, bool]]) -> Iterator[Finding]:
        """Violations of certificates whose groundings are valid, in input order.

        Args:
            certified: the certificates, each with whether it states the rule of its number.
        """
        scored: dict[int, Events] = {}
        by_day: defaultdict[int, list[int]] = defaultdict(list)
        for number, (certificate, _) in enumerate(certified):
            by_day[certificate.fact[3]].append(number)
        for numbers in by_day.values():
            rows = [self._names.numbered(certified[number][0].fact) for number in numbers]
            queries, places = Queries.of(Quadruples.of(np.array(rows)))
            events = self._application.events(queries)
            for number, query, fact in zip(numbers, places.tolist(), rows, strict=True):
                own = (events.query == query) & (events.entity == fact[2])
                scored[number] = events.take(own)
        for number, (certificate, right_rule) in enumerate(certified):
            yield from self._differing(certificate, scored[number])
            if right_rule:
                yield from self._weaker(certificate, scored[number])

    def _differing(self, certificate: CertifiedFact, events: Events) -> Iterator[Finding]:
        """A confidence that is not aggregated over all rules, but for its rounding."""
        _, scores = noisy_or(np.zeros(len(events), np.int64), events.score)
        stated, right = certificate.confidence, float(scores.sum())
        if stated is None or not abs(stated - right) <= 10**-DECIMALS:
            reason = f"has confidence {stated}, expected {round(right, DECIMALS)}"
            yield _wrong(CONFIDENCE, certificate, reason)

    def _weaker(self, certificate: CertifiedFact, events: Events) -> Iterator[Finding]:
        """A rule that is not one of those that score highest."""
        number = certificate.number
        numbers = self._application.numbers[events.rule]
        best = numbers[events.score == events.score.max(initial=0)].tolist()
        if not best:
            reason = f"states rule {number}, but no rule that is applied predicts it"
            yield _wrong(WEAKER_RULE, certificate, reason)
        elif number not in best:
            named = rule_text(self._rules.rule(best[0]), self._names.vocabulary)
            reason = f"states rule {number}, but rule {best[0]} scores higher: {named}"
            yield _wrong(WEAKER_RULE, certificate, reason)


def _named(fact: DatedFact) -> NamedFact:
    return fact.subject, fact.written, fact.object, fact.day


def _wrong(code: str, certificate: CertifiedFact, reason: str) -> Finding:
    shown = {
        "rule": certificate.rule,
        "grounding": [format_fact(fact) for fact in certificate.grounding],
    }
    message = f"{format_fact(certificate.fact)} {reason}"
    return CODES[code].finding(certificate.where, shown, message=message)
