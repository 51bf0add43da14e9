"""Which cells exist: counting agrees with a search over all premises of a size."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from generators.eventhop.config import Cell, Shape
from generators.eventhop.layout import impossibility
from grammar.eventhop.model import ClaimRelation, Status
from solver.asp import Program

SMALL = ["2x1", "2x2", "3x2", "3x3"]
LARGER = ["3x4", "4x2", "4x3", "4x4", "5x3", "6x3"]


def cells(shape: Shape) -> Iterator[Cell]:
    for claim in ClaimRelation:
        for status in Status:
            for contradiction in (True, False):
                levels = range(1, max(3, shape.events))
                for hops in (None,) if status is Status.UNKNOWN else levels:
                    yield Cell(
                        shape=shape,
                        claim=claim,
                        status=status,
                        contradiction=contradiction,
                        hops=hops,
                    )


def found(cell: Cell, *, equal: bool) -> bool:
    sizes = {"events": cell.shape.events, "relations": cell.shape.relations}
    program = Program(encodings=("eventhop/cells.lp",), constants={**sizes, "hops": cell.hops or 0})
    premise = "inconsistent" if cell.contradiction else "consistent"
    orders = ["before", "after", *(["simultaneous"] if equal else [])]
    facts = [
        f"wanted(status,{cell.status}). wanted(premise,{premise}). claim(item,{cell.claim},1,2).",
        *(f"order({order})." for order in orders),
    ]
    return any(True for _ in program.models("\n".join(facts), limit=1))


def hold(shape: str, *, equal: bool) -> None:
    events, relations = map(int, shape.split("x"))
    every = list(cells(Shape(events=events, relations=relations)))
    possible = {cell.key for cell in every if impossibility(cell, equal=equal) is None}
    assert possible == {cell.key for cell in every if found(cell, equal=equal)}


@pytest.mark.parametrize("equal", [True, False], ids=["with =", "without ="])
@pytest.mark.parametrize("shape", SMALL)
def test_counting_agrees_with_search(shape: str, equal: bool) -> None:
    hold(shape, equal=equal)


@pytest.mark.slow
@pytest.mark.parametrize("equal", [True, False], ids=["with =", "without ="])
@pytest.mark.parametrize("shape", LARGER)
def test_counting_agrees_with_search_on_larger_shapes(shape: str, equal: bool) -> None:
    hold(shape, equal=equal)


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        (
            Cell(
                shape=Shape(events=8, relations=4),
                claim=ClaimRelation.BEFORE,
                status=Status.ENTAILED,
                contradiction=False,
                hops=2,
            ),
            "a chain of 2 hops takes 2 relations on 3 events; the other 2 name at most 4 more, "
            "and 5 are left",
        ),
        (
            Cell(
                shape=Shape(events=4, relations=3),
                claim=ClaimRelation.BEFORE,
                status=Status.CONTRADICTORY,
                contradiction=True,
                hops=1,
            ),
            "one relation between two events contradicts nothing: a cycle takes two",
        ),
    ],
)
def test_reasons_are_told_in_words(cell: Cell, reason: str) -> None:
    assert impossibility(cell) == reason
