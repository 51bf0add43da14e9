"""Creates the certificate of a verdict, and counts its hops."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from grammar.errors import ExitStatus, HopcheckError
from grammar.eventhop.model import (
    STRICT_ORDERS,
    Certificate,
    Distances,
    Item,
    Order,
    Status,
    Verdict,
    Walk,
)
from solver.eventhop.engines.graph import (
    Inequality,
    NumberedItem,
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
        path, left = [root], [iter(follows[root])]
        clock += 1
        index[root] = low[root] = clock
        stack.append(root)
        while path:
            p = path[-1]
            for q in left[-1]:
                if not index[q]:
                    clock += 1
                    index[q] = low[q] = clock
                    stack.append(q)
                    path.append(q)
                    left.append(iter(follows[q]))
                    break
                if component[q] < 0 and index[q] < low[p]:
                    low[p] = index[q]
            else:
                path.pop()
                left.pop()
                if low[p] == index[p]:
                    while component[p] < 0:
                        component[stack.pop()] = found
                    found += 1
                elif low[p] < low[path[-1]]:
                    low[path[-1]] = low[p]
    return component


Step: TypeAlias = tuple[int, int, bool, int | None]
"""From a point to a point, whether strict, and the relation; None for a duration axiom."""

Timeline: TypeAlias = list[int]
"""The instant of each point."""


class Steps:
    """The steps of a premise."""

    def __init__(self, item: NumberedItem, relations: Iterable[int] | None = None) -> None:
        """Use all premise relations, or only those with the given indices."""
        size = 2 * len(item.events)
        self._leaving: list[list[Step]] = [
            [] if p & 1 else [(p, p + 1, True, None)] for p in range(size)
        ]
        every = range(len(item.relations)) if relations is None else relations
        for index in every:
            p, order, q = item.relations[index]
            if order is Order.AFTER or order is Order.NOT_BEFORE:
                p, q = q, p
            self._leaving[p].append((p, q, order in STRICT_ORDERS, index))
            if order is Order.SIMULTANEOUS:
                self._leaving[q].append((q, p, False, index))

    def place(self, extra: Iterable[Inequality] = (), *, apart: bool = False) -> Timeline:
        """An instant, from 0, for each point.

        The points of a strongly connected component share an instant: simultaneous ones and those
        of a cycle. Between components, all steps and the extra inequalities are satisfied.

        Args:
            extra: inequalities that are not in the premise.
            apart: whether each component has an instant of its own; otherwise, the earliest one.
        """
        leaving = self._leaving
        for count, (p, strict, q) in enumerate(extra):
            if not count:
                leaving = [list(steps) for steps in leaving]
            leaving[p].append((p, q, strict, None))
        component = components([[step[1] for step in steps] for steps in leaving])
        # Components are numbered in reverse topological order: count down to go forwards.
        last = max(component, default=-1)
        if apart:
            return [last - part for part in component]
        instants = [0] * (last + 1)
        members: list[list[int]] = [[] for _ in instants]
        for p, part in enumerate(component):
            members[part].append(p)
        for part in range(last, -1, -1):
            here = instants[part]
            for p in members[part]:
                for _, q, strict, _ in leaving[p]:
                    there = component[q]
                    if there != part and instants[there] < here + strict:
                        instants[there] = here + strict
        return [instants[part] for part in component]

    def loose_instants(self, timeline: Timeline) -> set[int]:
        """The instants at which both points of a strict step are."""
        return {
            timeline[p]
            for steps in self._leaving
            for p, q, strict, _ in steps
            if strict and timeline[p] == timeline[q]
        }

    def search(self, source: int, stop: Callable[[int], bool]) -> Search:
        """The shortest walks from a point, those of fewer relations first.

        A state is ``2 * point + strict``, where ``strict`` is 1 if a step of the walk was strict.

        Args:
            source: the point.
            stop: whether to end the search, called with each state that is reached.
        """
        leaving = self._leaving
        cost: dict[int, int] = {}
        last: dict[int, tuple[int, int | None]] = {}
        level: list[tuple[int, int, int | None]] = [(2 * source, -1, None)]
        depth = 0
        while level:
            then: list[tuple[int, int, int | None]] = []
            for state, before, by in level:
                if state in cost:
                    continue
                cost[state] = depth
                last[state] = before, by
                if stop(state):
                    return Search(source=source, cost=cost, last=last, depth=depth)
                was_strict = state & 1
                for _, q, strict, relation in leaving[state >> 1]:
                    after = 2 * q + (strict or was_strict)
                    if after not in cost:
                        # A duration costs nothing: it leads to a state of the same level.
                        (level if relation is None else then).append((after, state, relation))
            level = then
            depth += 1
        return Search(source=source, cost=cost, last=last, depth=None)

    def derive(self, goal: Inequality) -> Search:
        """Search for the shortest walk that derives an inequality."""
        end = 2 * goal.upper + 1
        if goal.strict:
            return self.search(goal.lower, lambda state: state == end)
        return self.search(goal.lower, lambda state: state | 1 == end)

    def cycle(self) -> Walk | None:
        """A closed walk with a strict step, the shortest through its first point, or None.

        One exists iff a strict step stays within a strongly connected component.
        """
        component = components([[step[1] for step in steps] for steps in self._leaving])
        for steps in self._leaving:
            for p, q, strict, _ in steps:
                if strict and component[p] == component[q]:
                    return self.derive(Inequality(p, True, p)).walk_to(p, strict=True)
        return None


def place(item: NumberedItem, extra: Iterable[Inequality]) -> Timeline:
    """The earliest possible instant for each point: ``Steps.place``."""
    return Steps(item).place(extra)


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """The shortest walks from one point.

    Attributes:
        source: the point.
        cost: premise relations for each state that was reached.
        last: the state before, and the relation of the step between.
        depth: a lower bound for the other states; None if no walk leads there.
    """

    source: int
    cost: dict[int, int]
    last: dict[int, tuple[int, int | None]]
    depth: int | None

    def cost_to(self, target: int, *, strict: bool) -> int | None:
        """Premise relations on the shortest walk; with a strict step if ``strict``."""
        end = self._end(target, strict=strict)
        return None if end is None else self.cost[end]

    def walk_to(self, target: int, *, strict: bool) -> Walk | None:
        """The shortest walk; None if there is none."""
        end = self._end(target, strict=strict)
        if end is None:
            return None
        backwards: list[int | None] = []
        while True:
            before, relation = self.last[end]
            if before < 0:
                return Walk(self.source, tuple(reversed(backwards)))
            backwards.append(relation)
            end = before

    def _end(self, target: int, *, strict: bool) -> int | None:
        ends = [2 * target + 1] if strict else [2 * target, 2 * target + 1]
        reached = [end for end in ends if end in self.cost]
        return min(reached, key=self.cost.__getitem__, default=None)

    def distances(self, hops: int) -> Distances:
        """The costs as lower bounds, none above ``hops``."""
        beyond = hops if self.depth is None else min(self.depth, hops)
        cost = self.cost
        points = sorted({state >> 1 for state, relations in cost.items() if relations < beyond})
        near = [
            (p, min(cost.get(2 * p, beyond), beyond), min(cost.get(2 * p + 1, beyond), beyond))
            for p in points
        ]
        return Distances(self.source, beyond, tuple(near))


class UncertifiableError(HopcheckError):
    """A verdict without a certificate: the engine that gave it is wrong."""

    code = "uncertifiable"
    exit_status = ExitStatus.DISAGREEMENT


def certify(item: Item, verdict: Verdict) -> Certificate:
    """A certificate of the whole verdict.

    Raises:
        UncertifiableError: there is none.
    """
    return _Maker(item, verdict).certificate()


def hops(certificate: Certificate) -> int | None:
    """Premise relations on the shortest proof of the status; None for *unknown*.

    The longest of several walks counts; for a contradiction, the closed walk through both points.
    """
    if certificate.walks:
        return max(map(relations, certificate.walks))
    if certificate.timelines or certificate.cycle is None:
        return None
    return relations(certificate.cycle)


def relations(walk: Walk) -> int:
    """The number of premise relations on a walk."""
    return len(walk.steps) - walk.steps.count(None)


class _Maker:
    """Makes the parts of one certificate."""

    def __init__(self, item: Item, verdict: Verdict) -> None:
        self._id = item.id
        self._verdict = verdict
        self._numbered = number(item)
        self._required = requirements(item, self._numbered)
        self._needs = self._required.inequalities
        self._steps = Steps(self._numbered)

    def certificate(self) -> Certificate:
        status = self._verdict.status
        if status is Status.CONTRADICTORY:
            return self._contradiction()
        walks: Sequence[Walk] = ()
        searches: Sequence[Search] = ()
        if status is Status.ENTAILED:
            walks, searches = self._derivations()
        elif status is Status.REFUTED:
            walks, searches = self._refutation()
        fewest = max(map(relations, walks), default=0)
        return Certificate(
            events=self._numbered.events,
            walks=tuple(walks),
            cycle=self._cycle(),
            timelines=tuple(tuple(timeline) for timeline in self._timelines()),
            distances=tuple(search.distances(fewest) for search in searches) if fewest else (),
        )

    def _failure(self, message: str) -> UncertifiableError:
        return UncertifiableError(message, where=self._id)

    def _cycle(self) -> Walk | None:
        if self._verdict.consistent:
            return None
        cycle = self._steps.cycle()
        if cycle is None:
            raise self._failure("no closed strict walk: the premise is consistent")
        return cycle

    def _derivations(self) -> tuple[list[Walk], list[Search]]:
        """The shortest walk for each requirement; the search for the longest of them."""
        walks: list[Walk] = []
        longest: list[Search] = []
        for goal in self._needs:
            search = self._steps.derive(goal)
            walk = search.walk_to(goal.upper, strict=goal.strict)
            if walk is None:
                raise self._failure("no walk along the premise derives the claim")
            if relations(walk) > max(map(relations, walks), default=-1):
                longest = [search]
            walks.append(walk)
        return walks, longest

    def _refutation(self) -> tuple[list[Walk], list[Search]]:
        """The shortest walk that contradicts a requirement, the first of several; all searches."""
        walks, searches = [], []
        for need in self._needs:
            goal = need.opposite
            search = self._steps.derive(goal)
            searches.append(search)
            walk = search.walk_to(goal.upper, strict=goal.strict)
            if walk is not None:
                walks.append(walk)
        if not walks:
            raise self._failure("no walk along the premise refutes the claim")
        return [min(walks, key=relations)], searches

    def _contradiction(self) -> Certificate:
        """The closed strict walk of fewest premise relations through two claimed points."""
        points = self._required.points
        searches = {}
        for p in points:
            missing = {2 * q + 1 for q in points}

            def stop(state: int, missing: set[int] = missing) -> bool:
                missing.discard(state)
                return not missing

            searches[p] = self._steps.search(p, stop)
        pairs = self._required.pairs
        loops = [loop for p, q in pairs if (loop := _loop(searches[p], searches[q])) is not None]
        if not loops:
            raise self._failure("no two claimed points contradict each other")
        cycle = min(loops, key=lambda loop: loop[0])[1]()
        return Certificate(
            events=self._numbered.events,
            cycle=cycle,
            distances=tuple(search.distances(relations(cycle)) for search in searches.values()),
        )

    def _timelines(self) -> list[Timeline]:
        """Timelines for all that is not derivable.

        Adding an inequality whose opposite is not derivable closes no strict cycle, so a timeline
        of the premise and the inequality is a counterexample for the opposite.
        """
        apart = not self._verdict.consistent
        if self._verdict.status is not Status.UNKNOWN:
            return [self._steps.place(apart=apart)]
        timelines = [self._steps.place(self._needs, apart=apart), self._fails(apart=apart)]
        for need in self._needs:
            if not any(self._refutes(timeline, need.opposite) for timeline in timelines):
                timelines.append(self._steps.place([need], apart=apart))
        if not any(self._is_base(timeline) for timeline in timelines):
            timelines.append(self._steps.place(apart=apart))
        return timelines

    def _fails(self, *, apart: bool) -> Timeline:
        """A timeline on which a requirement of the claim fails."""
        for need in self._needs:
            timeline = self._steps.place([need.opposite], apart=apart)
            if self._refutes(timeline, need):
                return timeline
        raise self._failure("the claim holds on every timeline")

    def _refutes(self, timeline: Timeline, goal: Inequality) -> bool:
        """Whether a timeline shows that an inequality cannot be derived."""
        lower, upper = timeline[goal.lower], timeline[goal.upper]
        if lower != upper or not goal.strict:
            return upper < lower
        return lower not in self._steps.loose_instants(timeline)

    def _is_base(self, timeline: Timeline) -> bool:
        """Whether a timeline is a model, or separates the claim's points if there is no model."""
        loose = self._steps.loose_instants(timeline)
        if self._verdict.consistent or not loose:
            return not loose
        return all(
            timeline[p] != timeline[q] or timeline[p] not in loose for p, q in self._required.pairs
        )


