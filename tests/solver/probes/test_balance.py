"""Association of labels and cells on tables with known results."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from grammar.eventhop.model import Label
from solver.probes.balance import Cell, balance

LABELS = tuple(Label)


def cells(table: Sequence[Sequence[int]]) -> list[Cell]:
    return [
        Cell(key=(row,), name=f"row {row}", label=f"label {column}")
        for row, counts in enumerate(table)
        for column, count in enumerate(counts)
        for _ in range(count)
    ]


@pytest.mark.parametrize(
    ("table", "association", "uneven"),
    [
        ([[50, 0], [0, 50]], 1.0, True),
        ([[50, 50], [50, 50]], 0.0, False),
        ([[90, 10], [10, 90]], 0.8, True),
        ([[3, 2], [1, 4]], 0.25, False),
    ],
)
def test_association_of_known_tables(
    table: Sequence[Sequence[int]], association: float, uneven: bool
) -> None:
    found = balance("row", cells(table))
    assert found.association == pytest.approx(association, abs=0.03)
    assert found.uneven is uneven
    assert [list(row.counts.values()) for row in found.rows] == [list(row) for row in table]


def test_many_small_cells_of_random_labels_show_no_association() -> None:
    """Without bias correction V would grow with the number of cells."""
    source = random.Random(3)
    found = balance(
        "cell",
        [
            Cell(key=(number % 60,), name=str(number % 60), label=source.choice(LABELS).value)
            for number in range(300)
        ],
    )
    assert found.association is not None
    assert found.association < 0.2
    assert not found.uneven


def test_one_row_or_one_label_has_nothing_to_compare() -> None:
    assert balance("row", cells([[5, 7]])).association is None
    assert balance("row", cells([[5], [7]])).association is None
    assert balance("row", []).rows == ()
