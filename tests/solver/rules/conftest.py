"""Small random graphs with rules, and the published program written down naively."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from solver.graph.model import Quadruples, Vocabulary
from solver.rules.model import Rule, RuleTable

Fact = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A graph in one direction, with rules over it and its inverses."""

    vocabulary: Vocabulary
    facts: tuple[Fact, ...]
    rules: tuple[Rule, ...]

    @property
    def graph(self) -> Quadruples:
        return Quadruples.of(np.array(self.facts, dtype=np.int64).reshape(-1, 4))

    @property
    def table(self) -> RuleTable:
        return RuleTable.of(self.rules)

    def both_ways(self) -> set[Fact]:
        n = self.vocabulary.relations
        return {*self.facts, *((o, (r + n) % (2 * n), s, t) for s, r, o, t in self.facts)}

    def groundings(self, rule: Rule, head: int, time: int) -> Iterator[tuple[Fact, ...]]:
        """Every choice of facts for the body, looked at one by one."""
        known = [fact for fact in sorted(self.both_ways()) if fact[3] < time]
        choices = [[fact for fact in known if fact[1] == relation] for relation in rule.body]
        for facts in itertools.product(*choices):
            passed = (facts[0][0], *(fact[2] for fact in facts))
            joined = all(a[2] == b[0] and a[3] <= b[3] for a, b in itertools.pairwise(facts))
            alike = all(len({passed[place] for place in group}) == 1 for group in rule.same)
            if passed[0] == head and joined and alike:
                yield facts

    def distinct(self, facts: tuple[Fact, ...]) -> bool:
        """Whether no fact is used twice, also not in different directions."""
        n = self.vocabulary.relations
        forward = {(s, r, o, t) if r < n else (o, r - n, s, t) for s, r, o, t in facts}
        return len(forward) == len(facts)

    def published(
        self, head: int, relation: int, time: int, top_k: int, *, distinct: bool = False
    ) -> dict[int, float]:
        """Candidates with scores as the published program finds them, step by step.

        With ``distinct``, only by groundings that use no fact twice.
        """
        given: dict[int, list[np.float32]] = {}
        rules = [rule for rule in self.rules if rule.head == relation]
        for rule in sorted(rules, key=lambda rule: -rule.confidence):
            latest: dict[int, int] = {}
            for facts in self.groundings(rule, head, time):
                if distinct and not self.distinct(facts):
                    continue
                end = facts[-1][2]
                latest[end] = max(latest.get(end, -1), facts[0][3])
            if rule.confidence < 0.01 or rule.body_support < 2 or not latest:
                continue
            for end, begin in latest.items():
                score = 0.5 * rule.confidence + 0.5 * np.exp(0.1 * (begin - time))
                given.setdefault(end, []).append(np.float32(score))
            lists = sorted(
                (sorted(values, reverse=True) for values in given.values()), reverse=True
            )
            if len([values for values, _ in itertools.groupby(lists[:top_k])]) >= top_k > 0:
                break
        return {end: 1 - float(_product(scores)) for end, scores in given.items()}


def _product(scores: list[np.float32]) -> np.float32:
    product = np.float32(1)
    for score in sorted(scores, reverse=True):
        product *= np.float32(1) - score
    return product


@pytest.fixture(scope="session")
def world() -> Callable[..., World]:
    """A world from a seed."""

    def make(seed: int, *, facts: int = 30, rules: int = 12, times: int = 8) -> World:
        chance = random.Random(seed)
        entities, relations = chance.randint(2, 7), chance.randint(1, 3)
        vocabulary = Vocabulary(entities=entities, relations=relations, times=times)
        graph = tuple(
            tuple(chance.randrange(size) for size in (entities, relations, entities, times))
            for _ in range(chance.randint(0, facts))
        )
        return World(
            vocabulary=vocabulary,
            facts=graph,  # type: ignore[arg-type]
            rules=tuple(_rule(chance, relations) for _ in range(chance.randint(0, rules))),
        )

    return make


def _rule(chance: random.Random, relations: int) -> Rule:
    body = tuple(chance.randrange(2 * relations) for _ in range(chance.randint(1, 3)))
    partings: list[tuple[tuple[int, ...], ...]] = [(), (), ((0, len(body)),)]
    if len(body) == 3:
        partings += [((0, 2),), ((1, 3),), ((0, 2), (1, 3)), ((0, 1, 3),), ((1, 2),)]
    support = chance.randint(1, 4)
    return Rule(
        head=chance.randrange(2 * relations),
        body=body,
        same=chance.choice(partings),
        rule_support=chance.randint(0, support),
        body_support=support,
    )
