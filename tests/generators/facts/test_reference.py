"""Daily quotas, relation shares and total variation distance of the reference year."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.facts.model import DatedGraph, ForecastError, dated_graph
from generators.facts.reference import (
    deficit_weights,
    matching_weights,
    reference_of,
    reference_weights,
    total_variation,
)
from solver.facts.role_rules import relation_kinds
from solver.graph.model import Dataset, Quadruples, Split, Vocabulary

FIRST = date(2030, 12, 31).toordinal()
KINDS = relation_kinds(Vocabulary(entities=2, relations=2, times=1000), None)


def graph() -> DatedGraph:
    """One fact at the end of 2030; in 2031 two on the first day and three on 28 February."""
    days = [FIRST, *[date(2031, 1, 1).toordinal()] * 2, *[date(2031, 2, 28).toordinal()] * 3]
    rows = np.array([(0, n % 2, 1, day - FIRST) for n, day in enumerate(days)], dtype=np.int64)
    words = Vocabulary(entities=2, relations=2, times=1000)
    return DatedGraph(facts=Quadruples.of(rows), vocabulary=words, first=FIRST, later=0)


def test_days_have_as_many_as_in_the_year() -> None:
    reference = reference_of(graph(), KINDS, None)
    assert reference.year == 2031
    assert reference.relations.tolist() == [2, 3]
    assert reference.new.tolist() == [0, 0], "the pair is known since 2030"
    assert reference_of(graph(), KINDS, 2030).new.tolist() == [1, 0]
    quotas = {day: reference.quota(day.toordinal(), 2) for day in (
        date(2032, 1, 1), date(2032, 1, 2), date(2032, 2, 28), date(2032, 2, 29), date(2032, 12, 31)
    )}  # fmt: skip
    assert list(quotas.values()) == [2, 0, 2, 2, 0]
    assert reference.quota(date(2040, 2, 28).toordinal(), 128) == 3


def test_another_year_can_be_chosen() -> None:
    assert reference_of(graph(), KINDS, 2030).quota(date(2035, 12, 31).toordinal(), 128) == 1
    with pytest.raises(ForecastError, match="no facts of 2029, expected a year from 2030 to 2031"):
        reference_of(graph(), KINDS, 2029)


def test_times_are_cut_and_counted_in_days() -> None:
    names = ("2031-01-01", "2031-01-02", "2031-01-05", "2031-01-06")
    words = Vocabulary(entities=2, relations=1, times=73, time_names=names, time_step=24)
    facts = Quadruples.of(np.array([(0, 0, 1, 48), (1, 0, 0, 0), (1, 0, 1, 72)]))
    known = dated_graph(
        Dataset(name="hours", vocabulary=words, splits={Split.TRAIN: facts}),
        begin=date(2031, 1, 6).toordinal(),
        end=date(2031, 1, 9).toordinal(),
    )
    assert known.facts.rows().tolist() == [[1, 0, 0, 0], [0, 0, 1, 4]]
    assert known.date(4) == "2031-01-05"
    assert (known.later, known.vocabulary.times) == (1, 9)


@pytest.mark.parametrize(
    ("names", "expected"),
    [((), "found no dates"), (("2031-01-01", "soon"), "found time 'soon', expected times such as")],
)
def test_times_need_dates(names: tuple[str, ...], expected: str) -> None:
    words = Vocabulary(entities=2, relations=1, times=2, time_names=names)
    facts = Quadruples.of(np.array([(0, 0, 1, 0)]))
    dataset = Dataset(name="graph", vocabulary=words, splits={Split.TRAIN: facts})
    with pytest.raises(ForecastError, match=expected):
        dated_graph(dataset, begin=9**6, end=9**6)


def test_known_facts_are_required() -> None:
    words = Vocabulary(entities=2, relations=1, times=1, time_names=("2031-01-01",))
    facts = Quadruples.of(np.array([(0, 0, 1, 0)]))
    dataset = Dataset(name="graph", vocabulary=words, splits={Split.TRAIN: facts})
    day = date(2031, 1, 1).toordinal()
    with pytest.raises(ForecastError, match=r"no facts before 2031-01-01, .* is of 2031-01-01"):
        dated_graph(dataset, begin=day, end=day)


@pytest.mark.parametrize(
    ("counts", "shares", "distance"),
    [
        ([1, 1], [0.5, 0.5], 0.0),
        ([2, 0], [0.5, 0.5], 0.5),
        ([0, 3], [1.0, 0.0], 1.0),
        ([0, 0], [1.0, 0.0], 1.0),
        ([6, 3, 1], [0.5, 0.25, 0.25], 0.15),
    ],
)
def test_total_variation(counts: list[int], shares: list[float], distance: float) -> None:
    assert total_variation(np.array(counts), np.array(shares)) == pytest.approx(distance)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=6))
def test_total_variation_is_the_largest_difference_of_any_set(
    columns: list[tuple[int, int]],
) -> None:
    counts, wanted = (np.array(column) for column in zip(*columns, strict=True))
    if not counts.sum() or not wanted.sum():
        return
    shares = wanted / wanted.sum()
    differences = counts / counts.sum() - shares
    sets = range(2 ** len(columns))
    largest = max(
        abs(sum(d for place, d in enumerate(differences) if chosen >> place & 1)) for chosen in sets
    )
    assert total_variation(counts, shares) == pytest.approx(largest)


def test_weights_follow_the_deficit() -> None:
    shares = np.array([0.5, 0.3, 0.2])
    every, with_rules = np.ones(3, np.bool_), np.array([True, True, False])
    assert reference_weights(shares, with_rules).tolist() == [0.5, 0.3, 0.0]
    made = np.array([5, 0, 0])
    assert deficit_weights(shares, made, 10, every) == pytest.approx([0.0, 3.0, 2.0])
    only = np.array([True, False, False])
    assert deficit_weights(shares, made, 10, only) == pytest.approx([0.5, 0.0, 0.0])
    assert matching_weights(shares, made, 8, every, with_rules) == pytest.approx([0.0, 3.0, 0.0])
    able = np.array([True, False, True])
    assert matching_weights(shares, made, 8, able, with_rules) == pytest.approx([0.5, 0.0, 0.0])
    assert not matching_weights(shares, made, 8, ~every, with_rules).any()
