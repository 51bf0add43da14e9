"""Allen's relations: exactly one holds between two events, and no comparison is redundant."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, product
from typing import NamedTuple

import pytest

from grammar.eventhop.model import AllenRelation
from solver.asp import Program

CONVERSES = [
    ("precedes", "preceded_by"),
    ("meets", "met_by"),
    ("overlaps", "overlapped_by"),
    ("finished_by", "finishes"),
    ("contains", "during"),
    ("starts", "started_by"),
    ("equals", "equals"),
]

ROWS = {
    "precedes": ((0, 1), (2, 3)),
    "meets": ((0, 1), (1, 2)),
    "overlaps": ((0, 2), (1, 3)),
    "finished_by": ((0, 2), (1, 2)),
    "contains": ((0, 3), (1, 2)),
    "starts": ((0, 1), (0, 2)),
    "equals": ((0, 1), (0, 1)),
    "started_by": ((0, 2), (0, 1)),
    "during": ((1, 2), (0, 3)),
    "finishes": ((1, 2), (0, 2)),
    "overlapped_by": ((1, 3), (0, 2)),
    "met_by": ((1, 2), (0, 1)),
    "preceded_by": ((2, 3), (0, 1)),
}


class Interval(NamedTuple):
    start: int
    end: int


class Comparison(NamedTuple):
    left: str
    order: str
    right: str

    def holds(self, a: Interval, b: Interval) -> bool:
        p, q = getattr(a, self.left), getattr(b, self.right)
        return {"before": p < q, "after": p > q, "simultaneous": p == q}[self.order]


INTERVALS = [Interval(*ends) for ends in combinations(range(4), 2)]


@pytest.fixture(scope="module")
def table() -> dict[str, list[Comparison]]:
    found: dict[str, list[Comparison]] = defaultdict(list)
    for atom in Program(encodings=("temporal/allen.lp",)).unique_model(""):
        assert atom.name == "compares"
        relation, *compared = map(str, atom.arguments)
        found[relation].append(Comparison(*compared))
    return dict(found)


def holding(table: dict[str, list[Comparison]], a: Interval, b: Interval) -> list[str]:
    return [name for name, needs in table.items() if all(need.holds(a, b) for need in needs)]


def test_the_table_lists_the_expected_comparisons(
    table: dict[str, list[Comparison]],
) -> None:
    assert set(table) == {relation.value for relation in AllenRelation} == set(ROWS)
    assert sum(map(len, table.values())) == 24


def test_exactly_one_holds_between_two_events(table: dict[str, list[Comparison]]) -> None:
    for a, b in product(INTERVALS, repeat=2):
        assert len(holding(table, a, b)) == 1


@pytest.mark.parametrize("relation", ROWS)
def test_each_holds_on_its_example(table: dict[str, list[Comparison]], relation: str) -> None:
    a, b = (Interval(*ends) for ends in ROWS[relation])
    assert holding(table, a, b) == [relation]


@pytest.mark.parametrize(("name", "other"), CONVERSES)
def test_converses(table: dict[str, list[Comparison]], name: str, other: str) -> None:
    for a, b in product(INTERVALS, repeat=2):
        assert (holding(table, a, b) == [name]) is (holding(table, b, a) == [other])


def test_no_comparison_is_redundant(table: dict[str, list[Comparison]]) -> None:
    pairs = list(product(INTERVALS, repeat=2))
    for name, needs in table.items():
        for spared in needs:
            rest = table | {name: [need for need in needs if need != spared]}
            assert any(len(holding(rest, a, b)) > 1 for a, b in pairs), (name, spared)
