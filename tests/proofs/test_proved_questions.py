"""The checker of questions that is compiled from the proofs, against answers found here."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from solver.eventhop.certificates.proved import Compiled, flat

Fact = tuple[int, int, int, int]


class Rule(NamedTuple):
    """By a fact of ``body``, read backwards or not, two entities are in the relation ``head``."""

    head: int
    backwards: int
    body: int
    confidence: int
    bodies: int


class World(NamedTuple):
    """A small graph, with rules and what facts of each age count."""

    facts: list[Fact]
    decays: list[int]
    rules: list[Rule]

    @property
    def line(self) -> str:
        return " ".join(("facts", *flat([self.facts, self.decays, [self.rules]])))


def world(draw: random.Random) -> World:
    sizes = draw.randint(1, 4), draw.randint(1, 3), draw.randint(1, 6)
    entities, relations, times = map(range, sizes)
    facts = [
        (draw.choice(entities), draw.choice(relations), draw.choice(entities), draw.choice(times))
        for _ in range(draw.choice((0, 3, 8, 20, 60)))
    ]
    rules = [
        Rule(
            draw.choice(relations),
            draw.randrange(2),
            draw.choice(relations),
            draw.choice((50, 100, 2_000, 10_000)),
            draw.choice((1, 2, 30)),
        )
        for _ in range(draw.randrange(8))
    ]
    return World(facts, draw.choice(([], [90_000, 80_000, 70_000], [100_000, 5])), rules)


def linked(facts: list[Fact], backwards: int, a: int, r: int, t: int) -> list[int]:
    """What an entity is linked with."""
    if backwards:
        return [head for head, rel, tail, time in facts if (rel, tail, time) == (r, a, t)]
    return [tail for head, rel, tail, time in facts if (head, rel, time) == (a, r, t)]


def hops(draw: random.Random, known: World) -> tuple[list[Any], bool]:
    w, a, r, v, s, t = (draw.randrange(n) for n in (2, 5, 3, 2, 3, 6))
    if known.facts and draw.random() < 0.8:
        head, r, tail, t = draw.choice(known.facts)
        a = tail if w else head
    right = set(linked(known.facts, w, a, r, t))
    asked = [1, w, a, r, t]
    if draw.random() < 0.6:
        parties = right - {a}
        right = {
            answer
            for party in parties
            for answer in linked(known.facts, v, party, s, t)
            if answer not in (a, party)
        }
        asked = [2, w, a, r, v, s, t]
    answers = sorted(right)
    if draw.random() < 0.6:
        answers += [draw.randrange(5) for _ in range(draw.randrange(3))]
        draw.shuffle(answers)
        answers = answers[: draw.randrange(5)]
    return [0, *asked, answers], answers == sorted(right)


def single(draw: random.Random, known: World) -> tuple[list[Any], bool]:
    fact = tuple(draw.randrange(n) for n in (4, 3, 4, 6))
    if known.facts and draw.random() < 0.6:
        fact = draw.choice(known.facts)
    if draw.random() < 0.5:
        return [1, fact], fact in known.facts
    return [2, fact[:3]], all(fact[:3] != other[:3] for other in known.facts)


def contributes(known: World, rule: Rule, fact: Fact, asked: Fact) -> int | None:
    """What a fact contributes by a rule; None if this leads elsewhere."""
    head, relation, tail, time = fact
    ends = (tail, head) if rule.backwards else (head, tail)
    if ends != (asked[0], asked[2]) or relation != rule.body or rule.head != asked[1]:
        return None
    age = asked[3] - time
    if asked[0] == asked[2]:
        return None
    if age <= 0 or rule.bodies < 2 or rule.confidence < 100:
        return 0
    return rule.confidence * (known.decays[age - 1] if age <= len(known.decays) else 0) // 100


def reasoning(draw: random.Random, known: World) -> tuple[list[Any], bool] | None:
    if not known.rules or not known.facts:
        return None
    asked = (*draw.choice(known.facts)[:3], draw.randint(3, 9))
    asked = (asked[0], draw.choice(known.rules).head, asked[2], asked[3])
    pairs = []
    for place, fact in product(range(len(known.rules)), known.facts):
        value = contributes(known, known.rules[place], fact, asked)
        if value is not None and (value or draw.random() < 0.2):
            pairs.append((fact, place, value))
    if len(pairs) < 2:
        return None
    if draw.random() < 0.6:  # Choices that are right, but for their order.
        pairs = [pair for pair in pairs if pair[2] == max(p[2] for p in pairs if p[0] == pair[0])]
        most = max(pairs, key=lambda pair: pair[2])
        pairs = [most, *(pair for pair in pairs if 5 * pair[2] <= 3 * most[2])]
    chosen = draw.sample(pairs, draw.randint(1, min(4, len(pairs))))
    chosen.sort(key=lambda pair: -pair[2])
    if draw.random() < 0.3:
        at = draw.randrange(len(chosen))
        fact, place, value = chosen[at]
        chosen[at] = draw.choice(
            [
                ((*fact[:3], fact[3] + 1), place, value),
                (fact, draw.randrange(len(known.rules)), value),
                (fact, place, value + draw.choice((-1, 1))),
            ]
        )

    def right(fact: Fact, place: int, value: int) -> bool:
        every = [contributes(known, rule, fact, asked) for rule in known.rules]
        known_values = [found for found in every if found is not None]
        return (
            fact in known.facts
            and fact[:3] != asked[:3]
            and every[place] == value
            and 0 < value == max(known_values, default=-1)
        )

    best, *others = chosen
    most = all(5 * other[2] <= 3 * best[2] for other in others)
    return [3, 0, asked, best, others], most and all(right(*each) for each in chosen)


def cases(worlds: int, seed: int) -> Iterator[tuple[World, list[tuple[list[Any], bool]]]]:
    draw = random.Random(seed)
    for _ in range(worlds):
        known = world(draw)
        asked = [hops(draw, known) for _ in range(12)] + [single(draw, known) for _ in range(8)]
        asked += [found for _ in range(40) if (found := reasoning(draw, known)) is not None]
        yield known, asked


def test_it_accepts_right_answers_alone(checker: Compiled) -> None:
    """The worlds follow each other in one run, so that each line of facts replaces the last."""
    expected, lines = list[tuple[int, bool] | None](), list[str]()
    for known, asked in cases(600, seed=1):
        expected += [None, *((numbers[0], right) for numbers, right in asked)]
        lines += [known.line, *(f"question {' '.join(flat(numbers))}" for numbers, _ in asked)]
    answers = checker.answers(lines)
    seen = Counter[tuple[int, bool]]()
    for wanted, line, answer in zip(expected, lines, answers, strict=True):
        assert answer.accepted is (wanted is None or wanted[1]), line
        if wanted is not None:
            seen[wanted] += 1
    assert len(seen) == 8
    assert min(seen.values()) > 100
