"""Metrics of ranks: a case by hand, a slow second way, bounds, what weights must not change."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.metrics.ranking import amr, amri, hits, measure, mrr

RANKS = np.array([1.0, 2.0, 4.0, 10.5])
CANDIDATES = np.array([21.0, 21.0, 11.0, 11.0])
WEIGHTS = np.array([1.1, 0.1, 0.6, 0.2])


def test_by_hand() -> None:
    assert mrr(RANKS) == pytest.approx((1 + 1 / 2 + 1 / 4 + 2 / 21) / 4)
    assert [hits(RANKS, cut) for cut in (1, 3, 10)] == [0.25, 0.5, 0.75]
    assert amr(RANKS, CANDIDATES) == pytest.approx(17.5 / (11 + 11 + 6 + 6))
    assert amri(RANKS, CANDIDATES) == pytest.approx(1 - 13.5 / (10 + 10 + 5 + 5))
    assert mrr(RANKS, WEIGHTS) == pytest.approx((1.1 + 0.05 + 0.15 + 0.4 / 21) / 2)
    assert hits(RANKS, 3, WEIGHTS) == pytest.approx(0.6)
    assert amri(RANKS, CANDIDATES, WEIGHTS) == pytest.approx(1 - (0.1 + 1.8 + 1.9) / (12 + 4))


@st.composite
def cases(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ranks up to the candidates, in halves, with whole weights."""
    rows = draw(
        st.lists(
            st.integers(1, 60).flatmap(
                lambda n: st.tuples(st.just(n), st.integers(2, 2 * n), st.integers(1, 9))
            ),
            min_size=1,
            max_size=12,
        )
    )
    n, double, weights = (np.array(column, dtype=np.float64) for column in zip(*rows, strict=True))
    return double / 2, n, weights


@given(cases())
def test_bounds(case: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    ranks, candidates, weights = case
    for weighed in (None, weights):
        found = measure(ranks, candidates, weighed)
        assert found.mrr is not None
        assert found.amr is not None
        assert found.amri is not None
        assert 0 < found.mrr <= 1 + 1e-12
        assert 0 <= found.hits1 <= found.hits3 <= found.hits10 <= 1 + 1e-12
        assert 0 < found.amr < 2
        assert -1 - 1e-9 <= found.amri <= 1
        assert found.hits1 <= found.mrr + 1e-12


@given(cases())
def test_a_weight_is_so_many_queries(case: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    """A slow second way: a query of weight 3 counts as three queries."""
    ranks, candidates, weights = case
    again = np.repeat(np.arange(len(ranks)), weights.astype(int))
    plain, weighed = measure(ranks[again], candidates[again]), measure(ranks, candidates, weights)
    assert plain.mrr == pytest.approx(sum(1 / ranks[n] for n in again) / len(again))
    for name in ("mrr", "hits1", "hits3", "hits10", "amr", "amri"):
        assert getattr(weighed, name) == pytest.approx(getattr(plain, name), abs=1e-9)


@given(cases(), st.floats(0.01, 100))
def test_weights_count_by_their_ratios(
    case: tuple[np.ndarray, np.ndarray, np.ndarray], factor: float
) -> None:
    ranks, candidates, weights = case
    first, second = (measure(ranks, candidates, array) for array in (weights, weights * factor))
    assert first.mrr == pytest.approx(second.mrr)
    assert first.amri == pytest.approx(second.amri, abs=1e-9)


def test_chance_and_perfection() -> None:
    candidates = np.full(21, 21.0)
    every = np.arange(1, 22, dtype=np.float64)
    assert amr(every, candidates) == pytest.approx(1)
    assert amri(every, candidates) == pytest.approx(0)
    assert amri(np.ones(21), candidates) == 1
    assert amri(np.full(21, 21.0), candidates) == pytest.approx(-1)
    assert amri(np.ones(1), np.ones(1)) == 0


def test_models_that_do_not_rank_all_have_hits_alone() -> None:
    found = measure(RANKS, CANDIDATES, whole=False)
    assert (found.mrr, found.amr, found.amri) == (None, None, None)
    assert found.hits3 == 0.5