def _loop(p: Search, q: Search) -> tuple[int, Callable[[], Walk]] | None:
    """The shortest closed strict walk through two points: its cost, and how to make it."""
    out, back = p.cost_to(q.source, strict=True), q.cost_to(p.source, strict=True)
    if out is None or back is None:
        return None
    if p is q:
        return out, lambda: _joined(p, q, strict_out=True)
    strict_out = out + (q.cost_to(p.source, strict=False) or 0)
    strict_back = (p.cost_to(q.source, strict=False) or 0) + back
    if strict_out <= strict_back:
        return strict_out, lambda: _joined(p, q, strict_out=True)
    return strict_back, lambda: _joined(p, q, strict_out=False)


def _joined(p: Search, q: Search, *, strict_out: bool) -> Walk:
    """The walk from one point to the other and back; one of the halves has a strict step."""
    out = p.walk_to(q.source, strict=strict_out)
    back = None if p is q else q.walk_to(p.source, strict=not strict_out)
    return Walk(p.source, (*(out.steps if out else ()), *(back.steps if back else ())))


def core(item: NumberedItem, cycle: Collection[int]) -> tuple[int, ...]:
    """A minimal unsatisfiable core of the relations on a closed strict walk.

    If every cycle uses one relation, the pivot, and the shortest cycle uses all relations, then the
    set is minimal: a proper subset with a cycle would have a shorter one.
    """
    left = sorted(cycle)
    while True:
        few = _among(item, left)
        walk = Steps(few, range(1, len(left))).cycle()
        if walk is None:
            pivot, _, _ = few.relations[0]
            walk = Steps(few).derive(Inequality(pivot, True, pivot)).walk_to(pivot, strict=True)
        steps = () if walk is None else walk.steps
        kept = sorted({left[relation] for relation in steps if relation is not None})
        if len(kept) == len(left):
            return tuple(left)
        left = kept


def _among(item: NumberedItem, relations: list[int]) -> NumberedItem:
    """Restrict an item to some relations and their events, which makes searches small."""
    events: dict[int, int] = {}

    def point(p: int) -> int:
        return 2 * events.setdefault(p >> 1, len(events)) + (p & 1)

    few = tuple(
        (point(p), order, point(q)) for p, order, q in (item.relations[r] for r in relations)
    )
    return NumberedItem(events=tuple(item.events[e] for e in events), relations=few, claim=(0, 0))
