"""What is compared: by hand on a tiny graph, and the heuristics against a plain loop."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.tkg.calibration.objective import BASELINES, METRICS, Figures, measure_graph
from solver.graph.io import read_dataset
from solver.graph.model import Quadruples
from solver.graph.statistics import EmptyGraphError

TINY = Quadruples.of(np.array([[0, 0, 1, 0], [0, 0, 2, 1], [0, 1, 1, 2], [0, 0, 1, 9]]))


def test_a_tiny_graph_by_hand() -> None:
    found = measure_graph(TINY)
    degrees = [4, 3, 1]
    assert found.metrics == {
        "facts": 4,
        "entities": 3,
        "relations": 2,
        "steps": 10,
        "average_degree": 8 / 3,
        "events_per_step": 0.4,
        # Half the mean difference over the mean: pairs differ by 1, 3, 2, both ways, of 9.
        "gini_entities": pytest.approx((2 * 6 / 9) / (2 * 8 / 3)),
        "gini_relations": pytest.approx((2 * 2 / 4) / (2 * 2)),
        "density": 4 / 9,
        # Facts of the ten steps are 1, 1, 1 and 1; the last repeats the first.
        "events_spread": pytest.approx((0.4 * 0.6) ** 0.5),
        "largest_degree": 4,
        "largest_relation": 0.75,
        "self_loops": 0,
        "repetition": 0.25,
        **{f"degree_q{n}": pytest.approx(np.percentile(degrees, n)) for n in (25, 50, 75, 90, 99)},
    }
    # The query is (0, 0, ?, 9). By head it saw 1, 2, 1, the last one being 1; by pair 1 and then 2.
    assert found.baselines["frequency_entity_hits1"] == 1
    assert found.baselines["recency_entity_hits1"] == 1
    assert found.baselines["frequency_pair_hits1"] == 0.5
    assert found.baselines["recency_pair_hits1"] == 0
    assert found.baselines["recency_pair_hits3"] == 1
    assert set(found.metrics) == set(METRICS)
    assert tuple(found.baselines) == BASELINES


def test_how_times_are_counted_does_not_matter(facts: Quadruples, reference: Figures) -> None:
    hours = replace(facts, time=24 * facts.time + 1_000)
    assert measure_graph(hours) == reference


def test_heuristics_are_as_a_plain_loop_says(facts: Quadruples, reference: Figures) -> None:
    rows = sorted(map(tuple, facts.rows().tolist()), key=lambda row: (row[3], *row[:3]))
    queries = [row for row in rows if row[3] >= rows[0][3] + round(0.9 * 30)]
    assert len(queries) > 5
    for shared, columns in (("entity", 1), ("pair", 2)):
        for heuristic in ("frequency", "recency"):
            hits = dict.fromkeys((1, 3, 10), 0.0)
            for query in queries:
                seen = [
                    row for row in rows if row[:columns] == query[:columns] and row[3] < query[3]
                ][-25:]
                scores = (
                    Counter(row[2] for row in seen)
                    if heuristic == "frequency"
                    else {row[2]: row[3] for row in seen}
                )
                if query[2] not in scores:
                    continue
                own_score = scores[query[2]]
                better = sum(score > own_score for score in scores.values())
                tied = sum(score == own_score for score in scores.values())
                for cut in hits:
                    hits[cut] += min(max((cut - better) / tied, 0), 1)
            for cut, total in hits.items():
                name = f"{heuristic}_{shared}_hits{cut}"
                assert reference.baselines[name] == pytest.approx(total / len(queries))


def test_a_graph_without_facts_is_refused() -> None:
    with pytest.raises(EmptyGraphError):
        measure_graph(Quadruples.of(np.empty((0, 4), np.int64)))


def test_a_graph_of_one_time_is_measured() -> None:
    found = measure_graph(TINY.take(slice(0, 1)))
    assert found.metrics["steps"] == 1
    assert set(found.baselines.values()) == {0.0}


def test_icews14_is_as_table_1_has_it(shared: Path) -> None:
    found = measure_graph(read_dataset(shared / "data" / "icews14").facts()).metrics
    names = ("facts", "entities", "relations", "steps", "average_degree", "events_per_step")
    assert [round(found[name], 2) for name in names] == [90_730, 7_128, 230, 365, 25.46, 248.58]
    assert found["gini_entities"] == pytest.approx(0.85, abs=0.005)
    assert found["gini_relations"] == pytest.approx(0.88, abs=0.005)
