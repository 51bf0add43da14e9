"""Role rules, free entities and certificates agree with their definitions, for random facts."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from solver.facts.check import Background, certificate_faults
from solver.facts.model import Bound
from solver.facts.role_rules import (
    RARE,
    Intervals,
    RoleRules,
    mine_role_rules,
    relation_kinds,
    role_rows,
)
from solver.graph.model import Quadruples, Vocabulary
from solver.rules.model import wilson_bound

NAMES = ("startWed", "endWed", "startJoin", "endJoin", "meets")
DAYS, ENTITIES = 9, 5
WORDS = Vocabulary(entities=ENTITIES, relations=len(NAMES), times=DAYS, relation_names=NAMES)
KINDS = relation_kinds(WORDS, None)

Row = tuple[int, int, int, int]


def random_rows(draw: random.Random, number: int) -> list[Row]:
    rows = (
        (
            draw.randrange(ENTITIES),
            draw.randrange(5),
            draw.randrange(ENTITIES),
            draw.randrange(DAYS),
        )
        for _ in range(number)
    )
    return sorted(set(rows), key=lambda row: row[3])


def quadruples(rows: list[Row]) -> Quadruples:
    return Quadruples.of(np.array(rows, dtype=np.int64).reshape(-1, 4))


def occupies(rows: list[Row], row: Row, entity: int, end: int, day: int) -> bool:
    """Whether a start occupies an entity at an end on a day."""
    subject, relation, object_, start = row
    closing = [
        t for s, r, o, t in rows if (s, r, o) == (subject, relation + 1, object_) and t >= start
    ]
    return (subject, object_)[end] == entity and start <= day <= min(closing, default=DAYS)


def starts_of(rows: list[Row], kind: int) -> list[Row]:
    return [row for row in rows if NAMES[row[1]] == f"start{KINDS.names[kind].capitalize()}"]


def single_by_definition(rows: list[Row]) -> set[tuple[int, int, int]]:
    found = set()
    for kind, end, other in product(range(len(KINDS.names)), (0, 1), (0, 1)):
        starts = starts_of(rows, kind)
        taken = [
            any(
                occupies(rows, two, (start[0], start[2])[end], other, start[3])
                for two in starts
                if two != start
            )
            for start in starts
        ]
        if starts and sum(taken) / len(taken) <= RARE:
            found.add((kind, end, other))
    return found


def roles_by_definition(rows: list[Row], head: int, end: int) -> list[tuple[int, int, int, int]]:
    """Relation, end and both counts of the three best roles."""
    found = []
    for relation, other in product(range(len(NAMES)), (0, 1)):
        days: dict[int, list[int]] = {}
        for row in rows:
            if row[1] == relation:
                days.setdefault((row[0], row[2])[other], []).append(row[3])
        led = {
            (row[0], row[2])[end]
            for row in rows
            if row[1] == head and any(day < row[3] for day in days.get((row[0], row[2])[end], []))
        }
        if len(led) >= 2:
            bound = float(wilson_bound(np.array([len(led)]), np.array([len(days)]))[0])
            found.append((-bound, NAMES[relation], other, (relation, other, len(led), len(days))))
    return [row[-1] for row in sorted(found)[:3]]


@pytest.mark.parametrize("seed", range(60))
def test_rules_and_free_entities_follow_their_definitions(seed: int) -> None:
    draw = random.Random(seed)
    rows = random_rows(draw, draw.choice((0, 6, 15, 40)))
    mined = mine_role_rules(quadruples(rows), WORDS, KINDS)
    assert mined.single == single_by_definition(rows)
    expected = [
        (head, *subject[:2], *object_[:2], (subject[2:], object_[2:]))
        for head in range(len(NAMES))
        if KINDS.bound[head] is not Bound.END
        for subject in roles_by_definition(rows, head, 0)
        for object_ in roles_by_definition(rows, head, 1)
    ]
    assert sorted(expected) == sorted(
        (o.head, o.subject.relation, o.subject.end, o.object.relation, o.object.end, o.counts)
        for o in mined.rules
    )
    intervals = Intervals.of(quadruples(rows), KINDS)
    for kind, end, day in product(range(len(KINDS.names)), (0, 1), range(DAYS)):
        busy = {
            entity
            for entity, other in product(range(ENTITIES), (0, 1))
            if (kind, end, other) in mined.single
            and any(occupies(rows, row, entity, other, day) for row in starts_of(rows, kind))
        }
        found = mined.busy(intervals, kind, end, day, ENTITIES)
        assert set(np.flatnonzero(found).tolist()) == busy


def test_rules_are_the_same_for_another_numbering() -> None:
    draw = random.Random(5)
    rows = random_rows(draw, 40)
    turned = list(reversed(range(5)))
    names = tuple(NAMES[turned.index(number)] for number in range(5))
    words = Vocabulary(entities=ENTITIES, relations=5, times=DAYS, relation_names=names)
    other = quadruples([(4 - s, turned[r], 4 - o, t) for s, r, o, t in rows])
    rules = mine_role_rules(quadruples(rows), WORDS, KINDS).rules
    two = mine_role_rules(other, words, relation_kinds(words, None)).rules
    assert [(x.text(WORDS), x.counts) for x in rules] == [(x.text(words), x.counts) for x in two]
    assert len(rules) > 5


def code_by_definition(
    rows: list[Row], number: int, mined: RoleRules, rule: int, cited: tuple[int, int], window: int
) -> str:
    """The code of a certificate; empty if it is valid."""
    role_rule = mined.rules[rule]
    fact = rows[number]
    shown = fact[1] == role_rule.head
    for entity, role, place in zip(
        (fact[0], fact[2]), (role_rule.subject, role_rule.object), cited, strict=True
    ):
        s, r, o, t = rows[place]
        shown &= r == role.relation and (s, o)[role.end] == entity and t < fact[3]
        shown &= not window or t >= fact[3] - window
    kind = KINDS.relation[fact[1]]
    taken = NAMES[fact[1]].startswith("start") and any(
        (kind, end, other) in mined.single
        and occupies(rows, row, (fact[0], fact[2])[end], other, fact[3])
        for row in starts_of(rows, kind)
        for end, other in product((0, 1), repeat=2)
        if row != fact
    )
    return "unsupported" if not shown else "occupied" if taken else ""


def test_certificates_are_judged_by_their_definition() -> None:
    draw = random.Random(1)
    seen = Counter[str]()
    for _ in range(160):
        rows = random_rows(draw, draw.choice((12, 24)))
        mined = mine_role_rules(quadruples(rows), WORDS, KINDS)
        if not mined.rules:
            continue
        places = list(product(range(len(KINDS.names)), (0, 1), (0, 1)))
        mined = replace(mined, single=frozenset(draw.sample(places, draw.randrange(12))))
        window, rule = draw.choice((0, 3)), draw.randrange(len(mined.rules))
        heads = [n for n, row in enumerate(rows) if row[1] == mined.rules[rule].head]
        number = draw.choice(heads if draw.random() < 0.9 else range(len(rows)))
        every = list(product(range(len(rows)), repeat=2))
        codes = {
            numbers: code_by_definition(rows, number, mined, rule, numbers, window)
            for numbers in every
        }
        good = [numbers for numbers in every if codes[numbers] != "unsupported"]
        cited = draw.choice(good if good and draw.random() < 0.7 else every)
        known = [(str(s), NAMES[r], str(o), t + 1) for s, r, o, t in rows]
        background = Background(known, roles=list(role_rows(mined, WORDS, KINDS)), window=window)
        right = mined.rules[rule].confidence
        row = {
            "role_rule": rule,
            "rule": mined.rules[rule].text(WORDS),
            "confidence": right,
            "rule_confidence": right,
        }
        found = certificate_faults(
            background, row, known[number], [known[place] for place in cited]
        )
        assert [code for code, _ in found] == [codes[cited]] * bool(codes[cited])
        seen[codes[cited]] += 1
    assert min(seen[code] for code in ("", "occupied", "unsupported")) > 10
