"""Columns, indexes and snapshots against the plainest way to say the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.graph.model import (
    Dataset,
    Index,
    Quadruples,
    Snapshots,
    Split,
    Vocabulary,
    expand,
    pack,
    stable_order,
)

Row = tuple[int, int, int, int]
RELATIONS = 3

rows = st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(0, 4), st.integers(0, 9))
graphs = st.lists(rows, max_size=25)
keys = st.lists(st.integers(0, 6), max_size=20)


def quadruples(facts: list[Row]) -> Quadruples:
    return Quadruples.of(np.array(facts, dtype=np.int64).reshape(-1, 4))


def listed(facts: Quadruples) -> list[Row]:
    return [tuple(row) for row in facts.rows().tolist()]


@given(graphs)
def test_rows_are_kept(facts: list[Row]) -> None:
    assert listed(quadruples(facts)) == facts
    assert len(quadruples(facts)) == len(facts)


@given(graphs, graphs)
def test_joined_is_one_after_the_other(first: list[Row], second: list[Row]) -> None:
    assert listed(Quadruples.joined(quadruples(first), quadruples(second))) == first + second


@given(graphs)
def test_sorted_and_distinct(facts: list[Row]) -> None:
    def by_time(row: Row) -> tuple[int, ...]:
        return (row[3], *row[:3])

    assert listed(quadruples(facts).by_time()) == sorted(facts, key=by_time)
    assert listed(quadruples(facts).distinct()) == sorted(set(facts), key=by_time)


@given(graphs)
def test_reading_backwards_twice_changes_nothing(facts: list[Row]) -> None:
    graph = quadruples(facts)
    back = graph.inverted(RELATIONS)
    assert listed(back) == [(t, r + RELATIONS, h, time) for h, r, t, time in facts]
    assert listed(back.inverted(RELATIONS)) == facts
    both = graph.both_ways(RELATIONS)
    assert listed(both) == facts + listed(back)
    assert sorted(listed(both.inverted(RELATIONS))) == sorted(listed(both))


@given(keys, keys)
def test_joins_find_every_pair(left: list[int], right: list[int]) -> None:
    index = Index.of(np.array(right, dtype=np.int64))
    askers, places = expand(*index.ranges(np.array(left, dtype=np.int64)))
    found = list(zip(askers.tolist(), index.order[places].tolist(), strict=True))
    pairs = [(a, b) for a, x in enumerate(left) for b, y in enumerate(right) if x == y]
    assert found == pairs


@given(keys, st.integers(0, 7))
def test_rows_of_one_key(held: list[int], key: int) -> None:
    index = Index.of(np.array(held, dtype=np.int64))
    assert index.rows(key).tolist() == [row for row, number in enumerate(held) if number == key]
    asked = np.arange(8)
    assert index.contains(asked).tolist() == [number in held for number in range(8)]


@given(st.lists(st.tuples(st.integers(-3, 9), st.integers(-3, 9)), max_size=12))
def test_ranges_that_end_before_they_begin_are_empty(ranges: list[tuple[int, int]]) -> None:
    begins, ends = np.array(ranges, dtype=np.int64).reshape(-1, 2).T
    askers, places = expand(begins, ends)
    pairs = [(a, place) for a, (begin, end) in enumerate(ranges) for place in range(begin, end)]
    assert list(zip(askers.tolist(), places.tolist(), strict=True)) == pairs


@given(graphs)
def test_packed_keys_sort_as_rows_do(facts: list[Row]) -> None:
    columns = [quadruples(facts).rows()[:, column] for column in range(4)]
    packed = pack(columns, (5, 3, 5, 10))
    order = np.argsort(packed, kind="stable").tolist()
    assert order == sorted(range(len(facts)), key=facts.__getitem__)
    assert len(set(packed.tolist())) == len(set(facts))


@given(st.lists(st.sampled_from([-1, 0, 1, 2, 2**40, 2**59, 2**63 - 1]), max_size=12))
def test_stable_order_is_a_stable_sort(keys: list[int]) -> None:
    order = stable_order(np.array(keys, dtype=np.int64))
    assert order.tolist() == sorted(range(len(keys)), key=keys.__getitem__)


def test_keys_that_do_not_fit_are_refused() -> None:
    column = np.zeros(1, dtype=np.int64)
    with pytest.raises(OverflowError, match="do not fit in 63 bits"):
        pack([column] * 4, (10**6, 10**3, 10**6, 10**5))


@given(graphs, st.integers(-1, 11), st.integers(-1, 11))
def test_windows(facts: list[Row], begin: int, end: int) -> None:
    snapshots = Snapshots.of(quadruples(facts))
    ordered = sorted(facts, key=lambda row: row[3])
    assert listed(snapshots.facts) == ordered
    assert listed(snapshots.at(begin)) == [row for row in ordered if row[3] == begin]
    inside = [row for row in ordered if begin <= row[3] < end]
    assert listed(snapshots.between(begin, end)) == inside


@given(graphs, st.integers(0, 10), st.integers(0, 4))
def test_previous_snapshots_reach_back_over_silent_times(
    facts: list[Row], time: int, number: int
) -> None:
    earlier = sorted({row[3] for row in facts if row[3] < time})[-number:] if number else []
    found = listed(Snapshots.of(quadruples(facts)).previous(time, number))
    assert sorted(found) == sorted(row for row in facts if row[3] in earlier)


def test_names_are_told_with_their_inverses() -> None:
    words = Vocabulary(
        entities=2,
        relations=1,
        times=49,
        entity_names=("Ada", "Bo"),
        relation_names=("meets",),
        time_names=("2030-01-01", "2030-01-02", "2030-01-03"),
        time_step=24,
    )
    assert (words.entity(1), words.relation(0), words.relation(1)) == ("Bo", "meets", "meets^-1")
    assert (words.time(24), words.time(25), words.time(48)) == ("2030-01-02", "25", "2030-01-03")
    plain = Vocabulary(entities=2, relations=1, times=3)
    assert (plain.entity(1), plain.relation(1), plain.time(2)) == ("1", "0^-1", "2")


def test_facts_of_some_splits() -> None:
    splits = {Split.TEST: quadruples([(0, 0, 1, 5)]), Split.TRAIN: quadruples([(1, 0, 0, 2)])}
    words = Vocabulary(entities=2, relations=1, times=6)
    dataset = Dataset(name="small", vocabulary=words, splits=splits)
    assert listed(dataset.facts()) == [(1, 0, 0, 2), (0, 0, 1, 5)]
    assert listed(dataset.facts(Split.TEST)) == [(0, 0, 1, 5)]
    assert listed(dataset.facts(Split.VALID)) == []
