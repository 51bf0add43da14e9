"""Contributions and rule ranks, each computed in two ways."""

from __future__ import annotations

import random
from decimal import Decimal

import numpy as np
import pytest

from solver.graph.model import Dataset, Quadruples, Split, Vocabulary
from solver.graph.queries import Queries
from solver.questions.contributions import (
    HORIZON,
    Contributors,
    Fold,
    between_two,
    decay,
)
from solver.questions.world import World
from solver.rules.application import (
    Application,
    PlainApplication,
    ranked_first,
    ranked_first_by_both,
)
from solver.rules.history import GraphSizeError
from solver.rules.model import Rule, RuleTable

SIZE = Vocabulary(entities=5, relations=3, times=300)


def test_recency_is_rounded_down_from_what_it_is_exactly() -> None:
    lags = np.arange(1, 400)
    exact = [int(100_000 * (Decimal("-0.1") * int(lag)).exp()) for lag in lags]
    assert decay(lags).tolist() == exact
    assert exact[HORIZON - 2] > 0 == exact[HORIZON - 1]


def drawn(seed: int) -> tuple[Quadruples, RuleTable]:
    chance = random.Random(seed)
    times = [0, 1, 2, 3, 5, 8, 100, 116, 117, 118]
    facts = [
        (chance.randrange(5), chance.randrange(3), chance.randrange(5), chance.choice(times))
        for _ in range(200)
    ]
    rules = [
        Rule(
            head=chance.randrange(6),
            body=tuple(chance.randrange(6) for _ in range(chance.choice((1, 1, 1, 2)))),
            same=chance.choice(((), (), ((0, 1),))),
            rule_support=chance.choice((1, 30, 90)),
            body_support=chance.choice((1, 2, 100, 3_000, 9_000)),
        )
        for _ in range(60)
    ]
    return Quadruples.of(np.array(facts)), RuleTable.of(rules)


