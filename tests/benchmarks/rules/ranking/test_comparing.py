"""Agreement, the sweep over b, intervals and tests: against slow ways and known cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu, ttest_ind

from benchmarks.metrics.bootstrap import bootstrap
from benchmarks.metrics.ranking import mrr
from benchmarks.rules.ranking.comparison import BIASES, agreement, agreements, best, compare, sweep
from benchmarks.rules.ranking.groups import weights_of

EVENTS = 40


def drawn(seed: int, models: int = 3) -> tuple[dict[str, np.ndarray], np.ndarray]:
    source = np.random.default_rng(seed)
    ranks = {f"m{n}": source.integers(1, 9, 2 * EVENTS).astype(np.float64) for n in range(models)}
    return ranks, source.random(EVENTS)


@given(st.lists(st.lists(st.integers(1, 6), min_size=5, max_size=5), min_size=1, max_size=6))
def test_agreement_counts(rows: list[list[int]]) -> None:
    ranks = [np.array(row, dtype=np.float64) for row in rows]
    found = agreement(ranks)
    for n, share in enumerate(found, 1):
        slow = sum(sum(row[q] <= 3 for row in rows) >= n for q in range(5)) / 5
        assert share == pytest.approx(slow)
    assert list(found) == sorted(found, reverse=True)


def test_agreement_by_closed_bins() -> None:
    ranks, _ = drawn(1)
    values = np.concatenate([np.full(10, 0.1), np.full(30, 0.45)])
    every, low, second, middle = agreements(list(ranks.values()), values)
    assert (every.events, low.events, second.events, middle.events) == (40, 10, 10, 30)
    assert low.shares == second.shares
    assert every.shares[0] == pytest.approx((10 * low.shares[0] + 30 * middle.shares[0]) / 40)


def test_a_sweep_weighs_as_the_metric_does() -> None:
    ranks, values = drawn(2)
    found = sweep(ranks, values)
    for name, rank in ranks.items():
        slow = [mrr(rank, weights_of(values, bias=b)) for b in BIASES]
        assert found.curves[name] == pytest.approx(slow)


def test_models_change_places_at_crossings_and_nowhere_else() -> None:
    met = 0
    for seed in range(90):
        ranks, values = drawn(seed, models=2)
        (first, second), crossings = ranks.values(), sweep(ranks, values).crossings

        def ahead(bias: float, a: np.ndarray, b: np.ndarray, sk: np.ndarray) -> bool:
            weights = weights_of(sk, bias=bias)
            return mrr(a, weights) > mrr(b, weights)

        if not crossings:
            ends = {ahead(b, first, second, values) for b in (1e-9, 0.1, 1.0, 10.0, 1e6)}
            assert len(ends) == 1
            continue
        (crossing,) = crossings
        met += 1
        below, above = ranks[crossing.below], ranks[crossing.above]
        assert ahead(crossing.bias * 0.99, below, above, values)
        assert ahead(crossing.bias * 1.01, above, below, values)
    assert met >= 5


def test_intervals_contain_the_mean_and_shrink() -> None:
    source = np.random.default_rng(0)
    small = source.random((2, 60))
    large = np.concatenate([np.tile(half, 20) for half in np.split(small, 2, axis=1)], axis=1)
    first, second = (
        bootstrap(array, np.ones(array.shape[1]), resamples=400) for array in (small, large)
    )
    for narrow, wide, mean in zip(second.intervals, first.intervals, small.mean(1), strict=True):
        assert wide.low < mean < wide.high
        assert narrow.high - narrow.low < 0.5 * (wide.high - wide.low)
    assert sum(first.leading) == pytest.approx(1)
    assert bootstrap(small, np.ones(60), resamples=400) == first
    assert bootstrap(small, np.ones(60), resamples=400, seed=1) != first


def test_intervals_are_as_wide_as_theory_says() -> None:
    source = np.random.default_rng(0)
    values = np.tile(source.random(500), 2)[np.newaxis]
    (interval,) = bootstrap(values, np.ones(1000), resamples=2_000).intervals
    # An event's two queries are the same here: there are 500 draws, not 1,000.
    width = 2 * 1.96 * values.std() / np.sqrt(500)
    assert interval.high - interval.low == pytest.approx(width, rel=0.08)


def test_a_model_that_is_always_ahead_leads_always() -> None:
    values = np.stack([np.linspace(0.1, 0.5, 40), np.linspace(0.2, 0.6, 40)])
    assert bootstrap(values, np.ones(40)).leading == (0.0, 1.0)


def test_tests_are_those_of_scipy_on_the_outer_bins() -> None:
    ranks, values = drawn(4)
    found = compare(ranks, values)
    assert [(comparison.model, comparison.cut) for comparison in found] == [
        (m, c) for m in ranks for c in (1, 3)
    ]
    both = np.tile(values, 2)
    for comparison in found:
        right = (ranks[comparison.model] <= comparison.cut).astype(float)
        low, high = right[both < 0.2], right[both > 0.8]
        assert comparison.queries == (len(low), len(high))
        assert comparison.low == low.mean()
        welch = ttest_ind(low, high, equal_var=False)
        assert comparison.welch == pytest.approx((welch.statistic, welch.pvalue))
        ranked = mannwhitneyu(low, high, alternative="greater")
        assert comparison.mann_whitney == pytest.approx((ranked.statistic, ranked.pvalue))
    assert compare(ranks, np.full(EVENTS, 0.5)) == ()


def test_the_best_of_a_column() -> None:
    assert best([0.1, None, 0.3, 0.3], "mrr") == {2, 3}
    assert best([0.1, None, 0.3], "amr") == {0}
    assert best([None], "mrr") == frozenset()
