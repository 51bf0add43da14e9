"""Recurrency: its scores against a loop over all facts, and what they must not see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.rules.ranking.queries import Filter, FilteredAnswers, SplitQueries
from benchmarks.rules.ranking.recurrency import Form, Recurrency, Settings, tuned
from solver.graph.model import Dataset, Split

GraphMaker = Callable[[int], Dataset]


def slow_score(queries: SplitQueries, settings: Settings, query: int, entity: int) -> float:
    s, r, _, t = queries.asked.rows()[query].tolist()
    facts = queries.dataset.facts().both_ways(queries.dataset.vocabulary.relations).rows().tolist()
    earlier = [fact for fact in facts if fact[1] == r and fact[3] < t]
    last = [k for head, _, o, k in earlier if (head, o) == (s, entity)]
    strict = 2.0 ** (-settings.decay * (t - max(last))) if last else 0.0
    relaxed = sum(o == entity for _, _, o, _ in earlier) / len(earlier) if earlier else 0.0
    match settings.form:
        case Form.STRICT:
            return strict
        case Form.RELAXED:
            return relaxed
        case Form.COMBINED:
            return settings.share * strict + (1 - settings.share) * relaxed


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("split", [Split.TRAIN, Split.TEST])
def test_scores(graph_of: GraphMaker, seed: int, form: Form, split: Split) -> None:
    queries = SplitQueries.of(graph_of(seed), split)
    settings = Settings(form=form, decay=0.4, share=0.7)
    rows = np.arange(len(queries))[::-1]
    found = Recurrency(queries, settings).block(rows)
    slow = [
        [slow_score(queries, settings, query, entity) for entity in range(queries.entities)]
        for query in rows.tolist()
    ]
    assert found == pytest.approx(np.array(slow))
    assert 0 <= found.min() < found.max() <= 1


def test_nothing_of_the_time_asked_or_later_is_seen(graph: Dataset) -> None:
    """Other facts at and after a query's time leave its scores as they are."""
    queries = SplitQueries.of(graph, Split.TEST)
    test = graph.splits[Split.TEST]
    first = int(test.time.min())
    moved = replace(test, tail=np.where(test.time > first, (test.tail + 1) % 6, test.tail))
    other = SplitQueries.of(
        Dataset(
            name="graph",
            vocabulary=graph.vocabulary,
            splits={**graph.splits, Split.TEST: moved.distinct()},
        ),
        Split.TEST,
    )
    settings = Settings(decay=0.4, share=0.7)
    for at in np.flatnonzero((queries.asked.time == first)[: queries.events]).tolist():
        fact = queries.asked.take(np.array([at]))
        scores = [
            Recurrency(split_queries, settings).block(split_queries.rows_of(fact)).tolist()
            for split_queries in (queries, other)
        ]
        assert scores[0] == scores[1]


def test_tuning_takes_the_best(graph: Dataset) -> None:
    valid = SplitQueries.of(graph, Split.VALID)
    found = tuned(valid, FilteredAnswers(valid, Filter.TIME_AWARE))
    assert found.form is Form.COMBINED
