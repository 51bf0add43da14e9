"""Creates the certificate of a verdict, and counts its hops."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from grammar.errors import ExitStatus, HopcheckError
from grammar.eventhop.model import (
    Certificate,
    Chain,
    Cycle,
    Item,
    Order,
    Point,
    Status,
    Step,
    Timelines,
    Verdict,
    Walk,
)
from solver.eventhop.engines.graph import (
    Inequality,
    NumberedItem,
    Requirements,
    number,
    requirements,
)


def components(follows: Sequence[Sequence[int]]) -> list[int]:
    """The component number of each node, in reverse topological order.

    Tarjan's algorithm, iterative because premises can be long.

    Args:
        follows: successors of each node.
    """
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
                q = follows[p][position]
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
    for p, part in enumerate(component):
        members[part].append(p)
    for part in range(len(instants) - 1, -1, -1):
        here = instants[part]
        for p in members[part]:
            for q, strict in follows[p]:
                there = component[q]
                if there != part and instants[there] < here + strict:
                    instants[there] = here + strict
    return [instants[part] for part in component]


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


class UncertifiableError(HopcheckError):
    """A verdict without a certificate: the engine that gave it is wrong."""

    code = "uncertifiable"
    exit_status = ExitStatus.DISAGREEMENT


def certify(item: Item, verdict: Verdict) -> Certificate:
    """A certificate of the verdict's status.

    Raises:
        UncertifiableError: there is none.
    """
    numbered = number(item)
    required = requirements(item, numbered)
    steps = Steps(numbered)
    if verdict.status is Status.ENTAILED:
        return _chain(numbered, [_walk(item, steps, goal) for goal in required.inequalities])
    if verdict.status is Status.REFUTED:
        return _chain(numbered, [_refutation(item, steps, required)])
    if verdict.status is Status.CONTRADICTORY:
        return _cycle(item, numbered, steps, required)
    return _timelines(item, numbered, steps, required)


def hops(certificate: Certificate) -> int | None:
    """Premise relations on the shortest proof of the status; None for *unknown*.

    The longest of several chains counts; for a contradiction, the closed walk through both points.
    """
    if isinstance(certificate, Timelines):
        return None
    if isinstance(certificate, Chain):
        return max(map(_premise_steps, certificate.walks), default=0)
    return _premise_steps(_way_round(certificate.forward, certificate.backward))


def _way_round(forward: Walk, backward: Walk) -> Walk:
    """The closed walk; a half without a strict step was extended by another round, cut here."""
    shorter, longer = sorted((forward, backward), key=len)
    loose = longer[: (len(longer) - len(shorter)) // 2]
    return loose + shorter if longer == loose + shorter + loose else forward + backward


def _premise_steps(walk: Walk) -> int:
    return sum(step.relation is not None for step in walk)


def _shortest(steps: Steps, goal: Inequality) -> Strides | None:
    goals = {State(goal.upper, True)}
    if not goal.strict:
        goals.add(State(goal.upper, False))
    arrivals = steps.arrivals(goal.lower, goals)
    return arrivals.walk_to(goal.upper, strict=goal.strict)


def _walk(item: Item, steps: Steps, goal: Inequality) -> Strides:
    walk = _shortest(steps, goal)
    if walk is None:
        raise UncertifiableError("no chain of premise relations derives the claim", where=item.id)
    return walk


def _refutation(item: Item, steps: Steps, required: Requirements) -> Strides:
    """The shortest walk that contradicts a requirement; the first of several."""
    found = (_shortest(steps, one.opposite) for one in required.inequalities)
    walks = [walk for walk in found if walk is not None]
    if not walks:
        raise UncertifiableError("no chain of premise relations refutes the claim", where=item.id)
    return min(walks, key=_cost)


def _cost(walk: Strides) -> int:
    return sum(stride.relation != AXIOM for stride in walk)


def _cycle(item: Item, numbered: NumberedItem, steps: Steps, required: Requirements) -> Cycle:
    """The closed strict walk of fewest premise relations through two claimed points."""
    goals = [State(p, True) for p in required.points]
    arrivals = {p: steps.arrivals(p, goals) for p in required.points}
    loops = [loop for p, q in required.pairs if (loop := _loop(arrivals[p], arrivals[q]))]
    if not loops:
        raise UncertifiableError("no two claimed points contradict each other", where=item.id)
    shortest = min(loops, key=lambda loop: loop.cost)
    forward, backward = shortest.walks()
    return Cycle(
        forward=_named(numbered, forward),
        backward=_named(numbered, backward),
        core=_core(numbered, [*forward, *backward]),
    )


@dataclass(frozen=True, slots=True)
class _Loop:
    """A closed walk through two points; ``strict_out``: the first half has the strict step."""

    out: Arrivals
    back: Arrivals
    strict_out: bool
    cost: int

    def walks(self) -> tuple[Strides, Strides]:
        """A strict walk each way; no way back if both points are the same."""
        p, q = self.out.source, self.back.source
        out = self.out.walk_to(q, strict=self.strict_out) or []
        if p == q:
            return out, []
        back = self.back.walk_to(p, strict=not self.strict_out) or []
        # If only one half is strict, the other is extended by another round to make it strict.
        if not any(stride.strict for stride in out):
            return [*out, *back, *out], back
        if not any(stride.strict for stride in back):
            return out, [*back, *out, *back]
        return out, back


def _loop(p: Arrivals, q: Arrivals) -> _Loop | None:
    out, back = p.cost_to(q.source, strict=True), q.cost_to(p.source, strict=True)
    if out is None or back is None:
        return None
    if p is q:
        return _Loop(p, q, True, out)
    strict_out = out + (q.cost_to(p.source, strict=False) or 0)
    strict_back = (p.cost_to(q.source, strict=False) or 0) + back
    return _Loop(p, q, strict_out <= strict_back, min(strict_out, strict_back))


def _core(numbered: NumberedItem, loop: Strides) -> tuple[int, ...]:
    """A minimal unsatisfiable core of the relations on a closed strict walk.

    If every cycle uses one relation, the pivot, and the shortest cycle uses all relations, then the
    set is minimal: a proper subset with a cycle would have a shorter one.
    """
    core = sorted({stride.relation for stride in loop} - {AXIOM})
    while True:
        few = _among(numbered, core)
        cycle = Steps(few, range(1, len(core))).cycle()
        if cycle is None:
            pivot, _, _ = few.relations[0]
            cycle = Steps(few).arrivals(pivot, [State(pivot, True)]).walk_to(pivot, strict=True)
        kept = sorted({core[s.relation] for s in cycle or [] if s.relation != AXIOM})
        if len(kept) == len(core):
            return tuple(core)
        core = kept


def _among(numbered: NumberedItem, relations: list[int]) -> NumberedItem:
    """Restrict an item to some relations and their events, which makes searches small."""
    events: dict[int, int] = {}

    def point(p: int) -> int:
        return 2 * events.setdefault(p >> 1, len(events)) + (p & 1)

    few = tuple(
        (point(p), order, point(q)) for p, order, q in (numbered.relations[r] for r in relations)
    )
    return NumberedItem(
        events=tuple(numbered.events[e] for e in events), relations=few, claim=(0, 0)
    )


def _timelines(
    item: Item, numbered: NumberedItem, steps: Steps, required: Requirements
) -> Timelines:
    underivable = next((r for r in required.inequalities if _shortest(steps, r) is None), None)
    if underivable is None:
        raise UncertifiableError("the claim holds on every timeline", where=item.id)
    return Timelines(
        holds=_timeline(numbered, place(numbered, required.inequalities)),
        fails=_timeline(numbered, place(numbered, [underivable.opposite])),
    )


def _timeline(numbered: NumberedItem, instants: list[int]) -> dict[Point, int]:
    return {numbered.point(p): instant for p, instant in enumerate(instants)}


def _chain(numbered: NumberedItem, walks: Iterable[Strides]) -> Chain:
    # A trivial inequality p <= p needs no walk.
    return Chain(walks=tuple(_named(numbered, walk) for walk in walks if walk))


def _named(numbered: NumberedItem, walk: Strides) -> Walk:
    return tuple(_step(numbered, stride) for stride in walk)


def _step(numbered: NumberedItem, stride: Stride) -> Step:
    return Step(
        source=numbered.point(stride.source),
        target=numbered.point(stride.target),
        strict=stride.strict,
        relation=None if stride.relation == AXIOM else stride.relation,
    )
