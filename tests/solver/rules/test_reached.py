"""What bodies reach, compared with every choice of facts, and when rules stop."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.rules.history import History, reach, reach_next
from solver.rules.ranks import Events, StoppingRule

from .conftest import World


@pytest.mark.parametrize("most", [1, 1_000_000])
def test_ends_are_those_of_every_choice_of_facts(
    most: int, world: Callable[..., World], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.rules.history.MOST_CHAINS", most)
    lengths = dict.fromkeys((1, 2, 3), 0)
    for seed in range(150):
        here = world(seed, facts=14, rules=6)
        chance = random.Random(seed)
        rules = [rule for rule in here.rules for _ in range(2)]
        heads = [chance.randrange(here.vocabulary.entities) for _ in rules]
        time = chance.randint(4, here.vocabulary.times)
        expected: dict[tuple[int, int], int] = {}
        for number, (rule, head) in enumerate(zip(rules, heads, strict=True)):
            for facts in here.groundings(rule, head, time):
                key = number, facts[-1][2]
                expected[key] = max(expected.get(key, -1), facts[0][3])
                lengths[len(facts)] += 1
        if not rules:
            continue
        table = World(vocabulary=here.vocabulary, facts=(), rules=tuple(rules)).table
        history = History.of(here.graph, here.vocabulary).between(0, time)
        found = reach(history, np.array(heads, dtype=np.int64), table.body, table.same)
        columns = (found.asker.tolist(), found.entity.tolist(), found.time.tolist())
        triples = list(zip(*columns, strict=True))
        assert triples == [(*key, expected[key]) for key in sorted(expected)]
    assert min(lengths.values()) > 200


def test_numbers_are_those_of_the_triples(world: Callable[..., World]) -> None:
    found = 0
    for seed in range(30):
        here = world(seed, facts=14, rules=1)
        size = here.vocabulary
        history = History.of(here.graph, size)
        triples = sorted({fact[:3] for fact in here.both_ways()})
        sizes = (size.entities, 2 * size.relations, size.entities)
        every = list(itertools.product(*map(range, sizes)))
        numbers, known = history.numbers(*np.array(every, dtype=np.int64).T)
        assert [indices for indices, some in zip(every, known, strict=True) if some] == triples
        assert numbers[known].tolist() == list(range(len(triples)))
        found += len(triples)
    assert found > 100


def test_one_step_before_times_of_their_own(world: Callable[..., World]) -> None:
    found = 0
    for seed in range(150):
        here = world(seed, facts=14, rules=6)
        chance = random.Random(seed)
        asked = [
            (fact[0], fact[1], chance.randint(0, here.vocabulary.times))
            for fact in sorted(here.both_ways())
        ]
        window = chance.randint(0, 3)
        latest: dict[tuple[int, int], int] = {}
        for number, (head, relation, before) in enumerate(asked):
            for s, r, o, t in here.both_ways():
                if (
                    (s, r) == (head, relation)
                    and t < before
                    and (not window or t >= before - window)
                ):
                    latest[number, o] = max(latest.get((number, o), -1), t)
        heads, relations, times = np.array(asked, dtype=np.int64).reshape(-1, 3).T
        history = History.of(here.graph, here.vocabulary)
        entities = reach_next(history, heads, relations, times, window)
        columns = (entities.asker.tolist(), entities.entity.tolist(), entities.time.tolist())
        assert list(zip(*columns, strict=True)) == [(*key, latest[key]) for key in sorted(latest)]
        found += len(latest)
    assert found > 1000


SCORES = st.sampled_from([0.125, 0.25, 0.5, 0.75])
STEPS = st.lists(
    st.tuples(st.integers(0, 1), st.dictionaries(st.integers(0, 6), SCORES, min_size=1)),
    max_size=20,
)


@given(STEPS, st.integers(1, 4), st.integers(1, 6))
def test_rules_in_batches_stop_as_one_by_one(
    steps: list[tuple[int, dict[int, float]]], top_k: int, size: int
) -> None:
    stopping = StoppingRule(2, 7, top_k)
    lists: list[dict[int, list[float]]] = [{}, {}]
    finished: set[int] = set()
    for begin in range(0, len(steps), size):
        batch = [
            (query, rule, entity, score)
            for query in {0, 1} - finished
            for rule, (asked, scores) in enumerate(steps[begin : begin + size], begin)
            if asked == query
            for entity, score in sorted(scores.items())
        ]
        expected, ended = [], set()
        for (query, _), rows in itertools.groupby(batch, key=lambda row: row[:2]):
            if query in ended:
                continue
            for row in rows:
                expected.append(row)
                lists[query].setdefault(row[2], []).append(row[3])
            ordered = sorted(sorted(value, reverse=True) for value in lists[query].values())
            first = ordered[::-1][:top_k]
            if len(list(itertools.groupby(first))) >= top_k:
                ended.add(query)
        columns = np.array(batch, dtype=float).reshape(-1, 4).T
        query, rule, entity = columns[:3].astype(np.int64)
        events = Events(
            query=query, rule=rule, entity=entity, time=entity, score=columns[3].astype(np.float32)
        )
        kept, done = stopping.apply(events)
        assert list(zip(kept.query, kept.rule, kept.entity, kept.score, strict=True)) == expected
        assert done.tolist() == sorted(ended)
        finished |= ended
