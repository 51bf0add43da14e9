"""Decides the statements of a chain of thought by reachability between points.

Repeats ``encodings/traces`` by other means: bit sets of reachable points. *Derivable* means by a
walk along relations of the premise and durations, also if the premise is contradictory.
Source: docs/traces.md, section "Verdicts".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from grammar.eventhop.model import Item, Label, Order, Policy, Status
from grammar.traces.model import Orders, PointOrder, ReadStatement, ReadStep, StatementKind
from solver.eventhop.engines import label
from solver.eventhop.engines.graph import Inequality, number, requirements
from solver.traces.model import (
    RIGHT,
    WRONG,
    Source,
    Statement,
    Step,
    StepVerdict,
    Support,
    TraceVerdict,
)

_SIGNS = {
    Order.BEFORE: ("<", False),
    Order.AFTER: ("<", True),
    Order.SIMULTANEOUS: ("=", False),
    Order.NOT_AFTER: ("<=", False),
    Order.NOT_BEFORE: ("<=", True),
}


class Edge(NamedTuple):
    """A step from a point to a later or equal one."""

    lower: int
    strict: bool
    upper: int


def edges(order: PointOrder) -> tuple[Edge, ...]:
    """The steps of an order; an equation leads both ways."""
    p, sign, q = order
    if sign == "=":
        return Edge(p, False, q), Edge(q, False, p)
    return (Edge(p, sign == "<", q),)


def complements(order: PointOrder) -> tuple[PointOrder, ...]:
    """The orders one of which holds if an order does not."""
    p, sign, q = order
    if sign == "=":
        return PointOrder(p, "<", q), PointOrder(q, "<", p)
    return (PointOrder(q, "<=" if sign == "<" else "<", p),)


class Closure:
    """What is derivable from durations and some steps.

    Attributes:
        any: for each point the points reached by a walk, itself included, as bit sets.
        strict: those reached by a walk with a strict step.
        loose: those reached by a walk of loose steps alone.
    """

    __slots__ = ("any", "loose", "strict")

    def __init__(self, size: int, steps: Iterable[Edge]) -> None:
        loose = [1 << p for p in range(size)]
        strict = [0 if p & 1 else 2 << p for p in range(size)]
        for p, is_strict, q in steps:
            if is_strict:
                strict[p] |= 1 << q
            else:
                loose[p] |= 1 << q
        reached = [a | b for a, b in zip(loose, strict, strict=True)]
        for middle in range(size):
            bit = 1 << middle
            # First the walks that return to the point in the middle: these make others strict.
            if strict[middle] & bit:
                strict[middle] |= reached[middle]
            through, strictly, loosely = reached[middle], strict[middle], loose[middle]
            for p in range(size):
                if reached[p] & bit:
                    reached[p] |= through
                    strict[p] |= through if strict[p] & bit else strictly
                    if loose[p] & bit:
                        loose[p] |= loosely
        self.any, self.strict, self.loose = reached, strict, loose

    @property
    def consistent(self) -> bool:
        """Whether no point is before itself."""
        return not any(points >> p & 1 for p, points in enumerate(self.strict))

    def derives(self, order: PointOrder) -> bool:
        """Whether a walk shows an order; an equation needs walks of loose steps both ways."""
        p, sign, q = order
        if sign == "<":
            return bool(self.strict[p] >> q & 1)
        if sign == "<=":
            return bool(self.any[p] >> q & 1)
        return bool(self.loose[p] >> q & self.loose[q] >> p & 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """What a claim requires, in numbers.

    Attributes:
        needs: the inequalities that it is equivalent to.
        orders: the same as orders.
        pairs: the pairs of its points.
    """

    needs: tuple[Inequality, ...]
    orders: Orders
    pairs: tuple[tuple[int, int], ...]


class PremiseClosure:
    """A premise and its claim, with what is derivable from the premise.

    Args:
        item: the item.
        policy: when its label is undefined.
    """

    def __init__(self, item: Item, policy: Policy = Policy.LOCAL) -> None:
        numbered = number(item)
        self.item, self.events = item, numbered.events
        self.size = 2 * len(numbered.events)
        self.relations: Orders = tuple(_order(*relation) for relation in numbered.relations)
        self.edges = tuple(edge for order in self.relations for edge in edges(order))
        self.closure = Closure(self.size, self.edges)
        self.consistent = self.closure.consistent
        required = requirements(item, numbered)
        needs = required.inequalities
        self.claimed = Claimed(
            needs=needs,
            orders=tuple(PointOrder(p, "<" if strict else "<=", q) for p, strict, q in needs),
            pairs=tuple(required.pairs),
        )
        self.status = self._status(self.closure)
        self.label = self._label(policy)

    def _label(self, policy: Policy) -> Label:
        if policy is Policy.PUBLISHED:
            from solver.eventhop.published import published_label

            return published_label(self.item)
        return label(self.status, consistent=self.consistent, policy=policy)

    def _status(self, closure: Closure) -> Status:
        strict = closure.strict
        if any(strict[p] >> q & strict[q] >> p & 1 for p, q in self.claimed.pairs):
            return Status.CONTRADICTORY
        orders = self.claimed.orders
        if all(map(closure.derives, orders)):
            return Status.ENTAILED
        if any(closure.derives(other) for order in orders for other in complements(order)):
            return Status.REFUTED
        return Status.UNKNOWN

    @cached_property
    def points(self) -> tuple[str, ...]:
        """The names of the points: ``start of X``."""
        return tuple(f"{bound} of {name}" for name in self.events for bound in ("start", "end"))

    def denied(self, orders: Orders) -> bool:
        """Whether no model of the premise has some orders.

        If the premise is contradictory: whether the complement of one of them is derivable.
        """
        derives = self.closure.derives
        if any(derives(other) for order in orders for other in complements(order)):
            return True
        if len(orders) < 2 or not self.consistent:
            return False
        steps = (*self.edges, *(edge for order in orders for edge in edges(order)))
        return not Closure(self.size, steps).consistent

    def fits(self, instants: Iterable[tuple[int, float]]) -> bool:
        """Whether a timeline, of all points or of some, satisfies the premise and the durations."""
        at = dict(instants)
        return self.consistent and not any(
            (self.closure.any[p] >> q & 1 and at[p] > at[q])
            or (self.closure.strict[p] >> q & 1 and at[p] == at[q])
            for p in at
            for q in at
        )

    def right(self, stated: ReadStatement) -> bool:
        """Whether a statement is right, other than an answer."""
        orders = stated.orders
        match stated.kind:
            case StatementKind.HOLDS:
                return all(map(self.closure.derives, orders))
            case StatementKind.DOES_NOT_HOLD:
                return self.denied(orders)
            case StatementKind.POSSIBLE:
                return not self.denied(orders)
            case StatementKind.NOT_DERIVABLE:
                return not all(map(self.closure.derives, orders))
            case StatementKind.LEFT_OPEN:
                return not (all(map(self.closure.derives, orders)) or self.denied(orders))
            case StatementKind.CLAIM_CONTRADICTORY:
                return self.status is Status.CONTRADICTORY
            case StatementKind.PREMISE_CONTRADICTORY:
                return not self.consistent
            case StatementKind.PREMISE_CONSISTENT:
                return self.consistent
            case StatementKind.TIMELINE:
                return self.fits(stated.instants)
            case StatementKind.ANSWER:
                return stated.label is self.label
            case _:
                return False


def _order(p: int, order: Order, q: int) -> PointOrder:
    sign, swapped = _SIGNS[order]
    if swapped or (sign == "=" and q < p):
        p, q = q, p
    return PointOrder(p, sign, q)


# --- The fewest sources of a derivation -----------------------------------------------------------


class Sources:
    """Relations of the premise and earlier right statements, as what a derivation may use."""

    def __init__(self, size: int) -> None:
        # From each point: (target, strict, number of the source; None for a duration).
        self._leaving: list[list[tuple[int, bool, int | None]]] = [
            [] if p & 1 else [(p + 1, True, None)] for p in range(size)
        ]
        self.names: list[Source] = []
        self._stated: set[Orders] = set()
        self._single: set[PointOrder] = set()

    def add(self, name: Source, orders: Orders) -> None:
        """Add a source that states some orders, unless an earlier one states as much."""
        if orders in self._stated or (len(orders) == 1 and orders[0] in self._single):
            return
        self._stated.add(orders)
        self._single.update(orders)
        for order in orders:
            for p, strict, q in edges(order):
                self._leaving[p].append((q, strict, len(self.names)))
        self.names.append(name)

    def fewest(
        self, needs: Sequence[tuple[Edge, bool]], free: Iterable[Edge] = ()
    ) -> frozenset[int] | None:
        """A smallest set of sources that derives all of some needs; None if none does.

        States of one need after the other are searched in the order of the number of sources; one
        that uses a superset of the sources of another like it is dropped.

        Args:
            needs: what is derived, each with whether by loose steps alone.
            free: further steps, which need no source.
        """
        leaving = self._leaving
        for p, strict, q in free:
            if leaving is self._leaving:
                leaving = [list(steps) for steps in leaving]
            leaving[p].append((q, strict, None))
        if not needs:
            return frozenset()
        ticket = count()
        first = (needs[0][0].lower, False, 0)
        queue: list[tuple[int, int, tuple[int, bool, int], frozenset[int]]] = [
            (0, next(ticket), first, frozenset())
        ]
        known: dict[tuple[int, bool, int], list[frozenset[int]]] = {}
        while queue:
            _, _, state, used = heappop(queue)
            smaller = known.setdefault(state, [])
            if any(other <= used for other in smaller):
                continue
            smaller.append(used)
            point, strict, place = state
            need, loosely = needs[place]
            if point == need.upper and (strict or not need.strict):
                if place + 1 == len(needs):
                    return used
                following = (needs[place + 1][0].lower, False, place + 1)
                heappush(queue, (len(used), next(ticket), following, used))
            for target, is_strict, source in leaving[point]:
                if not (loosely and is_strict):
                    now = used if source is None else used | {source}
                    arrived = (target, strict or is_strict, place)
                    heappush(queue, (len(now), next(ticket), arrived, now))
        return None

    def least(self, choices: Iterable[frozenset[int] | None]) -> tuple[Source, ...]:
        """The smallest of some sets of sources, by name; nothing if there is none."""
        found = [choice for choice in choices if choice is not None]
        best = min(found, key=lambda some: (len(some), sorted(some)), default=frozenset())
        return tuple(self.names[place] for place in sorted(best))


def needs_of(orders: Orders) -> list[tuple[Edge, bool]]:
    """What is to be derived for some orders; for an equation loose walks both ways."""
    return [(edge, sign == "=") for order in orders for sign in [order[1]] for edge in edges(order)]


def uses(premise: PremiseClosure, sources: Sources, stated: ReadStatement) -> tuple[Source, ...]:
    """A smallest set of sources of a right statement."""
    orders = stated.orders
    match stated.kind:
        case StatementKind.HOLDS:
            return sources.least([sources.fewest(needs_of(orders))])
        case StatementKind.DOES_NOT_HOLD:
            return sources.least(_refutations(premise, sources, orders))
        case StatementKind.CLAIM_CONTRADICTORY:
            return sources.least(contradictions(premise, sources))
        case StatementKind.PREMISE_CONTRADICTORY:
            points = range(premise.size)
            return sources.least(sources.fewest([(Edge(p, True, p), False)]) for p in points)
        case StatementKind.ANSWER:
            return sources.least(proofs(premise, sources))
        case _:
            return ()


def _refutations(
    premise: PremiseClosure, sources: Sources, orders: Orders
) -> Iterable[frozenset[int] | None]:
    for order in orders:
        for other in complements(order):
            yield sources.fewest(needs_of((other,)))
    if len(orders) > 1 and premise.consistent:
        free = [edge for order in orders for edge in edges(order)]
        for p, strict, q in free:
            yield sources.fewest([(Edge(q, not strict, p), False)], free)


def contradictions(premise: PremiseClosure, sources: Sources) -> Iterable[frozenset[int] | None]:
    """For each pair of points of the claim, the sources that put each before the other."""
    for p, q in premise.claimed.pairs:
        yield sources.fewest([(Edge(p, True, q), False), (Edge(q, False, p), False)])
        yield sources.fewest([(Edge(p, False, q), False), (Edge(q, True, p), False)])


def proofs(premise: PremiseClosure, sources: Sources) -> Iterable[frozenset[int] | None]:
    """Sets of sources that prove the status of a claim; none if it is unknown."""
    match premise.status:
        case Status.CONTRADICTORY:
            yield from contradictions(premise, sources)
        case Status.ENTAILED:
            yield sources.fewest(needs_of(premise.claimed.orders))
        case Status.REFUTED:
            for order in premise.claimed.orders:
                for other in complements(order):
                    yield sources.fewest(needs_of((other,)))


# --- A whole trace --------------------------------------------------------------------------------


def supplied(stated: ReadStatement) -> Orders:
    """The orders that a statement gives to later ones; of a single denied one, the complement."""
    if stated.kind is StatementKind.HOLDS:
        return stated.orders
    if stated.kind is StatementKind.DOES_NOT_HOLD and len(stated.orders) == 1:
        others = complements(stated.orders[0])
        return others if len(others) == 1 else ()
    return ()


def withdrawn(steps: Sequence[ReadStep]) -> frozenset[tuple[int, int]]:
    """The withdrawn statements, as (step, statement).

    A withdrawal takes back the statements of the last sentence before it that states anything, or
    those of the step that it names.
    """
    taken: set[tuple[int, int]] = set()
    last: list[tuple[int, int]] = []
    for place, step in enumerate(steps):
        number = 0
        for sentence in step.sentences:
            made: list[tuple[int, int]] = []
            for stated in sentence.statements:
                if stated.kind is StatementKind.WITHDRAWS:
                    named = stated.step
                    if named is None:
                        taken.update(made or last)
                        made, last = [], []
                    elif named < place:
                        taken.update(
                            (named, index) for index in range(len(steps[named].statements))
                        )
                elif stated.kind not in _SILENT:
                    made.append((place, number))
                number += 1
            last = made or last
    return frozenset(taken)


_SILENT = frozenset((StatementKind.WITHDRAWS, StatementKind.ASSUMED, StatementKind.UNREAD))


def decide(premise: PremiseClosure, steps: Sequence[ReadStep]) -> TraceVerdict:
    """The verdict of each statement, and what follows of the whole trace."""
    judge = _Judge(premise, withdrawn(steps))
    decided = tuple(
        Step(
            text=step.text,
            statements=tuple(
                judge.statement(place, index, stated)
                for index, stated in enumerate(step.statements)
            ),
        )
        for place, step in enumerate(steps)
    )
    bad = (StepVerdict.CONTRADICTS, StepVerdict.OPEN)
    answers = [
        statement.stated.label
        for step in decided
        for statement in step.statements
        if statement.kind is StatementKind.ANSWER and statement.verdict is not StepVerdict.WITHDRAWN
    ]
    return TraceVerdict(
        steps=decided,
        first_error=next(
            (
                place
                for place, step in enumerate(decided)
                if any(statement.verdict in bad for statement in step.statements)
            ),
            -1,
        ),
        support=support(premise, decided),
        status=premise.status,
        label=premise.label,
        answer=answers[-1] if answers else None,
    )


class _Judge:
    """Judges the statements of a trace in their order."""

    def __init__(self, premise: PremiseClosure, taken: frozenset[tuple[int, int]]) -> None:
        self._premise, self._taken = premise, taken
        self._sources = Sources(premise.size)
        self._stated: set[PointOrder] = set(premise.relations)
        self._wrong: list[Edge] = []
        for index, order in enumerate(premise.relations):
            self._sources.add(Source(index=index), (order,))

    def statement(self, step: int, index: int, stated: ReadStatement) -> Statement:
        """The statement with its verdict; what it supplies counts for later ones."""
        premise = self._premise
        if stated.kind is StatementKind.UNREAD:
            return Statement(stated=stated, verdict=StepVerdict.UNREAD)
        if stated.kind in _SILENT:
            return Statement(stated=stated, verdict=StepVerdict.NONE)
        if (step, index) in self._taken:
            return Statement(stated=stated, verdict=StepVerdict.WITHDRAWN)
        verdict = self._verdict(stated)
        used = uses(premise, self._sources, stated) if verdict in RIGHT else ()
        given = supplied(stated)
        if given and verdict in RIGHT:
            self._stated.update(given)
            self._sources.add(Source(step=step, index=index), given)
        elif verdict in WRONG:
            self._wrong += (edge for order in given for edge in edges(order))
        return Statement(stated=stated, verdict=verdict, uses=used)

    def _verdict(self, stated: ReadStatement) -> StepVerdict:
        premise = self._premise
        if stated.kind is not StatementKind.HOLDS:
            right = premise.right(stated)
            return StepVerdict.FOLLOWS if right else StepVerdict.CONTRADICTS
        if stated.orders and all(order in self._stated for order in stated.orders):
            return StepVerdict.RESTATED
        if premise.right(stated):
            return StepVerdict.FOLLOWS
        if premise.denied(stated.orders):
            return StepVerdict.CONTRADICTS
        if self._wrong:
            carried = Closure(premise.size, (*premise.edges, *self._wrong))
            if all(map(carried.derives, stated.orders)):
                return StepVerdict.CARRIED
        return StepVerdict.OPEN


def support(premise: PremiseClosure, steps: Sequence[Step]) -> Support:
    """Whether the right statements derive the status, without leaps or only with them."""
    right = [
        statement
        for step in steps
        for statement in step.statements
        if statement.verdict in RIGHT and statement.kind is not StatementKind.ANSWER
    ]
    careful = [statement for statement in right if not statement.leap]
    if _derives_status(premise, [statement.stated for statement in careful]):
        return Support.SUPPORTED
    if len(careful) < len(right) and _derives_status(
        premise, [statement.stated for statement in right]
    ):
        return Support.LEAPING
    return Support.UNSUPPORTED


def _derives_status(premise: PremiseClosure, right: Sequence[ReadStatement]) -> bool:
    if premise.status is Status.UNKNOWN:
        return _shows_unknown(premise, right)
    stated = [edge for row in right for order in supplied(row) for edge in edges(order)]
    closure = Closure(premise.size, stated)
    match premise.status:
        case Status.CONTRADICTORY:
            strict = closure.strict
            return any(strict[p] >> q & strict[q] >> p & 1 for p, q in premise.claimed.pairs)
        case Status.ENTAILED:
            return all(map(closure.derives, premise.claimed.orders))
        case _:
            return any(
                closure.derives(other)
                for order in premise.claimed.orders
                for other in complements(order)
            )


def _shows_unknown(premise: PremiseClosure, right: Sequence[ReadStatement]) -> bool:
    """Whether right statements show both that the claim may hold and that it may fail."""
    orders = premise.claimed.orders
    pairs = {frozenset((p, q)) for p, _, q in orders}
    holds = fails = False
    for stated in right:
        about = stated.orders
        match stated.kind:
            case StatementKind.LEFT_OPEN if {frozenset((p, q)) for p, _, q in about} <= pairs:
                holds = fails = True
            case StatementKind.NOT_DERIVABLE:
                fails |= set(about) <= set(orders)
                holds |= len(orders) == 1 and _implies(complements(orders[0]), about)
            case StatementKind.POSSIBLE:
                holds |= set(about) == set(orders) or (len(orders) == 1 and _implies(about, orders))
                fails |= any(_implies(about, complements(order)) for order in orders)
            case StatementKind.TIMELINE:
                value = holds_on(dict(stated.instants), orders)
                holds |= value is True
                fails |= value is False
            case _:
                pass
    return holds and fails


def _implies(about: Iterable[PointOrder], orders: Iterable[PointOrder]) -> bool:
    """Whether one of some orders is at least as strong as a single other one."""
    return any(
        (p, q) == (other.left, other.right) and sign in ("<", other.sign)
        for other in orders
        for p, sign, q in about
    )


def holds_on(at: dict[int, float], orders: Orders) -> bool | None:
    """Whether orders hold on a timeline; None if it lacks a point."""
    if any(p not in at or q not in at for p, _, q in orders):
        return None
    return all(
        at[p] < at[q] if sign == "<" else at[p] <= at[q] if sign == "<=" else at[p] == at[q]
        for p, sign, q in orders
    )