@pytest.mark.parametrize("seed", range(5))
def test_contributions_are_sorted_and_complete(seed: int) -> None:
    graph, rules = drawn(seed)
    asked = graph.take(slice(0, 60))
    folds = (Fold(begin=0, end=50, first=0, rules=40), Fold(begin=100, end=300, first=40, rules=20))
    contributors = Contributors(graph, rules, SIZE, folds)
    given = contributors.contributions(asked)
    every = sorted(set(map(tuple, graph.rows().tolist())))
    for number, (s, r, o, t) in enumerate(asked.rows().tolist()):
        expected = []
        for fact in every:
            way = {(s, o): fact[1], (o, s): fact[1] + 3}.get((fact[0], fact[2]))
            if way is None or s == o or fact[3] >= t:
                continue
            found = []
            fold = next(
                (other_fold for other_fold in folds if other_fold.begin <= t <= other_fold.end),
                None,
            )
            for row, rule in enumerate(rules):
                if fold is None or not fold.first <= row < fold.first + fold.rules:
                    continue
                if rule.head != r or rule.body != (way,) or rule.same or rule.body_support < 2:
                    continue
                sure = 10_000 * rule.rule_support // rule.body_support
                exact = int(100_000 * (Decimal("-0.1") * (t - fact[3])).exp())
                if rule.rule_support * 100 >= rule.body_support and sure * exact >= 100:
                    found.append((-(sure * exact // 100), row))
            if found:
                weight, row = min(found)
                expected.append((weight, -fact[3], fact, row))
        rows = slice(int(given.offsets[number]), int(given.offsets[number + 1]))
        facts = given.facts.take(rows)
        got = [
            (-weight, -fact[3], tuple(fact), row)
            for fact, weight, row in zip(
                facts.rows().tolist(),
                given.weight[rows].tolist(),
                given.rule[rows].tolist(),
                strict=True,
            )
        ]
        assert got == sorted(expected)
        here = asked.take(np.full(len(every), number))
        weights = contributors.weights(here, Quadruples.of(np.array(every))).tolist()
        shown = {fact: -weight for weight, _, fact, _ in expected}
        assert weights == [shown.get(fact, 0) for fact in every]


def test_nothing_contributes_in_an_empty_graph() -> None:
    nothing = Quadruples.of(np.empty((0, 4), np.int64))
    asked = Quadruples.of(np.array([[0, 1, 2, 5]]))
    contributors = Contributors(nothing, RuleTable.of(()), SIZE)
    assert contributors.contributions(asked).counts.tolist() == [0]


def test_nothing_contributes_without_rules() -> None:
    last = Quadruples.of(np.array([[0, 2, 2, 5]]))
    before = Quadruples.of(np.array([[2, 2, 0, 4]]))
    for folds in (None, ()):
        contributors = Contributors(before, RuleTable.of(()), SIZE, folds)
        assert contributors.weights(last, before).tolist() == [0]
        assert contributors.contributions(last).counts.tolist() == [0]


@pytest.mark.parametrize("seed", range(5))
def test_scans_and_joins_rank_alike(seed: int) -> None:
    graph, rules = drawn(seed)
    used = between_two(rules)
    joins, scans = Application(used, graph, SIZE), PlainApplication(used, graph, SIZE)
    fast, plain = ranked_first(joins, graph), ranked_first(scans, graph)
    assert fast.tolist() == plain.tolist()
    assert 0 < fast.sum() < len(graph)
    both = ranked_first_by_both(scans, joins, graph)
    assert np.array_equal(both, (plain, fast))
    # Scans that miss some facts: each has the ranks of its own.
    faulty = PlainApplication(used, graph.take(slice(len(graph) // 2)), SIZE)
    wrong = ranked_first(faulty, graph)
    assert wrong.tolist() != fast.tolist()
    assert np.array_equal(ranked_first_by_both(faulty, joins, graph), (wrong, fast))
    assert np.array_equal(ranked_first_by_both(joins, faulty, graph), (fast, wrong))


@pytest.mark.parametrize("seed", range(100))
def test_scans_and_joins_reach_the_latest_facts(seed: int) -> None:
    chance = random.Random(seed)
    facts = [
        tuple(chance.randrange(most) for most in (5, 3, 5, chance.choice((2, 12))))
        for _ in range(chance.choice((0, 1, 5, 60, 200)))
    ]
    graph = Quadruples.of(np.array(facts, dtype=np.int64).reshape(-1, 4))
    bodies = [chance.randrange(6) for _ in range(chance.choice((0, 1, 40)))]
    rules = RuleTable.of(
        [Rule(head=0, body=(body,), rule_support=1, body_support=1) for body in bodies]
    )
    asked = [(chance.randrange(5), chance.randrange(14)) for _ in range(7)]
    queries = Queries(
        head=np.array([head for head, _ in asked]),
        relation=np.zeros(7, dtype=np.int64),
        time=np.array([time for _, time in asked]),
    )
    numbers = [chance.randrange(7) for _ in bodies]
    expected = []
    for row, (number, body) in enumerate(zip(numbers, bodies, strict=True)):
        head, before = asked[number]
        latest: dict[int, int] = {}
        for s, r, o, t in facts:
            start, end = (s, o) if body < 3 else (o, s)
            if r == body % 3 and start == head and t < before:
                latest[end] = max(t, latest.get(end, 0))
        expected += [(row, entity, latest[entity]) for entity in sorted(latest)]
    for kind in (Application, PlainApplication):
        application = kind(rules, graph, SIZE)
        found = application._reach(None, queries, np.array(numbers, dtype=np.int64), rules)
        rows = zip(found.asker.tolist(), found.entity.tolist(), found.time.tolist(), strict=True)
        assert list(rows) == expected, kind


def test_who_is_ranked_with_another_is_not_first() -> None:
    facts = Quadruples.of(np.array([[0, 0, 1, 3], [0, 0, 2, 3], [0, 0, 1, 5], [3, 0, 4, 1]]))
    rule = Rule(head=0, body=(0,), rule_support=5, body_support=10)
    application = PlainApplication(RuleTable.of([rule]), facts, SIZE)
    asked = Quadruples.of(np.array([[0, 0, 1, 4], [0, 0, 1, 6], [0, 0, 2, 6], [4, 0, 3, 9]]))
    assert ranked_first(application, asked).tolist() == [False, True, False, False]


def test_a_graph_that_is_too_large_is_refused() -> None:
    vocabulary = Vocabulary(entities=10**8, relations=100, times=10_000)
    facts = Quadruples.of(np.array([[0, 0, 1, 3]]))
    dataset = Dataset(name="vast", vocabulary=vocabulary, splits={Split.TRAIN: facts})
    with pytest.raises(GraphSizeError, match="vast: found a graph too large to join"):
        World.of(dataset)
