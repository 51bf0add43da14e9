"""How like two graphs are, compared with plain loops."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from solver.graph.io import read_dataset
from solver.graph.model import Quadruples
from solver.graph.statistics import (
    DISTANCES,
    FIGURES,
    EmptyGraphError,
    PeriodError,
    distances,
    graph_profile,
    kolmogorov_smirnov,
)


def random_graph(seed: int) -> Quadruples:
    random = np.random.default_rng(seed)
    size = int(random.integers(1, 60))
    sides = (int(random.integers(1, 9)), int(random.integers(1, 4)))
    columns = [random.integers(0, sides[column % 2], size) for column in range(3)]
    times = 5 + 2 * random.integers(0, int(random.integers(1, 30)), size)
    return Quadruples.of(np.unique(np.stack((*columns, times), axis=1), axis=0))


def brute_ks(first: list[int], second: list[int]) -> float:
    return max(
        abs(sum(x <= v for x in first) / len(first) - sum(x <= v for x in second) / len(second))
        for v in (*first, *second)
    )


@pytest.mark.parametrize("seed", range(150))
def test_figures_and_distances_are_those_of_plain_loops(seed: int) -> None:
    graphs = [random_graph(seed), random_graph(seed + 1_000)]
    measured = []
    for facts in graphs:
        rows = facts.rows().tolist()
        profile = graph_profile(facts, 3)
        times = sorted({row[3] for row in rows})
        step = int(np.gcd.reduce(np.diff(times))) if len(times) > 1 else 1
        place = [(row[3] - times[0]) // step for row in rows]
        steps = max(place) + 1
        degrees = Counter(end for row in rows for end in (row[0], row[2]))
        relations = Counter(row[1] for row in rows)
        events = [place.count(n) for n in range(steps)]
        assert profile.degrees.tolist() == sorted(degrees.values())
        assert profile.relations.tolist() == sorted(relations.values())
        assert profile.events.tolist() == events
        shares = [sum(p % 3 == n for p in place) / len(rows) for n in range(3)]
        assert profile.period == pytest.approx(shares)
        again = [any(o[:3] == row[:3] and o[3] < row[3] for o in rows) for row in rows]
        pairs = [
            any((o[0], o[2]) == (row[0], row[2]) and o[3] < row[3] for o in rows) for row in rows
        ]
        assert profile.pair_repetition == pytest.approx(np.mean(pairs))
        late = min(round(0.9 * steps), steps - 1)
        seen = {
            end for row, p in zip(rows, place, strict=True) if p < late for end in (row[0], row[2])
        }
        new = [
            not {row[0], row[2]} <= seen for row, p in zip(rows, place, strict=True) if p >= late
        ]
        expected = {
            "facts": len(rows),
            "entities": len(degrees),
            "relations": len(relations),
            "steps": steps,
            "events_spread": np.std(events),
            "largest_degree": max(degrees.values()),
            "largest_relation": max(relations.values()) / len(rows),
            "self_loops": np.mean([row[0] == row[2] for row in rows]),
            "repetition": np.mean(again),
            "novelty": np.mean(new),
        }
        assert {name: profile.figures[name] for name in expected} == pytest.approx(expected)
        assert set(profile.figures) == set(FIGURES)
        measured.append((profile, [list(degrees.values()), list(relations.values()), events]))
    (first, counts), (second, others) = measured
    found = distances(first, second)
    expected_ks = [brute_ks(a, b) for a, b in zip(counts, others, strict=True)]
    assert [found[name] for name in ("degree_ks", "relation_ks", "events_ks")] == pytest.approx(
        expected_ks
    )
    apart = [abs(a - b) / max(b, 0.01) for a, b in zip(first.period, second.period, strict=True)]
    assert found["period"] == pytest.approx(max(apart))
    assert set(found) == set(DISTANCES)
    assert set(distances(first, first).values()) == {0.0}


def test_numbers_without_overlap_have_the_distance_1() -> None:
    assert kolmogorov_smirnov(np.array([1, 2]), np.array([3])) == 1
    assert kolmogorov_smirnov(np.array([1, 3]), np.array([1, 2, 3, 3])) == pytest.approx(0.25)


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(EmptyGraphError):
        graph_profile(Quadruples.of(np.empty((0, 4), np.int64)))
    facts = random_graph(0)
    with pytest.raises(PeriodError, match="found a period of 0 steps"):
        graph_profile(facts, 0)
    with pytest.raises(PeriodError, match="found periods of 7 and 3 steps"):
        distances(graph_profile(facts), graph_profile(facts, 3))


def test_icews14_has_the_stated_figures(shared: Path) -> None:
    figures = graph_profile(read_dataset(shared / "data" / "icews14").facts()).figures
    assert figures["largest_degree"] == 6_083
    assert figures["largest_relation"] == pytest.approx(0.172, abs=0.0005)
    assert figures["events_spread"] == pytest.approx(75.5, abs=0.05)
    assert figures["self_loops"] == pytest.approx(0.00001, abs=0.000002)
