"""Makes the certificates of statements, which ``solver/traces/check.py`` checks."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from grammar.traces.model import Orders, PointOrder, ReadStatement, StatementKind
from solver.eventhop.certificates.make import components
from solver.traces.engine import Edge, PremiseClosure, complements, edges, needs_of
from solver.traces.model import RIGHT, WRONG, Statement, StepVerdict

Step = tuple[int, int, bool, int | str | None]
"""From a point to a point, whether strict, and the relation, an order or a statement; None for a
duration."""


class Certifier:
    """Makes certificates of the statements of a trace, in their order.

    Args:
        premise: the premise and the claim.
    """

    def __init__(self, premise: PremiseClosure) -> None:
        self._premise = premise
        self._steps: list[Step] = [(p, p + 1, True, None) for p in range(0, premise.size, 2)]
        for index, order in enumerate(premise.relations):
            self._steps += _steps(order, index)
        self._wrong: list[Step] = []

    def certificate(self, statement: Statement, name: str) -> dict[str, Any]:
        """The certificate of a statement; empty where the verdict needs none.

        Args:
            statement: the statement.
            name: its place in the trace, such as ``2.0``, for the certificates of later ones.
        """
        stated, verdict = statement.stated, statement.verdict
        if verdict not in WRONG | RIGHT:
            return {}
        found = dict(self._parts(stated, verdict))
        if stated.kind is StatementKind.HOLDS and verdict in (
            StepVerdict.CONTRADICTS,
            StepVerdict.OPEN,
            StepVerdict.CARRIED,
        ):
            for place, order in enumerate(stated.orders):
                self._wrong += _steps(order, f"{name}/{place}")
        elif (
            stated.kind is StatementKind.DOES_NOT_HOLD
            and verdict is StepVerdict.CONTRADICTS
            and len(stated.orders) == 1
            and stated.orders[0].sign != "="
        ):
            self._wrong += _steps(complements(stated.orders[0])[0], f"{name}/0")
        return found

    def _parts(self, stated: ReadStatement, verdict: StepVerdict) -> Iterator[tuple[str, Any]]:
        right = verdict is StepVerdict.FOLLOWS
        orders = stated.orders
        match stated.kind:
            case StatementKind.HOLDS:
                if verdict is StepVerdict.RESTATED:
                    return
                if right:
                    yield "walks", self._derivation(orders, self._steps)
                elif verdict is StepVerdict.CONTRADICTS:
                    yield "denied", self._denial(orders)
                    yield "underivable", self._underivable(orders, self._steps)
                else:
                    yield "underivable", self._underivable(orders, self._steps)
                    yield "undenied", self._undenied(orders)
                    if verdict is StepVerdict.CARRIED:
                        yield "carried", self._derivation(orders, self._steps + self._wrong)
                    elif self._wrong:
                        yield "uncarried", self._underivable(orders, self._steps + self._wrong)
            case StatementKind.DOES_NOT_HOLD | StatementKind.POSSIBLE:
                denies = stated.kind is StatementKind.DOES_NOT_HOLD
                if right is denies:
                    yield "denied", self._denial(orders)
                else:
                    yield "undenied", self._undenied(orders)
            case StatementKind.NOT_DERIVABLE:
                yield from self._derivable_or_not(orders, derivable=not right)
            case StatementKind.LEFT_OPEN:
                if right:
                    yield "underivable", self._underivable(orders, self._steps)
                    yield "undenied", self._undenied(orders)
                elif self._premise.denied(orders):
                    yield "denied", self._denial(orders)
                else:
                    yield "walks", self._derivation(orders, self._steps)
            case StatementKind.TIMELINE:
                yield from self._timeline(stated.instants, right=right)
            case _:
                return

    def _derivable_or_not(self, orders: Orders, *, derivable: bool) -> Iterator[tuple[str, Any]]:
        if derivable:
            yield "walks", self._derivation(orders, self._steps)
        else:
            yield "underivable", self._underivable(orders, self._steps)

    # Walks

    def _derivation(self, orders: Orders, steps: Sequence[Step]) -> list[dict[str, Any]]:
        return [
            self._written(self._walk(edge, steps, loosely=loosely), edge.lower)
            for edge, loosely in needs_of(orders)
        ]

    def _walk(self, need: Edge, steps: Sequence[Step], *, loosely: bool = False) -> list[Step]:
        """A shortest walk that shows a need; it must exist."""
        walk = _walk(need, steps, self._premise.size, loosely=loosely)
        assert walk is not None, "a derivable order has a walk"
        return walk

    def _written(self, walk: Iterable[Step], begin: int) -> dict[str, Any]:
        return {"from": self._premise.points[begin], "steps": [step[3] for step in walk]}

    def _denial(self, orders: Orders) -> dict[str, Any]:
        for place, order in enumerate(orders):
            for other in complements(order):
                if self._premise.closure.derives(other):
                    (edge,) = edges(other)
                    walk = self._written(self._walk(edge, self._steps), edge.lower)
                    return {"order": place, "walk": walk}
        steps = list(self._steps)
        for place, order in enumerate(orders):
            steps += _steps(order, f"order {place}")
        for p in range(self._premise.size):
            found = _walk(Edge(p, True, p), steps, self._premise.size)
            if found is not None:
                return {"cycle": self._written(found, p)}
        raise AssertionError("denied orders have a cycle")

    # Timelines

    def _undenied(self, orders: Orders) -> dict[str, Any]:
        if self._premise.consistent:
            extra = [step for order in orders for step in _steps(order, None)]
            return {"model": self._model(self._steps + extra)}
        needs = [edges(other)[0] for order in orders for other in complements(order)]
        return {"timelines": [self._against(need, self._steps) for need in needs]}

    def _underivable(self, orders: Orders, steps: Sequence[Step]) -> dict[str, Any]:
        for place, order in enumerate(orders):
            for need in edges(order):
                if _walk(need, steps, self._premise.size) is None:
                    return {"order": place, "timeline": self._against(need, steps)}
                if order.sign == "=":
                    reached = _loosely(need.lower, steps)
                    if need.upper not in reached:
                        names = [self._premise.points[p] for p in sorted(reached)]
                        return {"order": place, "closed": names}
        raise AssertionError("an order that is not derivable has a counterexample")

    def _against(self, need: Edge, steps: Sequence[Step]) -> list[list[Any]]:
        """A monotone timeline of some steps on which a need does not hold."""
        p, strict, q = need
        return self._model([*steps, (q, p, not strict, None)])

    def _model(self, steps: Sequence[Step]) -> list[list[Any]]:
        """Instants that keep all steps; points have the same one only if walks lead both ways."""
        follows: list[list[int]] = [[] for _ in range(self._premise.size)]
        for p, q, _, _ in steps:
            follows[p].append(q)
        part = components(follows)
        # Components are numbered from the last one on.
        last = max(part, default=0)
        return [[name, last - part[p]] for p, name in enumerate(self._premise.points)]

    def _timeline(
        self, instants: tuple[tuple[int, float], ...], *, right: bool
    ) -> Iterator[tuple[str, Any]]:
        at = dict(instants)
        ranked = sorted(at, key=lambda p: (at[p], p))
        if right:
            extra: list[Step] = []
            for p, q in pairwise(ranked):
                extra += [(p, q, at[p] < at[q], None)]
                extra += [(q, p, False, None)] if at[p] == at[q] else []
            yield "model", self._model(self._steps + extra)
            return
        if not self._premise.consistent:
            return
        closure = self._premise.closure
        for p in at:
            for q in at:
                for strict in (True, False):
                    order = PointOrder(p, "<" if strict else "<=", q)
                    if closure.derives(order) and (at[p] >= at[q] if strict else at[p] > at[q]):
                        yield "walk", self._written(self._walk(Edge(p, strict, q), self._steps), p)
                        return


def _steps(order: PointOrder, name: int | str | None) -> list[Step]:
    return [(p, q, strict, name) for p, strict, q in edges(order)]


def _walk(
    need: Edge, steps: Sequence[Step], size: int, *, loosely: bool = False
) -> list[Step] | None:
    """A walk with the fewest steps that shows a need; None if there is none."""
    leaving: list[list[Step]] = [[] for _ in range(size)]
    for step in steps:
        if not (loosely and step[2]):
            leaving[step[0]].append(step)
    first = (need.lower, False)
    if need.lower == need.upper and not need.strict:
        return []
    came: dict[tuple[int, bool], tuple[tuple[int, bool], Step]] = {}
    queue = deque([first])
    while queue:
        state = queue.popleft()
        for step in leaving[state[0]]:
            after = (step[1], state[1] or step[2])
            if after in came or after == first:
                continue
            came[after] = (state, step)
            if after[0] == need.upper and (after[1] or not need.strict):
                walk: list[Step] = []
                while after != first:
                    after, step = came[after]
                    walk.append(step)
                return walk[::-1]
            queue.append(after)
    return None


def _loosely(point: int, steps: Sequence[Step]) -> set[int]:
    reached, fresh = {point}, [point]
    while fresh:
        p = fresh.pop()
        for first, last, strict, _ in steps:
            if first == p and not strict and last not in reached:
                reached.add(last)
                fresh.append(last)
    return reached
