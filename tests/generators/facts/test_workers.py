"""CommaSeparated processes answer as one does; a killed one is reported."""

from __future__ import annotations

from collections.abc import Iterator
from multiprocessing import active_children

import numpy as np
import pytest

from generators.facts.oracle import PredictorPool, RulePredictor, predictor_pool
from solver.graph.model import Quadruples, Vocabulary
from solver.graph.queries import Queries
from solver.processes import WorkerDiedError
from solver.rules.application import Application
from solver.rules.model import Rule, RuleTable

WORDS = Vocabulary(entities=50, relations=2, times=9)


def facts(time: int) -> Quadruples:
    chance = np.random.Generator(np.random.PCG64(time))
    columns = (chance.integers(0, n, 60) for n in (50, 2, 50))
    return Quadruples.of(np.stack((*columns, np.full(60, time)), axis=1))


def predictor() -> RulePredictor:
    rules = [
        Rule(head=0, body=(1,), rule_support=1, body_support=2),
        Rule(head=0, body=(0, 1), rule_support=1, body_support=3),
        Rule(head=1, body=(2,), rule_support=2, body_support=3),
    ]
    return RulePredictor(Application(RuleTable.of(rules), facts(0), WORDS))


def queries(time: int) -> Queries:
    heads = np.arange(100) % 50
    return Queries(head=heads, relation=np.arange(100) // 50, time=np.full(100, time))


@pytest.fixture(scope="module")
def two() -> Iterator[PredictorPool]:
    with predictor_pool(predictor(), 2) as both:
        yield both


def test_two_processes_answer_as_one(two: PredictorPool) -> None:
    alone = predictor()
    for time in (1, 2, 3):
        candidates, both = alone.predict(queries(time)), two.predict(queries(time))
        for column in ("offsets", "entity", "score", "rule"):
            assert np.array_equal(getattr(candidates, column), getattr(both, column)), column
        assert len(candidates.entity) > 20
        alone.learn(facts(time))
        two.learn(facts(time))


def test_the_best_rule_has_the_highest_score() -> None:
    expected = predictor().predict(queries(1))
    events = predictor().application.events(queries(1))
    for query in range(100):
        for row in range(expected.offsets[query], expected.offsets[query + 1]):
            mine = (events.query == query) & (events.entity == expected.entity[row])
            best = events.score[mine].max()
            assert expected.rule[row] in events.rule[mine][events.score[mine] == best]
            together = 1 - np.prod(1 - events.score[mine].astype(float))
            assert expected.score[row] == pytest.approx(together, abs=1e-6)


def test_a_killed_process_is_reported() -> None:
    before = set(active_children())
    with predictor_pool(predictor(), 2) as both:
        (child,) = set(active_children()) - before
        child.kill()
        child.join()
        with pytest.raises(WorkerDiedError, match="worker process was killed"):
            both.predict(queries(1))
