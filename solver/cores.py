"""Unsatisfiable sets of premise relations, and minimal ones, as z3 finds them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence

from solver import smtlib
from solver.model import Item
from solver.smt import OrderSolver


def unsatisfiable(solver: OrderSolver, item: Item, relations: Collection[int]) -> bool:
    """Whether these relations of the premise contradict one another or the duration axioms."""
    numbered = solver.begin(item)
    said = smtlib.relations(numbered)
    chosen = [said[n].meant for n in relations]
    with solver.assuming([*chosen, *(s.meant for s in smtlib.durations(numbered))]):
        return not solver.satisfiable()


def minimal_core(solver: OrderSolver, item: Item, relations: Iterable[int]) -> tuple[int, ...]:
    """A minimal unsatisfiable set of premise relations among the given ones, ascending.

    The relations are tried in the order given; each leaves that the ones kept so far and the ones
    still to come can do without. So the result depends on nothing but the premise and that order.

    Raises:
        ValueError: if the relations do not contradict one another.
    """
    numbered = solver.begin(item)
    said = smtlib.relations(numbered)
    rest = list(dict.fromkeys(relations))

    def contradict(chosen: Sequence[int]) -> bool:
        return not solver.satisfiable(*(said[n].name for n in chosen))

    kept: list[int] = []
    lasting = [s.meant for s in smtlib.durations(numbered)]
    with solver.assuming([*lasting, *(said[n].if_heard for n in rest)]):
        if not contradict(rest):
            raise ValueError("the relations do not contradict one another")
        while not contradict(kept):
            # Which one is the next to stay is found by halving: a long cycle would wait for hours.
            stays = bisect_left(
                range(len(rest)), True, key=lambda n: not contradict([*kept, *rest[n + 1 :]])
            )
            kept.append(rest[stays])
            rest = rest[stays + 1 :]
    return tuple(sorted(kept))
