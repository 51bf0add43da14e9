"""Exact tests by enumeration, and Holm's correction by its definition."""

from __future__ import annotations

from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.metrics.significance import binomial_tail, holm, hypergeometric_test, share_interval


@pytest.mark.parametrize("total", range(8))
@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 1.0])
def test_tails_by_enumeration(total: int, share: float) -> None:
    chances = [comb(total, k) * share**k * (1 - share) ** (total - k) for k in range(total + 1)]
    for hits in range(total + 1):
        assert binomial_tail(hits, total, share) == pytest.approx(sum(chances[hits:]))


@pytest.mark.parametrize(("hits", "total"), [(0, 0), (0, 5), (3, 5), (5, 5), (40, 60)])
def test_intervals_end_where_the_tails_do(hits: int, total: int) -> None:
    low, high = share_interval(hits, total, 0.1)
    assert 0 <= low <= (hits / total if total else 0.5) <= high <= 1
    assert low == 0 if hits == 0 else binomial_tail(hits, total, low) == pytest.approx(0.05)
    least = 1 - binomial_tail(hits + 1, total, high)
    assert high == 1 if hits == total else least == pytest.approx(0.05)


@pytest.mark.parametrize(("total", "marked", "drawn"), [(7, 3, 4), (6, 6, 2), (5, 0, 3), (8, 5, 5)])
def test_marked_units_by_enumeration(total: int, marked: int, drawn: int) -> None:
    found = [
        sum(unit < marked for unit in numbers) for numbers in combinations(range(total), drawn)
    ]
    for hits in set(found):
        lower = sum(number <= hits for number in found) / len(found)
        upper = sum(number >= hits for number in found) / len(found)
        expected = min(1.0, 2 * min(lower, upper))
        assert hypergeometric_test(hits, drawn, marked, total) == pytest.approx(expected)


@given(st.lists(st.floats(0, 1), max_size=8), st.floats(0.01, 0.5))
def test_holm_is_between_bonferroni_and_no_correction(values: list[float], level: float) -> None:
    corrected, size = holm(values), len(values)
    for value, p in zip(values, corrected, strict=True):
        assert value <= p <= min(1.0, size * value)
    # The definition: from the smallest on, each is compared with the level by those left.
    ordered = sorted(values)
    count = next((k for k, value in enumerate(ordered) if (size - k) * value > level), size)
    assert sum(p <= level for p in corrected) == count
