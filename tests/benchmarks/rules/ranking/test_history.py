"""What came before: against loops over all facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from benchmarks.rules.ranking.groups import (
    Grouping,
    bins,
    frequency_inverse,
    grouped,
    temporal_inverse,
)
from benchmarks.rules.ranking.queries import SplitQueries, overlap, repetitions
from solver.graph.model import Dataset, Split

GraphMaker = Callable[[int], Dataset]
SEEDS = range(5)


def facts_of(queries: SplitQueries) -> list[tuple[int, ...]]:
    return sorted({tuple(row) for row in queries.dataset.facts().rows().tolist()})


@pytest.mark.parametrize("seed", SEEDS)
def test_repetitions(graph_of: GraphMaker, seed: int) -> None:
    queries = SplitQueries.of(graph_of(seed), Split.TEST)
    facts = facts_of(queries)
    slow = [
        sum(other[:3] == (s, r, o) and other[3] < t for other in facts)
        for s, r, o, t in queries.event().rows().tolist()
    ]
    assert repetitions(queries).tolist() == slow
    assert max(slow) > 0


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("split", Split)
def test_frequency_inverse(graph_of: GraphMaker, seed: int, split: Split) -> None:
    queries = SplitQueries.of(graph_of(seed), split)
    facts = facts_of(queries)
    slow = []
    for s, r, _, t in queries.event().rows().tolist():
        counts = Counter(other[:2] for other in facts if other[3] < t)
        slow.append(1 - counts[s, r] / max(counts.values(), default=1))
    assert frequency_inverse(queries).tolist() == pytest.approx(slow)


@pytest.mark.parametrize("seed", SEEDS)
def test_temporal_inverse(graph_of: GraphMaker, seed: int) -> None:
    queries = SplitQueries.of(graph_of(seed), Split.TEST)
    slow = []
    for s, r, o, t in queries.event().rows().tolist():
        earlier = [f[3] for f in facts_of(queries) if f[:3] == (s, r, o) and f[3] < t]
        slow.append(1 - np.exp(-0.3 * (t - max(earlier))) if earlier else 1.0)
    assert temporal_inverse(queries, decay=0.3).tolist() == pytest.approx(slow)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("window", [1, 3, 200])
def test_overlap(graph_of: GraphMaker, seed: int, window: int) -> None:
    queries = SplitQueries.of(graph_of(seed), Split.TEST)

    def neighbours(entity: int, time: int) -> set[int]:
        near = [f for f in facts_of(queries) if time - window <= f[3] < time]
        return {f[2] for f in near if f[0] == entity} | {f[0] for f in near if f[2] == entity}

    slow = []
    for s, _, o, t in queries.event().rows().tolist():
        both = neighbours(s, t) | neighbours(o, t)
        slow.append(len(neighbours(s, t) & neighbours(o, t)) / len(both) if both else 0.0)
    found = overlap(queries, window=window)
    assert found.tolist() == pytest.approx(slow)
    assert max(slow) > 0


def test_time_in_hours_counts_as_time_in_days(graph: Dataset) -> None:
    """A day written as 24 hours changes nothing: windows and decays count steps."""
    hours = Dataset(
        name="graph",
        vocabulary=graph.vocabulary,
        splits={
            split: type(facts)(
                head=facts.head, relation=facts.relation, tail=facts.tail, time=facts.time * 24
            )
            for split, facts in graph.splits.items()
        },
    )
    first, second = (SplitQueries.of(dataset, Split.TEST) for dataset in (graph, hours))
    assert overlap(first, window=3).tolist() == overlap(second, window=3).tolist()
    assert temporal_inverse(first).tolist() == pytest.approx(temporal_inverse(second).tolist())


def test_bins_share_values_at_edges_only_if_closed() -> None:
    values = np.array([0.0, 0.1, 0.2, 0.7, 0.999, 1.0])
    half = {name: int(mask.sum()) for name, mask in bins(values)}
    shut = {name: int(mask.sum()) for name, mask in bins(values, closed=True)}
    assert sum(half.values()) == len(values)
    assert half["[0.0, 0.1)"] == 1
    assert half["[0.9, 1.0]"] == 2
    assert shut["[0.0, 0.1]"] == 2
    assert sum(shut.values()) == len(values) + 3


def test_groups_of_a_kind_partition_events(queries: SplitQueries) -> None:
    values = np.linspace(0, 1, queries.events)
    groups = grouped(queries, values)
    for grouping in Grouping:
        covered = np.sum([group.members for group in groups if group.grouping is grouping], axis=0)
        striking = grouping is Grouping.STRIKING_OVERLAP
        expected = values >= 0.6 if striking else np.ones(queries.events)
        assert covered.tolist() == expected.astype(int).tolist(), grouping
    without = {group.grouping for group in grouped(queries, None)}
    assert Grouping.STRIKINGNESS not in without
    assert Grouping.REPETITION in without
