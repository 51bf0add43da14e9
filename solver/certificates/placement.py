"""Timelines for what a premise leaves open: instants that satisfy it, and one inequality more."""

from __future__ import annotations

from collections.abc import Iterable

from solver.engines.needs import Inequality
from solver.model import Order
from solver.numbering import NumberedItem


def place(item: NumberedItem, extra: Iterable[Inequality]) -> list[int]:
    """An instant, from 0, for each point, as early as it can be.

    Points of one strongly connected component share an instant: simultaneous ones, and those of a
    cycle. Between components every relation of the premise and every extra inequality is met.
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
    component = _components(follows)
    instants = [0] * (max(component) + 1)
    # Tarjan's algorithm numbers a component after all that it leads to: count down to go forwards.
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


def _components(follows: list[list[tuple[int, bool]]]) -> list[int]:
    """Tarjan's strongly connected components, without recursion: premises can be long."""
    size = len(follows)
    index = [0] * size
    low = [0] * size
    component = [-1] * size
    stack: list[int] = []
    clock = found = 0
    for root in range(size):
        if index[root]:
            continue
        work = [(root, 0)]
        while work:
            p, turn = work.pop()
            if not turn:
                clock += 1
                index[p] = low[p] = clock
                stack.append(p)
            for position in range(turn, len(follows[p])):
                q = follows[p][position][0]
                if not index[q]:
                    work += [(p, position + 1), (q, 0)]
                    break
                if component[q] < 0 and index[q] < low[p]:
                    low[p] = index[q]
            else:
                if low[p] == index[p]:
                    while component[p] < 0:
                        component[stack.pop()] = found
                    found += 1
                if work and low[p] < low[work[-1][0]]:
                    low[work[-1][0]] = low[p]
    return component
