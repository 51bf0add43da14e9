"""FREQUENCY and RECENCY against a count over all orders of ties."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest

from benchmarks.rules.ranking.queries import Filter
from benchmarks.tkg.retrieval.context import (
    ContextFinder,
    ContextKey,
    Heuristic,
    evaluate,
    hits_of,
    rank,
)
from generators.tkg.plan import LabelledGraph
from solver.graph.model import Dataset, Quadruples, Split, Vocabulary

Maker = Callable[..., tuple[LabelledGraph, Dataset]]
Fact = tuple[int, int, int, int]

COLUMNS = {ContextKey.ENTITY: (0,), ContextKey.PAIR: (0, 1)}


def scores(
    facts: list[Fact], query: Fact, heuristic: Heuristic, shared: ContextKey, most: int
) -> dict[int, int]:
    """The score of each tail in the context of a query."""
    places = COLUMNS[shared]
    before = [
        fact
        for _, fact in sorted(enumerate(facts), key=lambda fact: (fact[1][3], fact[0]))
        if fact[3] < query[3] and all(fact[k] == query[k] for k in places)
    ][-most:]
    if heuristic is Heuristic.FREQUENCY:
        return dict(Counter(tail for _, _, tail, _ in before))
    return {tail: time for _, _, tail, time in before}


def chance(found: dict[int, int], answer: int, cut: int) -> tuple[float, bool, bool]:
    """Share of the orders of ties in which the answer is among the first k; and in all, in any."""
    if answer not in found:
        return 0.0, False, False
    above = sum(score > found[answer] for score in found.values())
    equal = [number for number, score in found.items() if score == found[answer]]
    orders = (
        list(permutations(range(len(equal))))
        if len(equal) <= 5
        else [tuple(np.roll(range(len(equal)), shift)) for shift in range(len(equal))]
    )
    right = [above + order[equal.index(answer)] < cut for order in orders]
    return sum(right) / len(right), all(right), any(right)


@pytest.mark.parametrize("filter", [Filter.RAW, Filter.TIME_AWARE])
@pytest.mark.parametrize("most", [3, 25])
@pytest.mark.parametrize("shared", [ContextKey.ENTITY, ContextKey.PAIR])
@pytest.mark.parametrize("heuristic", Heuristic)
def test_hits_are_shares_of_all_orders(
    make: Maker, heuristic: Heuristic, shared: ContextKey, most: int, filter: Filter
) -> None:
    graph, dataset = make(2)
    asked = dataset.splits[Split.TEST]
    facts: list[Fact] = [tuple(row) for row in graph.facts.rows().tolist()]  # type: ignore[misc]
    found = rank(
        graph.facts, asked, dataset.vocabulary, heuristic, shared, most=most, filter=filter
    )
    measured = hits_of(found.ties)
    queries: list[Fact] = [tuple(row) for row in asked.rows().tolist()]  # type: ignore[misc]
    for cut, hits in measured.items():
        each = []
        for query in queries:
            ranked = scores(facts, query, heuristic, shared, most)
            if filter is Filter.TIME_AWARE:
                others = {
                    q[2] for q in queries if (q[0], q[1], q[3]) == (query[0], query[1], query[3])
                }
                ranked = {o: s for o, s in ranked.items() if o == query[2] or o not in others}
            each.append(chance(ranked, query[2], cut))
        expected, surely, maybe = (np.mean(column) for column in zip(*each, strict=True))
        assert math.isclose(hits.expected, expected, abs_tol=1e-12)
        assert math.isclose(hits.pessimistic, surely, abs_tol=1e-12)
        assert math.isclose(hits.optimistic, maybe, abs_tol=1e-12)
    assert len(queries) > 20
    assert (
        most == 25
        or shared is ContextKey.PAIR
        or 0 < measured[1].expected < measured[10].optimistic
    )


def world(*facts: Fact) -> tuple[Quadruples, Vocabulary]:
    return Quadruples.of(np.array(facts, dtype=np.int64)), Vocabulary(
        entities=6, relations=2, times=9
    )


FACTS: tuple[Fact, ...] = (
    (0, 0, 1, 0),
    (0, 0, 1, 1),
    (0, 0, 2, 2),
    (0, 1, 3, 2),
    (1, 0, 4, 2),
)


@pytest.mark.parametrize(
    ("heuristic", "shared", "query", "hits"),
    [
        (Heuristic.FREQUENCY, ContextKey.ENTITY, (0, 0, 1, 3), (1, 1, 1)),
        (Heuristic.FREQUENCY, ContextKey.ENTITY, (0, 0, 2, 3), (0, 1, 1)),
        (Heuristic.FREQUENCY, ContextKey.PAIR, (0, 0, 1, 3), (1, 1, 1)),
        (Heuristic.RECENCY, ContextKey.ENTITY, (0, 0, 2, 3), (0.5, 1, 1)),
        (Heuristic.RECENCY, ContextKey.PAIR, (0, 0, 2, 3), (1, 1, 1)),
        (Heuristic.RECENCY, ContextKey.PAIR, (0, 0, 1, 3), (0, 1, 1)),
        # Not in the context; no context; nothing of the query's own time.
        (Heuristic.FREQUENCY, ContextKey.ENTITY, (0, 0, 4, 3), (0, 0, 0)),
        (Heuristic.FREQUENCY, ContextKey.ENTITY, (5, 0, 4, 3), (0, 0, 0)),
        (Heuristic.RECENCY, ContextKey.ENTITY, (0, 0, 2, 2), (0, 0, 0)),
    ],
)
def test_a_small_world(
    heuristic: Heuristic, shared: ContextKey, query: Fact, hits: tuple[float, ...]
) -> None:
    facts, vocabulary = world(*FACTS)
    found = rank(facts, world(query)[0], vocabulary, heuristic, shared)
    assert tuple(hit.expected for hit in hits_of(found.ties).values()) == hits


def test_no_more_facts_than_asked_for() -> None:
    rows: list[Fact] = [(0, 0, 1 + time % 5, time) for time in range(60)]
    facts, _ = world(*rows)
    asked, vocabulary = world((0, 0, 1, 60))
    history = ContextFinder(facts, ContextKey.ENTITY, vocabulary)
    assert history.before(asked).rows(0).tolist() == list(range(35, 60))
    assert history.before(asked, 3).rows(0).tolist() == [57, 58, 59]
    assert history.before(world((0, 0, 1, 0))[0]).rows(0).tolist() == []


def test_relations_one_by_one() -> None:
    facts, vocabulary = world(*FACTS)
    history = ContextFinder(facts, ContextKey.RELATION, vocabulary)
    found = history.recent(world((4, 0, 4, 2))[0], [1, 0], 1)
    assert [rows.tolist() for rows in found] == [[], [1]]


def test_all_four_are_evaluated(make: Maker) -> None:
    graph, dataset = make(0)
    asked = dataset.splits[Split.TEST]
    found = evaluate(graph.facts, asked, dataset.vocabulary)
    for (heuristic, shared), ties in found.items():
        alone = rank(graph.facts, asked, dataset.vocabulary, heuristic, shared)
        assert (ties.better == alone.ties.better).all()
        assert (ties.tied == alone.ties.tied).all()
    assert len(found) == 4


def test_times_far_apart_count_as_well() -> None:
    facts, vocabulary = world((0, 0, 1, 10**9), (0, 0, 2, 10**12), (0, 0, 1, 10**15))
    asked, _ = world((0, 0, 1, 10**15 + 7))
    found = rank(facts, asked, vocabulary, Heuristic.RECENCY, ContextKey.PAIR)
    assert hits_of(found.ties)[1].expected == 1
