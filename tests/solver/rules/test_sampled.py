"""Sampled rules: walks are what they should be, chances are right, confidences near the exact."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.graph.model import Index, Quadruples
from solver.rules.exact import mine_exact
from solver.rules.graph import RuleGraph
from solver.rules.io import read_rules
from solver.rules.model import MiningSettings, Rule, Transition, code_of, groups_of
from solver.rules.sampled import (
    Continuations,
    Sampling,
    bodies,
    cyclic_walks,
    estimated,
    mine_sampled,
    taken,
)

LENGTHS = (1, 2, 3)
RELATIONS = 2
Fact = tuple[int, int, int, int]
FACTS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 2), st.integers(0, 3)),
    min_size=1,
    max_size=12,
)


def graph_of(facts: list[Fact]) -> RuleGraph:
    return RuleGraph.of(Quadruples.of(np.array(facts, dtype=np.int64)), RELATIONS)


def source(seed: int = 0) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


@given(FACTS, st.integers(1, 3), st.sampled_from(Transition))
@settings(max_examples=60)
def test_walks_go_back_in_time_and_return(
    facts: list[Fact], length: int, transition: Transition
) -> None:
    graph = graph_of(facts)
    every = graph.facts.rows().tolist()
    sampling = Sampling.of(graph)
    head = every[0][1]
    found = cyclic_walks(sampling, head, length, walks=30, transition=transition, draw=source())
    for walk in found.T:
        first, *rest = (every[row] for row in walk)
        assert first[1] == head
        assert rest[0][3] < first[3]
        assert rest[-1][2] == first[0]
        for number, (before, after) in enumerate(zip([first, *rest], rest, strict=False)):
            assert after[0] == before[2]
            assert after[3] <= before[3]
            back = [before[2], (before[1] + RELATIONS) % (2 * RELATIONS), before[0], before[3]]
            assert number == 0 or after != back
    relations, same = bodies(sampling, found)
    expected = set()
    for walk in found.T:
        steps = [every[row] for row in walk[:0:-1]]
        body = tuple((r + RELATIONS) % (2 * RELATIONS) for _, r, _, _ in steps)
        passed = [steps[0][2], *(s for s, _, _, _ in steps)]
        groups = (
            [p for p, e in enumerate(passed) if e == value] for value in dict.fromkeys(passed)
        )
        expected.add((body, tuple(tuple(group) for group in groups if len(group) > 1)))
    output = [
        (tuple(body), groups_of(code)) for body, code in zip(relations.tolist(), same, strict=True)
    ]
    assert len(output) == len(set(output))
    assert set(output) == expected


def test_every_walk_there_is_is_drawn() -> None:
    facts = [(0, 0, 1, 3), (1, 1, 2, 2), (2, 0, 0, 1), (2, 1, 0, 2), (1, 0, 0, 3), (1, 0, 2, 0)]
    graph = graph_of(facts)
    found = cyclic_walks(
        Sampling.of(graph), 0, 2, walks=2_000, transition=Transition.UNIFORM, draw=source()
    )
    rows = [(*row,) for row in graph.facts.rows().tolist()]
    walks = {tuple(rows[row] for row in walk) for walk in found.T}
    expected = {
        (a, b, c)
        for a, b, c in product(rows, repeat=3)
        if a[1] == 0 and a[2] == b[0] and b[2] == c[0] and c[2] == a[0]
        if b[3] < a[3] and c[3] <= b[3]
        if c != (b[2], (b[1] + RELATIONS) % (2 * RELATIONS), b[0], b[3])
    }
    assert len(expected) > 3
    assert walks == expected


@pytest.mark.parametrize("transition", list(Transition))
def test_chances(transition: Transition) -> None:
    # One head fact at 6; it is preceded at 0, 3, 4, and at 5 twice.
    facts = [(0, 0, 1, 6), (0, 1, 1, 0), (0, 1, 1, 3), (0, 1, 1, 4), (0, 1, 1, 5), (0, 0, 1, 5)]
    facts += [(7, 0, 8, time) for time in (1, 2)]
    graph = graph_of(facts)
    walks = 20_000
    found = cyclic_walks(
        Sampling.of(graph), 0, 1, walks=walks, transition=transition, draw=source(3)
    )
    chosen = found[:, graph.facts.time[found[0]] == 6]
    times = [0, 3, 4, 5, 5]
    weights = [1.0 if transition is Transition.UNIFORM else np.exp(t - 6) for t in times]
    counts = Counter(chosen[1].tolist())
    assert len(counts) == 5
    total = chosen.shape[1]
    assert total > 1_000
    for time, weight in zip(times, weights, strict=True):
        chance = weight / sum(weights)
        rows = [row for row in counts if graph.facts.time[row] == time]
        share = sum(counts[row] for row in rows) / len(rows) / total
        assert abs(share - chance) < 5 * np.sqrt(chance * (1 - chance) / total)


@pytest.mark.parametrize("barred", range(-1, 5))
@pytest.mark.parametrize("transition", list(Transition))
def test_a_barred_place_is_not_taken_and_others_as_often(
    transition: Transition, barred: int
) -> None:
    times = np.array([0, 1, 2, 2, 2])
    many = np.arange(30_000) / 30_000
    ways = Continuations(
        index=Index.of(times),
        times=times,
        base=np.zeros(len(many), dtype=np.int64),
        limit=np.full(len(many), 3),
        barred=np.full(len(many), barred),
        now=np.full(len(many), 2),
    )
    weights = np.ones(5) if transition is Transition.UNIFORM else np.exp(times)
    weights[[barred] if barred >= 0 else []] = 0
    shares = np.bincount(taken(ways, transition, many), minlength=5) / len(many)
    assert np.abs(shares - weights / weights.sum()).max() < 0.001


def test_facts_long_ago_count_alike() -> None:
    # Ranks of time count: other facts fill the days between.
    facts = [(0, 0, 1, 900), (0, 1, 1, 0), (0, 1, 1, 9)]
    facts += [(7, 1, 8, time) for time in range(900)]
    graph = graph_of(facts)
    found = cyclic_walks(
        Sampling.of(graph), 0, 1, walks=1_000, transition=Transition.EXPONENTIAL, draw=source()
    )
    share = (graph.facts.time[found[1]] == 0).mean()
    assert abs(share - 0.5) < 0.08


@pytest.mark.parametrize("length", [1, 2, 3])
def test_enough_samples_are_the_exact_counts(length: int) -> None:
    draw = source(1)
    columns = [draw.integers(0, size, 9) for size in (3, RELATIONS, 3, 4)]
    graph = graph_of(list(zip(*(column.tolist() for column in columns), strict=True)))
    (exact,) = mine_exact(graph, MiningSettings(lengths=(length,)))
    for head in np.unique(exact.rules.head).tolist():
        rules = exact.rules.take(exact.rules.head == head)
        found = estimated(
            Sampling.of(graph), head, rules.body, rules.same, samples=3_000, draw=source()
        )
        assert found.body_support.tolist() == rules.body_support.tolist()
        assert found.rule_support.tolist() == rules.rule_support.tolist()


def test_bodies_repeat_what_the_rule_says_and_no_more() -> None:
    # 0-1, 1-0, 0-1 repeats both; 0-1, 1-2, 2-1 only what it came to.
    facts = [(0, 0, 1, 0), (0, 1, 1, 1), (2, 1, 1, 1), (0, 0, 1, 2), (2, 0, 1, 2), (0, 0, 1, 3)]
    graph = graph_of(facts)
    body = np.array([[0, 3, 0]] * 3)
    same = np.array([code_of(groups) for groups in ((), ((1, 3),), ((0, 2), (1, 3)))])
    found = estimated(Sampling.of(graph), 0, body, same, samples=2_000, draw=source())
    rows = graph.facts.rows().tolist()
    every = [
        (a, b, c)
        for a, b, c in product(rows, repeat=3)
        if (a[1], b[1], c[1]) == (0, 3, 0) and (a[2], b[2]) == (b[0], c[0]) and a[3] <= b[3] <= c[3]
    ]
    both = [row for row in every if row[0][0] == row[1][2] and row[0][2] == row[2][2]]
    only = [row for row in every if row[0][0] != row[1][2] and row[0][2] == row[2][2]]
    assert only
    assert found.body_support.tolist() == [len(every), len(only), len(both)]


def test_processes_do_not_show_and_seeds_do() -> None:
    draw = source(2)
    columns = [draw.integers(0, size, 80) for size in (6, RELATIONS, 6, 20)]
    graph = graph_of(list(zip(*(column.tolist() for column in columns), strict=True)))

    def mined(*, seed: int, jobs: int = 1) -> list[list[Rule]]:
        mining = MiningSettings(lengths=LENGTHS, seed=seed, walks=20, samples=30)
        return [list(result.rules) for result in mine_sampled(graph, mining, jobs=jobs)]

    assert mined(seed=1, jobs=2) == mined(seed=1)
    assert mined(seed=1) != mined(seed=2)
    alone = mine_sampled(graph, MiningSettings(lengths=(2,), seed=1, walks=20, samples=30))
    assert list(alone[0].rules) == mined(seed=1)[1]


def test_no_facts() -> None:
    graph = graph_of([])
    assert [
        len(result.rules) for result in mine_sampled(graph, MiningSettings(lengths=LENGTHS))
    ] == [0, 0, 0]


@pytest.fixture(scope="module")
def icews14(shared: Path) -> RuleGraph:
    rows = np.loadtxt(shared / "data/icews14/train.txt", dtype=np.int64, usecols=range(4))
    return RuleGraph.of(Quadruples.of(rows), 230)


@pytest.mark.slow
def test_confidences_of_icews14_are_near_the_exact_ones(icews14: RuleGraph) -> None:
    (exact,) = mine_exact(icews14, MiningSettings(lengths=(1,)))
    (found,) = mine_sampled(icews14, MiningSettings(lengths=(1,)))
    known = {(rule.head, rule.body): rule.confidence for rule in exact.rules}
    true = np.array([known[rule.head, rule.body] for rule in found.rules])
    sigma = np.sqrt(true * (1 - true) / found.rules.body_support)
    near = np.abs(found.rules.confidence - true) <= 3 * sigma + 1e-12
    assert len(near) > 8_000
    assert near.mean() >= 0.99


@pytest.mark.slow
def test_rules_of_icews14_are_as_many_as_published(icews14: RuleGraph, shared: Path) -> None:
    published = read_rules(shared / "data/icews14/tlogic_rules_len123_seed12.json.gz")
    for length, result in enumerate(mine_sampled(icews14, MiningSettings(lengths=LENGTHS)), 1):
        like = published.take(published.length == length)
        assert abs(len(result.rules) / len(like) - 1) < 0.02
        assert abs(result.rules.confidence.mean() - like.confidence.mean()) < 0.005
        shares = (np.bincount(table.same > 0) / len(table) for table in (result.rules, like))
        assert np.abs(np.subtract(*shares)).max() < 0.02
