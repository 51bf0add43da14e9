"""Small random graphs with rules of length 1, and strikingness written down naively."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.rules.strikingness.peers import Evidence
from benchmarks.rules.strikingness.settings import PROFILES, Deviation, Element, Profile, Settings
from solver.graph.io import read_dataset
from solver.graph.model import Dataset, Quadruples, Split, Vocabulary
from solver.rules.io import read_rules
from solver.rules.model import Rule, RuleTable

Fact = tuple[int, int, int, int]

ENTITIES, RELATIONS, TIMES = 4, 2, 9


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A graph of one split with rules over it."""

    facts: tuple[Fact, ...]
    rules: tuple[Rule, ...]

    @property
    def dataset(self) -> Dataset:
        vocabulary = Vocabulary(entities=ENTITIES, relations=RELATIONS, times=TIMES)
        facts = Quadruples.of(np.array(self.facts, dtype=np.int64).reshape(-1, 4))
        return Dataset(name="world", vocabulary=vocabulary, splits={Split.TEST: facts})

    def evidence(self, settings: Settings) -> Evidence:
        return Evidence.of(self.dataset, RuleTable.of(self.rules), settings)

    def every_event(self) -> Quadruples:
        """All events there can be at the last time and at one in the middle."""
        sizes = (ENTITIES, RELATIONS, ENTITIES)
        rows = [(*spot, t) for spot in np.ndindex(*sizes) for t in (TIMES // 2, TIMES - 1)]
        return Quadruples.of(np.array(rows, dtype=np.int64))

    def expectations(self, event: Fact, element: Element, settings: Settings) -> dict[int, float]:
        """Peers with their expectations, fact by fact and rule by rule."""
        s, r, o, t = event
        if element is Element.SUBJECT:
            s, r, o = o, r + RELATIONS, s
        known = {*self.facts, *((d, c + RELATIONS, a, u) for a, c, d, u in self.facts)}
        since = self._since(t, settings)
        seen = {row for row in known if since <= row[3] < t}
        found: dict[int, float] = {}
        if element is Element.RELATION and settings.has(Deviation.RULELESS):
            for a, c, d, u in seen:
                if (a, d) == (s, o) and c < RELATIONS:
                    found[c] = found.get(c, 0.0) + math.exp(-settings.decay * (t - u))
            return found
        for rule in self._usable(settings):
            for peer, head, ends in self._aims(rule, element, (s, r, o)):
                bodies = {u for a, c, d, u in seen if (a, c, d) == (ends[0], rule.body[0], ends[1])}
                heads = {u for a, c, d, u in seen if (a, c, d) == (ends[0], head, ends[1])}
                apart = settings.has(Deviation.STRICT) and rule.body[0] == rule.head
                chain = list(walked_back(bodies, heads, t, apart=apart))
                if chain:
                    total = sum(math.exp(-settings.decay * (t - u)) for u in chain)
                    found[peer] = found.get(peer, 0.0) + rule.confidence * total
        passing = {rule.head for rule in self.rules if _passes(rule, settings)}
        own = settings.has(Deviation.OWN_PEERS) and r in passing
        if element is not Element.RELATION and own:
            for a, c, d, _ in seen:
                if (a, c) == (s, r):
                    found.setdefault(d, 0.0)
        return found

    def component(self, event: Fact, element: Element, settings: Settings) -> float:
        """Equations 7 and 8."""
        expected = self.expectations(event, element, settings)
        if not expected:
            return 1.0 if settings.has(Deviation.MISSING) else 0.0
        if not any(expected.values()):
            return 0.0
        total = sum(figure**2 for figure in expected.values())
        squared = settings.has(Deviation.SQUARED)
        value = {p: e**2 / total if squared else e / math.sqrt(total) for p, e in expected.items()}
        own = {
            Element.OBJECT: event[2],
            Element.SUBJECT: event[0],
            Element.RELATION: event[1],
        }
        target = value.get(own[element], 0.0)
        return sum(figure * (figure - target) for figure in value.values() if figure > target)

    def _since(self, time: int, settings: Settings) -> int:
        if not settings.snapshots:
            return time - settings.window
        before = sorted({fact[3] for fact in self.facts if fact[3] < time})
        return before[-settings.window :][0] if before else time

    def _usable(self, settings: Settings) -> Iterator[Rule]:
        for rule in self.rules:
            turned = (rule.head >= RELATIONS) != (rule.body[0] >= RELATIONS)
            if _passes(rule, settings) and not (turned and settings.has(Deviation.ONE_WAY)):
                yield rule

    def _aims(
        self, rule: Rule, element: Element, asked: tuple[int, int, int]
    ) -> Iterator[tuple[int, int, tuple[int, int]]]:
        """Peers that a rule may lead to: peer, relation of the head, both ends."""
        s, r, o = asked
        if element is Element.RELATION:
            if rule.head < RELATIONS and (not rule.same or s == o):
                yield rule.head, rule.head, (s, o)
        elif rule.head == r:
            for other in range(ENTITIES):
                if not rule.same or other == s:
                    yield other, r, (s, other)


def _passes(rule: Rule, settings: Settings) -> bool:
    supported = rule.body_support >= settings.body_support
    return supported and rule.confidence >= settings.confidence


def walked_back(bodies: set[int], heads: set[int], time: int, *, apart: bool) -> Iterator[int]:
    """The bodies of a chain, day by day back from the event."""
    wanting_body, bound = True, time
    for day in range(time - 1, -1, -1):
        if wanting_body and day in bodies and day < bound:
            yield day
            wanting_body, bound = False, day
        if not wanting_body and day in heads and (day < bound or not apart):
            wanting_body, bound = True, day


@pytest.fixture(scope="session")
def world() -> Callable[[int], World]:
    """Makes a world from a seed."""

    def make(seed: int) -> World:
        source = random.Random(seed)
        sizes = (ENTITIES, RELATIONS, ENTITIES, TIMES)
        some = {tuple(map(source.randrange, sizes)) for _ in range(source.choice((0, 12, 50, 90)))}
        pairs = [(h, b) for h in range(2 * RELATIONS) for b in range(2 * RELATIONS)]
        rules = []
        for head, body in source.sample(pairs, source.randint(1, len(pairs))):
            support = source.randint(1, 9)
            rules.append(
                Rule(
                    head=head,
                    body=(body,),
                    same=((0, 1),) if source.random() < 0.2 else (),
                    rule_support=source.randint(0, support),
                    body_support=support,
                )
            )
        return World(facts=tuple(sorted(some)), rules=tuple(rules))  # type: ignore[arg-type]

    return make


@pytest.fixture(scope="session")
def mixed() -> Callable[[int], Settings]:
    """Settings with some of the switches each way, and other parameters."""

    def make(seed: int) -> Settings:
        source = random.Random(seed)
        chosen = frozenset(deviation for deviation in Deviation if source.random() < 0.5)
        base = PROFILES[source.choice(list(Profile))]
        window = source.choice((2, 4, 200))
        return replace(base, deviations=chosen, window=window, decay=source.choice((0, 0.1, 0.7)))

    return make


@pytest.fixture(scope="session")
def icews(shared: Path) -> Path:
    """The published files."""
    return shared / "data" / "icews14"


@pytest.fixture(scope="session")
def icews_dataset(icews: Path) -> Dataset:
    """The published graph."""
    return read_dataset(icews)


@pytest.fixture(scope="session")
def icews_rules(icews: Path) -> RuleTable:
    """The published rules."""
    return read_rules(icews / "rules_len1_seed6.json", relations=230)
