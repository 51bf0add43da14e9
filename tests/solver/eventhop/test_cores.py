"""Cores: unsatisfiable, minimal and deterministic."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grammar.eventhop.model import Item
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName
from solver.eventhop.engines.smt import minimal_core, unsatisfiable
from solver.smt import OrderSolver

ItemOf = Callable[[str, str], Item]
RandomItems = Callable[[int, int], list[Item]]


@pytest.fixture(scope="module")
def solver() -> OrderSolver:
    return OrderSolver()


CASES = [
    ("A- = B-, A- < B-", (0, 1), (0, 1)),
    ("A+ < A-", (0,), (0,)),
    ("A- < A-", (0,), (0,)),
    # Of two contradictions the core is the one whose relations come last.
    ("A+ < A-, A+ < B-, B+ < A-", (0, 1, 2), (1, 2)),
    ("A+ < A-, A+ < B-, B+ < A-", (1, 2, 0), (0,)),
    ("A+ < A-, A+ < B-, B+ < A-", (0, 1), (0,)),
    ("A- < B-, C- < D-, B- = C-, D- = A-", (0, 1, 2, 3), (0, 1, 2, 3)),
    ("A+ < A-, B- < C-, A+ < A-", (0, 1, 2, 0), (2,)),
]


@pytest.mark.parametrize(("premise", "given", "core"), CASES)
def test_minimal_core(
    solver: OrderSolver, item_of: ItemOf, premise: str, given: tuple[int, ...], core: tuple[int]
) -> None:
    assert minimal_core(solver, item_of(premise, "A before B"), given) == core


def test_satisfiable_relations_have_no_core(solver: OrderSolver, item_of: ItemOf) -> None:
    item = item_of("A+ < A-, A+ < B-", "A before B")
    assert not unsatisfiable(solver, item, [1])
    assert unsatisfiable(solver, item, [1, 0])
    with pytest.raises(ValueError, match="are satisfiable"):
        minimal_core(solver, item, [1])


def deleted_one_by_one(solver: OrderSolver, item: Item) -> tuple[int, ...]:
    core = list(range(len(item.premise)))
    for spare in tuple(core):
        rest = [n for n in core if n != spare]
        if unsatisfiable(solver, item, rest):
            core = rest
    return tuple(core)


def test_cores_of_random_premises(solver: OrderSolver, random_items: RandomItems) -> None:
    items = [item for item in random_items(7, 120) if len(item.premise) <= 40]
    verdicts = engine(EngineName.GRAPH).decide(items)
    inconsistent = [
        item for item, verdict in zip(items, verdicts, strict=True) if not verdict.consistent
    ]
    assert len(inconsistent) >= 30
    sizes = set()
    for item in inconsistent:
        core = minimal_core(solver, item, range(len(item.premise)))
        assert core == deleted_one_by_one(solver, item)
        assert unsatisfiable(solver, item, core)
        assert not any(unsatisfiable(solver, item, [n for n in core if n != m]) for m in core)
        assert core == minimal_core(OrderSolver(), item, range(len(item.premise)))
        sizes.add(len(core))
    assert len(sizes) >= 3
