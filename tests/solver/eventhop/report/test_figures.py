"""Tables, bars, ranges and explanations of a report."""

from __future__ import annotations

from itertools import pairwise

import pytest

from solver.eventhop.engines import Fault
from solver.eventhop.outcomes import Circumstance
from solver.eventhop.report.groups import (
    MOST_GROUPS,
    cause_table,
    cross_table,
    ranges,
    upper_edge,
    wilson,
)
from solver.eventhop.report.page import CIRCUMSTANCES, FAULTS, meanings
from solver.eventhop.tally import UNEXPLAINED
from solver.report.model import Cell, Table, Tone


def test_every_fault_is_explained_in_one_sentence() -> None:
    assert set(FAULTS) == {fault.value for fault in Fault}
    assert set(CIRCUMSTANCES) == {*Circumstance, UNEXPLAINED}
    for text in (*FAULTS.values(), *CIRCUMSTANCES.values()):
        assert text.endswith(".")
        assert ". " not in text
    assert set(meanings([])) == set(FAULTS)
    assert set(meanings(["seen-early+policy"])) == {*FAULTS, "policy"}


def cells(table: Table) -> list[list[Cell]]:
    return [[cell for cell in row if isinstance(cell, Cell)] for row in table.rows]


def test_tables_colour_agreement_and_disagreement() -> None:
    table = cross_table(
        "t", "c", {"True": {"true": 3, "false": 1}, "odd": {"true": 2}}, ("true", "false"),
        {"True": "true"},
    )  # fmt: skip
    right, wrong = cells(table)[0]
    assert (right.text, right.detail, right.strength, right.tone) == ("3", "75.0%", 0.75, Tone.GOOD)
    assert (wrong.text, wrong.detail, wrong.tone) == ("1", "25.0%", Tone.BAD)
    assert {cell.tone for cell in cells(table)[1]} == {Tone.NEUTRAL}


@pytest.mark.parametrize(
    ("wrong", "total", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (0, 0, 0.0, 0.0)],
)
def test_intervals_are_wilsons(wrong: int, total: int, low: float, high: float) -> None:
    bar = wilson(wrong, total)
    assert (bar.low, bar.high) == pytest.approx((low, high), abs=1e-4)
    assert bar.low <= bar.share <= bar.high


def test_plots_contain_their_bars() -> None:
    bars = [wilson(n, 20) for n in range(21)]
    assert all(bar.high <= upper_edge(bars) <= 1 for bar in bars)
    assert upper_edge([]) == 0.1


def test_few_sizes_are_separate_and_many_are_joined_evenly() -> None:
    few = ranges({4: 10, 9: 1})
    assert [str(few[size]) for size in (4, 9)] == ["4", "9"]
    many = ranges(dict.fromkeys(range(40), 5))
    assert len(set(many.values())) <= MOST_GROUPS
    for size, found in many.items():
        assert found.first <= size <= found.last
    joined = sorted(set(many.values()), key=lambda found: found.first)
    assert all(a.last < b.first for a, b in pairwise(joined))


def test_causes_are_ranked() -> None:
    table = cause_table({"b": 2, "a+c": 6, "a": 2})
    assert [row[0] for row in table.rows] == ["a + c", "a", "b"]
    assert [row[2] for row in table.rows] == ["60.0%", "20.0%", "20.0%"]
    assert cells(table)[0][0].bar == 100.0
