"""What rules lead to: as the published program finds it, by joins and by clingo."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest

from solver.graph.model import Quadruples, Vocabulary
from solver.graph.queries import Queries
from solver.rules.application import Application, RuleEngine, Settings
from solver.rules.ranks import Candidates

from .conftest import World


def every_query(world: World) -> Queries:
    """All queries there can be at any three times."""
    size = world.vocabulary
    grid = np.meshgrid(
        np.arange(size.entities), np.arange(2 * size.relations), (0, 4, size.times - 1)
    )
    head, relation, time = (column.reshape(-1).astype(np.int64) for column in grid)
    return Queries(head=head, relation=relation, time=time)


def answers(candidates: Candidates, query: int) -> dict[int, float]:
    rows = candidates.rows(query)
    return dict(zip(candidates.entity[rows].tolist(), candidates.score[rows].tolist(), strict=True))


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[pytest.mark.slow] * (seed > 7)) for seed in range(16)]
)
def test_candidates_are_the_published_programs(seed: int, world: Callable[..., World]) -> None:
    here = world(seed)
    queries = every_query(here)
    columns = zip(queries.head, queries.relation, queries.time, strict=True)
    asked = [(int(head), int(relation), int(time)) for head, relation, time in columns]
    for top_k in (0, 1, 2, 4):
        published = [here.published(*query, top_k) for query in asked]
        for engine in RuleEngine:
            settings = Settings(top_k=top_k, engine=engine)
            application = Application(here.table, here.graph, here.vocabulary, settings=settings)
            found = application.candidates(queries)
            assert len(found) == len(queries)
            for number, expected in enumerate(published):
                assert found.ruled[number] == bool(expected)
                if expected:
                    assert answers(found, number) == expected, engine


@pytest.mark.parametrize("engine", RuleEngine)
def test_groundings_with_distinct_facts(engine: RuleEngine, world: Callable[..., World]) -> None:
    differing = 0
    for seed in range(8 if engine is RuleEngine.FAST else 5):
        here = world(seed, facts=20)
        settings = Settings(top_k=0, engine=engine, distinct_facts=True)
        application = Application(here.table, here.graph, here.vocabulary, settings=settings)
        queries = every_query(here)
        found = application.candidates(queries)
        columns = (queries.head, queries.relation, queries.time)
        for number, (head, relation, time) in enumerate(np.stack(columns, axis=1).tolist()):
            expected = here.published(head, relation, time, 0, distinct=True)
            assert found.ruled[number] == bool(expected)
            if expected:
                assert answers(found, number) == expected
            differing += expected != here.published(head, relation, time, 0)
    assert differing > 10


def test_the_best_candidate_comes_first(world: Callable[..., World]) -> None:
    here = world(3)
    found = Application(here.table, here.graph, here.vocabulary).candidates(every_query(here))
    for query in range(len(found)):
        rows = found.rows(query)
        ordered = sorted(
            zip(-found.score[rows], found.entity[rows], strict=True),
        )
        assert [entity for _, entity in ordered] == found.entity[rows].tolist()


def test_later_facts_change_nothing(world: Callable[..., World]) -> None:
    here = world(5)
    queries = Queries.single(0, 0, 4)
    before = tuple(fact for fact in here.facts if fact[3] < 4)
    assert len(before) < len(here.facts)
    graphs = [here.graph, dataclasses.replace(here, facts=before).graph]
    candidates, other = (
        Application(here.table, graph, here.vocabulary, learned=here.graph).candidates(queries)
        for graph in graphs
    )
    assert answers(candidates, 0) == answers(other, 0)


def test_a_window_leaves_out_what_is_older(world: Callable[..., World]) -> None:
    for seed in range(6):
        here = world(seed)
        application = Application(
            here.table, here.graph, here.vocabulary, settings=Settings(window=2, top_k=0)
        )
        queries = every_query(here)
        queries = queries.take(np.flatnonzero(queries.time == 4))
        found = application.candidates(queries)
        cut = dataclasses.replace(here, facts=tuple(f for f in here.facts if 2 <= f[3] < 4))
        for number in range(len(queries)):
            expected = cut.published(int(queries.head[number]), int(queries.relation[number]), 4, 0)
            if expected:
                assert answers(found, number) == expected
            else:
                assert not found.ruled[number]


def test_without_rules_the_relations_objects_answer() -> None:
    here = World(
        vocabulary=Vocabulary(entities=5, relations=2, times=6),
        facts=((0, 0, 1, 0), (0, 0, 1, 1), (2, 0, 3, 1), (4, 1, 4, 2)),
        rules=(),
    )
    found = Application(here.table, here.graph, here.vocabulary).candidates(
        Queries(head=np.array([2, 2, 2]), relation=np.array([0, 3, 2]), time=np.array([2, 2, 0]))
    )
    assert answers(found, 0) == {1: 2 / 3, 3: 1 / 3}
    # Relation 3 is the inverse of 1 here, which leads from 4 to itself; 2 is that of 0.
    assert answers(found, 1) == {4: 1.0}
    assert answers(found, 2) == {0: 2 / 3, 2: 1 / 3}
    assert not found.ruled.any()


def test_a_relation_never_seen_is_answered_by_all_objects() -> None:
    vocabulary = Vocabulary(entities=3, relations=2, times=6)
    here = World(vocabulary=vocabulary, facts=((0, 0, 1, 0), (2, 0, 1, 1)), rules=())
    found = Application(here.table, here.graph, here.vocabulary).candidates(Queries.single(0, 1, 2))
    assert answers(found, 0) == {1: 0.5, 0: 0.25, 2: 0.25}


def test_a_query_is_each_once_with_its_facts() -> None:
    facts = Quadruples.of(np.array([[1, 0, 2, 5], [0, 1, 2, 4], [1, 0, 3, 5]]))
    queries, numbers = Queries.of(facts)
    assert queries.head.tolist() == [0, 1]
    assert queries.time.tolist() == [4, 5]
    assert numbers.tolist() == [1, 0, 1]


def test_no_queries_have_no_candidates(world: Callable[..., World]) -> None:
    here = world(1)
    nothing = np.empty(0, np.int64)
    found = Application(here.table, here.graph, here.vocabulary).candidates(
        Queries(head=nothing, relation=nothing, time=nothing)
    )
    assert len(found) == 0


@pytest.mark.parametrize("most", [1, 3])
def test_memory_changes_nothing(
    most: int, world: Callable[..., World], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = world(8)
    application = Application(here.table, here.graph, here.vocabulary)
    whole = application.candidates(every_query(here))
    monkeypatch.setattr("solver.rules.history.MOST_CHAINS", most)
    parted = application.candidates(every_query(here))
    assert parted.ruled.any()
    for column in ("offsets", "entity", "score", "ruled"):
        assert getattr(parted, column).tolist() == getattr(whole, column).tolist()


def test_the_order_of_a_file_decides_ties_alone(world: Callable[..., World]) -> None:
    """Rules of different confidence may be in any order."""
    for seed in range(8):
        here = world(seed)
        kept = {(rule.head, rule.confidence): rule for rule in here.rules}
        both = [tuple(kept.values()), tuple(kept.values())[::-1]]
        candidates, other = (
            Application(
                dataclasses.replace(here, rules=rules).table,
                here.graph,
                here.vocabulary,
                settings=Settings(top_k=2),
            ).candidates(every_query(here))
            for rules in both
        )
        assert candidates.entity.tolist() == other.entity.tolist()
        assert candidates.score.tolist() == other.score.tolist()
