"""Certificates of forecast facts: rule numbers and confidences, compared with a brute force."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import exp, prod

import pytest

from solver.facts.certificates import ForecastRules, certificate_findings
from solver.facts.io import CertifiedFact, NamedFact
from solver.facts.model import Bound, DatedFact, build_case
from solver.rules.model import Rule, RuleTable

RELATIONS = ("likes", "calls", "visits")
HEAD, TODAY = 2, 20


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Facts before a day, rules with one body atom, and a window."""

    facts: frozenset[NamedFact]
    rules: tuple[Rule, ...]
    window: int

    def score(self, rule: Rule, subject: str, object_: str) -> tuple[float, NamedFact] | None:
        """The score of a prediction, 0 if the rule is not applied, and the latest fact for it."""
        relation, inverse = rule.body[0] % len(RELATIONS), rule.body[0] >= len(RELATIONS)
        ends = (object_, subject) if inverse else (subject, object_)
        days = [
            day
            for s, r, o, day in self.facts
            if (s, r, o) == (ends[0], RELATIONS[relation], ends[1])
        ]
        if not days:
            return None
        lag = TODAY - max(days)
        weak = rule.body_support < 2 or rule.confidence < 0.01
        score = 0.5 * rule.confidence + 0.5 * exp(-0.1 * lag)
        applied = not weak and (not self.window or lag <= self.window)
        return score * applied, (ends[0], RELATIONS[relation], ends[1], max(days))


def drawn(chance: random.Random) -> World:
    names = [f"{index}-1" for index in range(3)]
    facts = {
        (*chance.sample(names, 2), chance.choice(RELATIONS), chance.randrange(1, TODAY))
        for _ in range(12)
    }
    bodies = chance.sample(range(2 * len(RELATIONS)), 4)
    return World(
        facts=frozenset((s, r, o, day) for s, o, r, day in facts),
        rules=tuple(
            Rule(
                head=HEAD,
                body=(body,),
                rule_support=(support := chance.choice((1, 1, 5, 9))),
                body_support=support * chance.choice((1, 2, 3, 200)),
            )
            for body in bodies
        ),
        window=chance.choice((0, 5, 15)),
    )


def sound(world: World) -> Iterator[tuple[CertifiedFact, bool]]:
    """Certificates with right confidences, and whether their rule scores highest."""
    names = sorted({end for fact in world.facts for end in (fact[0], fact[2])})
    for subject, object_ in ((s, o) for s in names for o in names if s != o):
        found = {
            n: world.score(other_rule, subject, object_) for n, other_rule in enumerate(world.rules)
        }
        scores = {number: pair for number, pair in found.items() if pair is not None}
        for number, (score, cited) in scores.items():
            rule = world.rules[number]
            body = "(B, A)" if rule.body[0] >= len(RELATIONS) else "(A, B)"
            yield (
                CertifiedFact(
                    fact=(subject, RELATIONS[HEAD], object_, TODAY),
                    rule=f"{RELATIONS[HEAD]}(A, B) <- {RELATIONS[rule.body[0] % 3]}{body}",
                    grounding=(cited,),
                    where="facts.jsonl:1",
                    confidence=round(1 - prod(1 - value for value, _ in scores.values()), 6),
                    number=number,
                    rule_confidence=round(rule.confidence, 6),
                ),
                score > max(1e-7, *(value for value, _ in scores.values())) - 1e-7,
            )


def codes(world: World, certificate: CertifiedFact) -> list[str]:
    def dated(fact: NamedFact) -> DatedFact:
        s, r, o, on = fact
        return DatedFact(subject=s, relation=r, object=o, bound=Bound.POINT, day=on, written=r)

    case = build_case([dated(certificate.fact)], history=map(dated, sorted(world.facts)))
    rules = ForecastRules(rules=RuleTable.of(world.rules), relations=RELATIONS, window=world.window)
    assert certificate_findings([certificate], case) == ()
    return [finding.code for finding in certificate_findings([certificate], case, rules)]


@pytest.mark.parametrize("seed", range(12))
def test_the_rule_with_the_highest_score_is_required(seed: int) -> None:
    world = drawn(random.Random(seed))
    tried = list(sound(world))
    assert len(tried) > 5
    for certificate, best in tried:
        early = world.window and TODAY - certificate.grounding[0][3] > world.window
        expected = "unsupported" if early else "weaker-rule"
        assert codes(world, certificate) == ([] if best else [expected])


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"confidence": 0.0}, "wrong-confidence"),
        ({"confidence": float("nan")}, "wrong-confidence"),
        ({"rule_confidence": 7.5}, "wrong-rule-confidence"),
        ({"number": -1}, "unknown-rule"),
        ({"number": 4}, "unknown-rule"),
        ({"number": None}, "unknown-rule"),
    ],
)
def test_each_kind_of_nonsense_has_its_own_code(change: dict[str, object], expected: str) -> None:
    world = drawn(random.Random(1))
    certificate = next(fact for fact, best in sound(world) if best)
    assert codes(world, replace(certificate, **change)) == [expected]  # type: ignore[arg-type]


def test_the_number_of_another_rule_is_found() -> None:
    world = drawn(random.Random(1))
    certificate = next(fact for fact, best in sound(world) if best)
    for number in set(range(4)) - {certificate.number}:
        assert codes(world, replace(certificate, number=number)) == ["other-rule"]
