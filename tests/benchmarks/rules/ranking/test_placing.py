"""Places of answers: against sorting by hand, under each filter, with ties broken each way."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest

from benchmarks.metrics.ranking import expected_hits, expected_reciprocal, mrr
from benchmarks.rules.ranking.models import ScoreError, place
from benchmarks.rules.ranking.queries import Filter, FilteredAnswers, SplitQueries
from solver.graph.model import Dataset, Split
from solver.graph.queries import Ranks, Tie


class Given:
    """Scores from an array, a row a query."""

    model = "given"

    def __init__(self, scores: np.ndarray) -> None:
        self.scores = scores

    def block(self, rows: np.ndarray) -> np.ndarray:
        return self.scores[rows].copy()


def known_answers(queries: SplitQueries, filter: Filter, query: int) -> set[int]:
    """The slow way: look at every fact."""
    s, r, _, t = queries.asked.rows()[query].tolist()
    facts = queries.dataset.facts().both_ways(queries.dataset.vocabulary.relations).rows()
    return {
        o
        for head, relation, o, time in facts.tolist()
        if (head, relation) == (s, r)
        and (filter is Filter.STATIC or (filter is Filter.TIME_AWARE and time == t))
    }


@pytest.mark.parametrize("filter", Filter)
@pytest.mark.parametrize("seed", range(6))
def test_places_are_those_of_the_slow_way(
    graph_of: Callable[[int], Dataset], seed: int, filter: Filter
) -> None:
    queries = SplitQueries.of(graph_of(seed), Split.TEST)
    source = np.random.default_rng(seed)
    scores = source.integers(0, 4, (len(queries), queries.entities)).astype(np.float64)
    filtered = FilteredAnswers(queries, filter)
    found = place(Given(scores), queries, filtered)
    candidates = filtered.candidates(queries.entities)
    for query in range(len(queries)):
        answer = int(queries.asked.tail[query])
        others = known_answers(queries, filter, query) - {answer}
        left = [scores[query, e] for e in range(queries.entities) if e not in others]
        own_score = scores[query, answer]
        assert candidates[query] == len(left)
        assert found.better[query] == sum(score > own_score for score in left)
        assert found.tied[query] == sum(score == own_score for score in left)


def test_filters_differ_here(queries: SplitQueries) -> None:
    counts = [
        FilteredAnswers(queries, value).candidates(queries.entities).sum() for value in Filter
    ]
    raw, static, timely = counts
    assert static < timely < raw


@pytest.mark.parametrize(("better", "tied"), [(0, 1), (0, 3), (2, 1), (2, 4), (9, 4), (12, 2)])
def test_ties_against_all_orders(better: int, tied: int) -> None:
    """Every order of the tied ones, the answer being the first of them."""
    ranks = [better + order.index(0) + 1 for order in permutations(range(tied))]
    found = Ranks(better=np.array([better]), tied=np.array([tied]))
    assert found.values(Tie.OPTIMISTIC)[0] == min(ranks)
    assert found.values(Tie.PESSIMISTIC)[0] == max(ranks)
    assert found.values(Tie.REALISTIC)[0] == pytest.approx(np.mean(ranks))
    assert expected_reciprocal(found)[0] == pytest.approx(np.mean([1 / rank for rank in ranks]))
    for cut in (1, 3, 10):
        share = np.mean([rank <= cut for rank in ranks])
        assert expected_hits(found, cut)[0] == pytest.approx(share)
        low, high = (found.values(tie)[0] <= cut for tie in (Tie.PESSIMISTIC, Tie.OPTIMISTIC))
        assert low <= share <= high
    realistic = mrr(found.values(Tie.REALISTIC))
    assert realistic <= expected_reciprocal(found)[0] + 1e-12


@pytest.mark.parametrize("broken", [np.nan, np.inf, -np.inf])
def test_scores_that_are_no_number_are_refused(queries: SplitQueries, broken: float) -> None:
    scores = np.ones((len(queries), queries.entities))
    scores[3, 2] = broken
    with pytest.raises(ScoreError, match="entity 2 scores") as caught:
        place(Given(scores), queries, FilteredAnswers(queries, Filter.RAW))
    row = ", ".join(map(str, queries.asked.rows()[3].tolist()))
    assert f"({row})" in str(caught.value)
