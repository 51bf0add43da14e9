"""Shortest walks over a premise: premise relations cost one, duration axioms nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from solver.certificates.components import components
from solver.model import Order
from solver.numbering import NumberedItem

AXIOM = -1


class Stride(NamedTuple):
    """One step between numbered points; ``relation`` is AXIOM for a duration axiom."""

    source: int
    target: int
    strict: bool
    relation: int


Strides: TypeAlias = list[Stride]


class State(NamedTuple):
    """End of a walk, and whether one of its steps so far was strict."""

    point: int
    strict: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals:
    """The shortest walks from one point: the cost and the last stride of each."""

    source: int
    cost: dict[State, int]
    last: dict[State, tuple[State, Stride]]

    def cost_to(self, target: int, *, strict: bool) -> int | None:
        """Premise relations on the shortest walk; with a strict step if ``strict``."""
        end = self._end(target, strict=strict)
        return None if end is None else self.cost[end]

    def walk_to(self, target: int, *, strict: bool) -> Strides | None:
        """The shortest walk, in order; None if there is none."""
        end = self._end(target, strict=strict)
        if end is None:
            return None
        backwards = []
        while end in self.last:
            end, stride = self.last[end]
            backwards.append(stride)
        return backwards[::-1]

    def _end(self, target: int, *, strict: bool) -> State | None:
        ends = [State(target, True)] if strict else [State(target, False), State(target, True)]
        reached = [end for end in ends if end in self.cost]
        return min(reached, key=self.cost.__getitem__, default=None)


class Steps:
    """The steps of a premise, by source."""

    def __init__(self, item: NumberedItem, relations: Iterable[int] | None = None) -> None:
        """Use all premise relations, or only those with the given indices."""
        size = 2 * len(item.events)
        self._leaving: list[Strides] = [
            [] if p & 1 else [Stride(p, p + 1, True, AXIOM)] for p in range(size)
        ]
        every = range(len(item.relations)) if relations is None else relations
        for index in every:
            p, order, q = item.relations[index]
            if order is Order.AFTER:
                p, q = q, p
            strict = order is not Order.SIMULTANEOUS
            self._leaving[p].append(Stride(p, q, strict, index))
            if not strict:
                self._leaving[q].append(Stride(q, p, False, index))

    def arrivals(self, source: int, goals: Collection[State]) -> Arrivals:
        """Shortest walks from a point, until all goals are reached.

        Ties are broken by the order of the premise.
        """
        start = State(source, False)
        cost = {start: 0}
        last: dict[State, tuple[State, Stride]] = {}
        settled: set[State] = set()
        open_goals = set(goals)
        queue = deque([start])
        leaving = self._leaving
        while queue and open_goals:
            state = queue.popleft()
            if state in settled:
                continue
            settled.add(state)
            open_goals.discard(state)
            point, was_strict = state
            here = cost[state]
            for stride in leaving[point]:
                _, target, is_strict, relation = stride
                then = State(target, was_strict or is_strict)
                there = here if relation < 0 else here + 1
                if then not in cost or there < cost[then]:
                    cost[then] = there
                    last[then] = (state, stride)
                    if relation < 0:
                        queue.appendleft(then)
                    else:
                        queue.append(then)
        return Arrivals(source=source, cost=cost, last=last)

    def cycle(self) -> Strides | None:
        """A closed walk with a strict step, the shortest through its first point, or None.

        One exists iff a strict step stays within a strongly connected component.
        """
        component = components([[s.target for s in leaving] for leaving in self._leaving])
        for leaving in self._leaving:
            for stride in leaving:
                if stride.strict and component[stride.source] == component[stride.target]:
                    goal = State(stride.source, True)
                    return self.arrivals(stride.source, [goal]).walk_to(goal.point, strict=True)
        return None
