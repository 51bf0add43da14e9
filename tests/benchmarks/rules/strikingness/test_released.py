"""The released profile against a program written from the description of what is published.

It shares nothing with the measured code but the data: no relation is numbered as an inverse, no
window or chain is searched by index, and every rule is tried on every pair of entities.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from dataclasses import dataclass, replace

import numpy as np
import pytest

from benchmarks.rules.strikingness.measure import strikingness
from benchmarks.rules.strikingness.peers import Evidence
from benchmarks.rules.strikingness.settings import PROFILES, Element, Profile
from solver.graph.model import Dataset, Quadruples, Split, Vocabulary
from solver.rules.model import Rule, RuleTable

Fact = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A random graph with rules; relation ``r + relations`` is the inverse of r."""

    entities: int
    relations: int
    facts: tuple[Fact, ...]
    rules: tuple[Rule, ...]
    window: int


def random_case(seed: int) -> Case:
    source = random.Random(seed)
    entities, relations, times = source.randint(5, 12), source.randint(1, 4), source.randint(4, 10)
    facts = {(0, 0, 1, 0), (0, 0, 1, 1)}
    for _ in range(source.choice((4, 15, 40, 80))):
        s, o = source.randrange(entities), source.randrange(entities)
        r = source.randrange(relations)
        for _ in range(source.choice((1, 1, 2, 4))):  # the same triple at several times
            facts.add((s, r, o, source.randrange(times)))
    pairs = [(h, b) for h in range(2 * relations) for b in range(2 * relations)]
    rules = []
    for head, body in source.sample(pairs, source.randint(1, max(1, len(pairs) // 2))):
        body_support = source.choice((1, 2, 4, 300))
        rules.append(
            Rule(
                head=head,
                body=(body,),
                same=((0, 1),) if source.random() < 0.2 else (),
                rule_support=source.choice((0, 1, body_support // 2, body_support)),
                body_support=body_support,
            )
        )
    return Case(
        entities=entities,
        relations=relations,
        facts=tuple(sorted(facts)),
        rules=tuple(rules),
        window=source.choice((2, 3, 200)),
    )


def specified(case: Case, event: Fact) -> tuple[float, float, float]:
    """The components of the object, the subject and the relation."""
    s, r, o, time = event
    before = sorted({u for *_, u in case.facts if u < time})[-case.window :]
    seen = [fact for fact in case.facts if fact[3] in before]
    between: dict[int, float] = defaultdict(float)
    for a, relation, d, u in seen:
        if (a, d) == (s, o):
            between[relation] += math.exp(-0.1 * (time - u))
    return (
        of_expectations(entity_peers(case, seen, event, backwards=False), o),
        of_expectations(entity_peers(case, seen, event, backwards=True), s),
        of_expectations(between, r),
    )


def entity_peers(case: Case, seen: list[Fact], event: Fact, *, backwards: bool) -> dict[int, float]:
    """Expectation of each entity that makes a peer in place of the object, or of the subject."""
    s, r, o, time = event
    asker, asked = (o, r + case.relations) if backwards else (s, r)
    rules = [
        rule
        for rule in case.rules
        if rule.head == asked and rule.body_support >= 2 and rule.confidence >= 0.01
    ]
    if not rules:
        return {}

    def times(relation: int, other: int) -> list[int]:
        ends = (other, asker) if backwards else (asker, other)
        return [u for a, c, d, u in seen if (a, c, d) == (ends[0], relation, ends[1])]

    peers = {other: 0.0 for other in range(case.entities) if times(r, other)}
    for rule in rules:
        if (rule.body[0] >= case.relations) != backwards:
            continue  # its body is inverse to its head
        for other in range(case.entities):
            bodies = times(rule.body[0] % case.relations, other)
            if bodies and (not rule.same or other == asker):
                gap = 1 if rule.body[0] == rule.head else 0
                total = highest(bodies, times(r, other), time, time, gap)
                peers[other] = peers.get(other, 0.0) + rule.confidence * total
    return peers


def highest(bodies: list[int], heads: list[int], until: int, time: int, gap: int) -> float:
    """The highest sum over a chain of bodies, each before a head that is before the next body."""
    best = 0.0
    for y in bodies:
        if y < until:
            later = [highest(bodies, heads, h, time, gap) for h in heads if h + gap <= y]
            best = max(best, math.exp(-0.1 * (time - y)) + max(later, default=0.0))
    return best


def of_expectations(peers: dict[int, float], own: int) -> float:
    if not peers:
        return 1.0
    squares = sum(peer**2 for peer in peers.values())
    if squares == 0:
        return 0.0
    event = peers.get(own, 0.0) ** 2 / squares
    values = [peer**2 / squares for peer in peers.values()]
    return sum(value * (value - event) for value in values if value > event)


def measured(case: Case, events: list[Fact]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    vocabulary = Vocabulary(
        entities=case.entities,
        relations=case.relations,
        times=max(u for *_, u in (*case.facts, *events)) + 1,
    )
    facts = Quadruples.of(np.array(case.facts, dtype=np.int64))
    dataset = Dataset(name="case", vocabulary=vocabulary, splits={Split.TEST: facts})
    settings = replace(PROFILES[Profile.RELEASED], window=case.window)
    evidence = Evidence.of(dataset, RuleTable.of(case.rules), settings)
    found = strikingness(evidence, Quadruples.of(np.array(events, dtype=np.int64)))
    return np.stack([found.components[element] for element in Element], axis=1)


@pytest.mark.parametrize("block", range(20))
def test_components_are_those_of_the_description(block: int) -> None:
    unexpected = 0
    for seed in range(10 * block, 10 * block + 10):
        case, source = random_case(seed), random.Random(-seed)
        late = max(u for *_, u in case.facts)
        asked = [
            (
                source.randrange(case.entities),
                source.randrange(case.relations),
                source.randrange(case.entities),
                source.randint(0, late + 1),
            )
            for _ in range(15)
        ]
        events = [*source.sample(case.facts, min(15, len(case.facts))), *asked]
        expected = np.array([specified(case, event) for event in events])
        np.testing.assert_allclose(measured(case, events), expected, rtol=0, atol=1e-12)
        unexpected += int((expected[:, :2] == 0).sum())
    assert unexpected
