"""Multi-hop scoring: loops over paths, the graph itself, and scores of a forecaster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.predictions import Predictions, match_predictions
from benchmarks.questions.inputs import TwoHops
from benchmarks.questions.multi_hop import (
    Edges,
    ForecastEdges,
    KnownEdges,
    MultiHopScorer,
    ScoredEdges,
)
from benchmarks.questions.run import CERTAIN, Basis, answer
from benchmarks.questions.scores import evaluate, score
from solver.graph.model import Dataset, Ids, Quadruples, Vocabulary
from solver.graph.queries import Queries
from solver.rules.ranks import Scores
from solver.rules.score_folders import write_scores

ENTITIES, RELATIONS = 5, 2
WORDS = Vocabulary(entities=ENTITIES, relations=RELATIONS, times=3)


class RandomEdges:
    """A probability for each fact, some of them 0."""

    certain = False

    def __init__(self, seed: int) -> None:
        source = np.random.default_rng(seed)
        self.table = source.random((ENTITIES, 2 * RELATIONS, ENTITIES))
        self.table[source.random(self.table.shape) < 0.4] = 0

    def ends(self, asked: Queries) -> Scores:
        found: Scores = self.table[asked.head, asked.relation].copy()
        return found


def column(*values: int) -> Ids:
    return np.array(values, dtype=np.int64)


def ordered(scores: dict[int, float]) -> list[int]:
    """Entities with a positive score, the best first."""
    return sorted(
        (number for number in scores if scores[number] > 0), key=lambda number: -scores[number]
    )


def scorer(edges: Edges, most: int = ENTITIES) -> MultiHopScorer:
    return MultiHopScorer(edges, WORDS, most=most)


@pytest.mark.parametrize("seed", range(20))
def test_scores_are_sums_over_paths(seed: int) -> None:
    edges = RandomEdges(seed)
    chance = edges.table
    asked = [
        (h, r, q) for h, r, q in product(range(ENTITIES), range(4), range(4)) if (h + r + q) % 3
    ]
    head, given, wanted = (column(*values) for values in zip(*asked, strict=True))
    time = np.zeros_like(head)
    found = scorer(edges).two_hop(TwoHops(head=head, given=given, asked=wanted, time=time))
    compared = 0
    for (h, r, q), ranking in zip(asked, found, strict=True):
        slow = {
            e: 1
            - prod(
                1 - chance[h, r, m] * chance[m, q, e] for m in range(ENTITIES) if m not in (h, e)
            )
            for e in range(ENTITIES)
            if e != h
        }
        expected = ordered(slow)
        assert ranking.tolist() == expected
        compared += len(expected) > 1
    assert compared > 20
    for place, ranking in enumerate(
        scorer(edges, 3).one_hop(Queries(head=head, relation=given, time=time))
    ):
        row = dict(enumerate(chance[head[place], given[place]].tolist()))
        assert ranking.tolist() == ordered(row)[:3]
    facts = Quadruples(head=head, relation=given % RELATIONS, tail=wanted, time=time)
    rows = zip(*(array.tolist() for array in (facts.head, facts.relation, facts.tail)), strict=True)
    means = [(chance[h, r, t] + chance[t, r + RELATIONS, h]) / 2 for h, r, t in rows]
    assert scorer(edges).fact_confidence(facts) == pytest.approx(means)


@pytest.mark.parametrize("seed", range(4))
def test_the_graph_itself_answers_as_the_oracle_does(
    world: Callable[[int], Any], seed: int
) -> None:
    made = world(seed)
    asked, ids = made.asked(), [question.id for question in made.questions]
    found = answer(asked, made.means(Basis.MULTI_HOP), CERTAIN)
    predictions = Predictions(
        name="", answers=dict(zip(ids, found, strict=True)), places=dict.fromkeys(ids, "")
    )
    evaluated = evaluate(made.questions, match_predictions(predictions, ids, "question"))
    parts = score(evaluated, details=False, resamples=1).parts
    assert "1-hop" in parts
    for name in {*parts} - {"fact-reasoning"}:
        assert {figure.value for figure in parts[name].figures.values()} == {1.0}
    # Nothing but the answers is listed.
    oracle = answer(asked, made.means(None), CERTAIN)
    for names, other, question in zip(found, oracle, asked, strict=True):
        assert question.query.kind.value == "fact-reasoning" or set(names) == set(other)


def published(facts: list[tuple[int, int, int]], head: int, wanted: int) -> dict[int, float]:
    """The first step of the published formula: means over all facts of an entity; gamma is 1/2."""
    scores = {}
    for entity in range(ENTITIES):
        into = [(s, r) for s, r, o in facts if o == entity]
        terms = [0.5 * (s == head) + (s == head and r == wanted) for s, r in into]
        if entity != head and into:
            scores[entity] = sum(terms) / len(terms)
    return scores


def test_the_published_average_misses_what_the_graph_states() -> None:
    """0 does r0 with 1, of whom there are four facts more, and r1 with 2."""
    rows = [(0, 0, 1), (0, 1, 2), (3, 1, 1), (4, 1, 1), (3, 0, 1), (4, 0, 1)]
    average = published(rows, 0, 0)
    assert average[2] > average[1]
    known = KnownEdges(Quadruples.of(np.array([(*row, 0) for row in rows])), WORDS)
    asked = Queries.single(0, 0, 0)
    assert [array.tolist() for array in scorer(known).one_hop(asked)] == [[1]]


class Counted:
    """A forecaster of invented scores; each query may be asked once."""

    def fit(self, graph: Dataset, **given: Any) -> None:
        raise NotImplementedError

    def score(self, queries: Queries) -> Iterator[tuple[Ids, Any]]:
        rows = list(
            zip(
                *(array.tolist() for array in (queries.head, queries.relation, queries.time)),
                strict=True,
            )
        )
        assert len(set(rows)) == len(rows)
        for _, places in queries.by_time():
            yield places, np.stack([invented(*rows[n]) for n in places.tolist()])


def invented(head: int, relation: int, time: int) -> Any:
    source = np.random.default_rng((head, relation, time))
    return (5 * source.random(ENTITIES)).astype(np.float32)


def test_probabilities_are_the_softmax_of_scores(tmp_path: Path) -> None:
    asked = Queries(head=column(1, 1, 0, 1), relation=column(2, 0, 3, 2), time=column(0, 2, 1, 0))
    rows = list(zip(asked.head.tolist(), asked.relation.tolist(), asked.time.tolist(), strict=True))
    expected = np.stack([np.exp(invented(*row)) / np.exp(invented(*row)).sum() for row in rows])
    found = ForecastEdges(Counted(), ENTITIES).ends(asked)
    assert found == pytest.approx(expected, rel=1e-5)
    keys = np.array([rows[1], rows[0]])
    shards = [(keys[n : n + 1], invented(*rows[1 - n])[None]) for n in range(2)]
    write_scores(tmp_path / "scores", shards, entities=ENTITIES)
    read = ScoredEdges(tmp_path / "scores", Dataset(name="small", vocabulary=WORDS)).ends(asked)
    assert read[[0, 1, 3]] == pytest.approx(expected[[0, 1, 3]], rel=1e-5)
    assert not read[2].any()
