"""The stopping criterion against lists that are sorted anew after each rule."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solver.rules.ranks import CandidateOrder, ScoreWeights, best_first, noisy_or

SCORES = st.sampled_from([0.25, 0.5, 0.75])
STEPS = st.lists(st.dictionaries(st.integers(0, 5), SCORES, min_size=1), max_size=12)


@given(STEPS, st.integers(1, 4), st.integers(1, 12))
def test_stops_when_sorted_lists_differ(
    steps: list[dict[int, float]], top_k: int, size: int
) -> None:
    standing = CandidateOrder(top_k)
    lists: dict[int, list[float]] = {}
    expected = None
    for number, step in enumerate(steps, 1):
        for candidate, score in step.items():
            lists[candidate] = sorted([*lists.get(candidate, []), score], reverse=True)
        first = sorted(lists.values(), reverse=True)[:top_k]
        apart = len(list(itertools.groupby(first))) >= top_k
        if apart:
            expected = number
            break
    for begin in range(0, len(steps), size):
        rows = [
            (candidate, -score, number if place == len(step) else 0)
            for number, step in enumerate(steps[begin : begin + size], begin + 1)
            for place, (candidate, score) in enumerate(step.items(), 1)
        ]
        found = standing.add(*zip(*rows, strict=True))
        assert found == (expected if expected and expected <= begin + size else None)
        if found:
            return


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(0, 1, width=32)), max_size=20))
def test_noisy_or_is_one_minus_the_product(pairs: list[tuple[int, float]]) -> None:
    groups = np.array([group for group, _ in pairs], dtype=np.int64)
    scores = np.array([score for _, score in pairs], dtype=np.float32)
    named, joined = noisy_or(groups, scores)
    assert named.tolist() == sorted(set(groups.tolist()))
    for group, score in zip(named, joined, strict=True):
        assert abs(score - (1 - np.prod(1 - scores[groups == group].astype(float)))) < 1e-6
        assert 0 <= score <= 1


TINY = st.sampled_from([0.0, 1e-30, 1e-12, 2.0**-53, 2.0**-24, 1 / 3, 0.5, 1.0])


@given(st.lists(st.tuples(st.sampled_from([0, 1, 2**31]), TINY), max_size=12), st.booleans())
def test_best_first_is_a_stable_sort(rows: list[tuple[int, float]], joined: bool) -> None:
    groups = np.array([group for group, _ in rows], dtype=np.int64)
    scores = np.array([score for _, score in rows], dtype=np.float64)
    if joined:
        scores = 1 - scores.astype(np.float32).astype(np.float64)
    listed = list(zip(groups.tolist(), (-scores).tolist(), strict=True))
    expected = sorted(range(len(rows)), key=listed.__getitem__)
    assert best_first(groups, scores).tolist() == expected


def test_a_score_weighs_confidence_and_recency() -> None:
    scores = ScoreWeights().score(np.array([1.0, 0.5]), np.array([0, 10]))
    assert scores.tolist() == [1.0, np.float32(0.25 + 0.5 * np.exp(-1))]
    assert ScoreWeights(alpha=1, rate=5).score(np.array([0.5]), np.array([3])).tolist() == [0.5]
