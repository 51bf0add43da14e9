"""Timelines for open claims: instants that satisfy a premise and further inequalities."""

from __future__ import annotations

from collections.abc import Iterable

from solver.certificates.components import components
from solver.engines.needs import Inequality
from solver.model import Order
from solver.numbering import NumberedItem


def place(item: NumberedItem, extra: Iterable[Inequality]) -> list[int]:
    """The earliest possible instant, from 0, for each point.

    Points of a strongly connected component share an instant: simultaneous ones and those of a
    cycle. Between components all relations of the premise and extra inequalities are satisfied.
    """
    steps = [(2 * e, True, 2 * e + 1) for e in range(len(item.events))]
    for p, order, q in item.relations:
        if order is Order.SIMULTANEOUS:
            steps += [(p, False, q), (q, False, p)]
        else:
            steps.append((p, True, q) if order is Order.BEFORE else (q, True, p))
    steps += extra
    follows: list[list[tuple[int, bool]]] = [[] for _ in range(2 * len(item.events))]
    for p, strict, q in steps:
        follows[p].append((q, strict))
    component = components([[q for q, _ in steps] for steps in follows])
    instants = [0] * (max(component) + 1)
    # Components are numbered in reverse topological order: count down to go forwards.
    members: list[list[int]] = [[] for _ in instants]
    for p, number in enumerate(component):
        members[number].append(p)
    for number in range(len(instants) - 1, -1, -1):
        here = instants[number]
        for p in members[number]:
            for q, strict in follows[p]:
                there = component[q]
                if there != number and instants[there] < here + strict:
                    instants[there] = here + strict
    return [instants[number] for number in component]
