"""Minimal unsatisfiable cores of premise relations, computed with z3."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence

from solver import smtlib
from solver.model import Item
from solver.smt import OrderSolver


def unsatisfiable(solver: OrderSolver, item: Item, relations: Collection[int]) -> bool:
    """Whether these premise relations are unsatisfiable together with the duration axioms."""
    numbered = solver.begin(item)
    sentences = smtlib.relations(numbered)
    chosen = [sentences[n].term for n in relations]
    with solver.assuming([*chosen, *(s.term for s in smtlib.durations(numbered))]):
        return not solver.satisfiable()


def minimal_core(solver: OrderSolver, item: Item, relations: Iterable[int]) -> tuple[int, ...]:
    """A minimal unsatisfiable core of the given premise relations, ascending.

    Deletion-based: relations are tried in the given order, and each is dropped if the rest stays
    unsatisfiable. The result depends only on the premise and that order.

    Raises:
        ValueError: the relations are satisfiable.
    """
    numbered = solver.begin(item)
    sentences = smtlib.relations(numbered)
    rest = list(dict.fromkeys(relations))

    def unsat(chosen: Sequence[int]) -> bool:
        return not solver.satisfiable(*(sentences[n].name for n in chosen))

    kept: list[int] = []
    durations = [s.term for s in smtlib.durations(numbered)]
    with solver.assuming([*durations, *(sentences[n].guarded for n in rest)]):
        if not unsat(rest):
            raise ValueError("the relations are satisfiable")
        while not unsat(kept):
            # Bisect for the next relation to keep: linear deletion takes hours on long cycles.
            needed = bisect_left(
                range(len(rest)), True, key=lambda n: not unsat([*kept, *rest[n + 1 :]])
            )
            kept.append(rest[needed])
            rest = rest[needed + 1 :]
    return tuple(sorted(kept))
