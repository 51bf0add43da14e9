"""Checks certificates step by step; shares no code with their generation.

Simple rather than fast: this module and the model types are all that has to be trusted.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from grammar.eventhop.model import (
    AllenRelation,
    Bound,
    Certificate,
    Chain,
    Claim,
    ClaimRelation,
    Cycle,
    Item,
    Order,
    Point,
    Relation,
    Status,
    Step,
    Timeline,
    Timelines,
    Walk,
)


class Fact(NamedTuple):
    """``lower < upper`` if strict, ``lower <= upper`` if not."""

    lower: Point
    strict: bool
    upper: Point

    @property
    def opposite(self) -> Fact:
        """The negation."""
        return Fact(self.upper, not self.strict, self.lower)

    def implies(self, other: Fact) -> bool:
        """Whether this implies another fact about the same two points."""
        same = (self.lower, self.upper) == (other.lower, other.upper)
        return same and (self.strict or not other.strict)

    def holds(self, timeline: Timeline) -> bool:
        """Whether a timeline satisfies this."""
        lower, upper = timeline[self.lower], timeline[self.upper]
        return lower < upper or (lower == upper and not self.strict)


def relation_facts(relation: Relation) -> list[Fact]:
    """The facts equivalent to a sentence, or to a claim about two points."""
    left, right = relation.left, relation.right
    if relation.order is Order.BEFORE:
        return [Fact(left, True, right)]
    if relation.order is Order.AFTER:
        return [Fact(right, True, left)]
    return [Fact(left, False, right), Fact(right, False, left)]


def duration_facts(events: Iterable[str]) -> list[Fact]:
    """The duration axiom of each event."""
    return [Fact(_start(event), True, _end(event)) for event in sorted(events)]


def claimed_points(item: Item) -> set[Point]:
    """The points of the claim."""
    claim = item.claim
    if isinstance(claim, Relation):
        return {claim.left, claim.right}
    return {make(event) for event in (claim.left, claim.right) for make in (_start, _end)}


def claim_facts(item: Item) -> list[Fact]:
    """The facts whose conjunction is equivalent to the claim."""
    claim = item.claim
    if isinstance(claim, Relation):
        return relation_facts(claim)
    a, b = claim.left, claim.right
    if claim.relation is ClaimRelation.BEFORE:
        return [Fact(_end(a), False, _start(b))]
    if claim.relation is ClaimRelation.AFTER:
        return [Fact(_end(b), False, _start(a))]
    if claim.relation is ClaimRelation.OVERLAPS:
        return [Fact(_start(a), True, _end(b)), Fact(_start(b), True, _end(a))]
    return [fact for relation in _allen(claim) for fact in relation_facts(relation)]


def _allen(claim: Claim) -> list[Relation]:
    """Allen's relation as comparisons, written ``point of A, sign, point of B``."""
    signs = {"<": Order.BEFORE, ">": Order.AFTER, "=": Order.SIMULTANEOUS}
    points = {"s": _start, "e": _end}
    return [
        Relation(left=points[c[0]](claim.left), order=signs[c[1]], right=points[c[2]](claim.right))
        for c in _ALLEN[AllenRelation(claim.relation)].split()
    ]


_ALLEN = {
    AllenRelation.PRECEDES: "e<s",
    AllenRelation.PRECEDED_BY: "s>e",
    AllenRelation.MEETS: "e=s",
    AllenRelation.MET_BY: "s=e",
    AllenRelation.OVERLAPS: "s<s e>s e<e",
    AllenRelation.OVERLAPPED_BY: "s>s s<e e>e",
    AllenRelation.STARTS: "s=s e<e",
    AllenRelation.STARTED_BY: "s=s e>e",
    AllenRelation.FINISHES: "s>s e=e",
    AllenRelation.FINISHED_BY: "s<s e=e",
    AllenRelation.DURING: "s>s e<e",
    AllenRelation.CONTAINS: "s<s e>e",
    AllenRelation.EQUALS: "s=s e=e",
}


def _start(event: str) -> Point:
    return Point(event=event, bound=Bound.START)


def _end(event: str) -> Point:
    return Point(event=event, bound=Bound.END)


class Steps:
    """Some relations of a premise as facts, with the duration axioms of their events."""

    def __init__(self, item: Item, relations: Iterable[int]) -> None:
        stated = [fact for index in relations for fact in relation_facts(item.premise[index])]
        points = {point for fact in stated for point in (fact.lower, fact.upper)}
        axioms = duration_facts({point.event for point in points | claimed_points(item)})
        self.facts = stated + axioms
        self._leaving: dict[Point, list[tuple[Fact, int]]] = {}
        for facts, cost in ((stated, 1), (axioms, 0)):
            for fact in facts:
                self._leaving.setdefault(fact.lower, []).append((fact, cost))

    def derive(self, goal: Fact) -> bool:
        """Whether a walk derives the goal."""
        return self.distance(goal) < math.inf

    def distance(self, goal: Fact) -> float:
        """Fewest premise relations on a walk that derives the goal; infinite if there is none."""
        queue = deque([(goal.lower, False, 0)])
        settled: set[tuple[Point, bool]] = set()
        while queue:
            point, strict, cost = queue.popleft()
            if (point, strict) in settled:
                continue
            settled.add((point, strict))
            if point == goal.upper and (strict or not goal.strict):
                return cost
            for fact, price in self._leaving.get(point, ()):
                then = (fact.upper, strict or fact.strict, cost + price)
                if price:
                    queue.append(then)
                else:
                    queue.appendleft(then)
        return math.inf

    def consistent(self) -> bool:
        """Whether the facts are satisfiable: no closed walk has a strict step."""
        place = self._representatives()
        waits = dict.fromkeys(place.values(), 0)
        follows: dict[Point, list[Point]] = {}
        for fact in self.facts:
            if fact.strict:
                waits[place[fact.upper]] += 1
                follows.setdefault(place[fact.lower], []).append(place[fact.upper])
        ready = [point for point, count in waits.items() if not count]
        placed = 0
        while ready:
            placed += 1
            for point in follows.get(ready.pop(), ()):
                waits[point] -= 1
                if not waits[point]:
                    ready.append(point)
        return placed == len(waits)

    def _representatives(self) -> dict[Point, Point]:
        """For each point, the representative of its class of simultaneous points."""
        equal: dict[Point, list[Point]] = {}
        for fact in self.facts:
            for point in (fact.lower, fact.upper):
                equal.setdefault(point, [])
            if not fact.strict:
                equal[fact.lower].append(fact.upper)
        place: dict[Point, Point] = {}
        for first in equal:
            fresh = [] if first in place else [first]
            while fresh:
                point = fresh.pop()
                if point not in place:
                    place[point] = first
                    fresh += equal[point]
        return place


class _CertificateError(Exception):
    """A certificate does not prove its status."""


def certificate_error(item: Item, status: Status, certificate: Certificate) -> str | None:
    """Check a certificate.

    Returns:
        None if the certificate proves the item's status, otherwise the reason why it does not.
    """
    try:
        if isinstance(certificate, Chain) and status is Status.ENTAILED:
            _check_chain(item, certificate, claim_facts(item), require_all=True)
        elif isinstance(certificate, Chain) and status is Status.REFUTED:
            opposites = [fact.opposite for fact in claim_facts(item)]
            _check_chain(item, certificate, opposites, require_all=False)
        elif isinstance(certificate, Cycle) and status is Status.CONTRADICTORY:
            _check_cycle(item, certificate)
        elif isinstance(certificate, Timelines) and status is Status.UNKNOWN:
            _check_timelines(item, certificate)
        else:
            kind = type(certificate).__name__.lower()
            return f"a certificate of kind {kind} cannot prove the status {status}"
    except _CertificateError as error:
        return str(error)
    return None


def _check_chain(item: Item, chain: Chain, goals: list[Fact], *, require_all: bool) -> None:
    """Each walk derives one of the goals and needs every relation it uses."""
    # The trivial p <= p needs no walk.
    derived_goals = {goal for goal in goals if goal.lower == goal.upper and not goal.strict}
    _require(bool(chain.walks or derived_goals), "there is no walk")
    for walk in chain.walks:
        derived = _check_walk(item, walk)
        implied = [goal for goal in goals if derived.implies(goal)]
        _require(bool(implied), "a walk derives nothing that proves the status")
        derived_goals.update(implied)
        _require_all_needed(item, walk, implied)
    _require(
        not require_all or derived_goals == set(goals),
        "the walks do not derive all requirements of the claim",
    )


def _require_all_needed(item: Item, walk: Walk, goals: list[Fact]) -> None:
    """Without any one of its premise relations, a walk no longer derives its goal."""
    used = {step.relation for step in walk if step.relation is not None}
    steps = Steps(item, used)
    if steps.consistent():
        # No walk needs a relation twice here, so a walk without one of them would be shorter.
        shortest = min(steps.distance(goal) for goal in goals)
        _require(shortest == len(used), "the walk does not need all the relations it uses")
        return
    for spare in sorted(used):
        rest = Steps(item, used - {spare})
        needless = any(rest.derive(goal) for goal in goals)
        _require(not needless, f"the walk does not need relation {spare} of the premise")


def _check_cycle(item: Item, cycle: Cycle) -> None:
    """Two claimed points are each before the other, and the core is minimal unsatisfiable."""
    there = _check_walk(item, cycle.forward)
    _require(there.strict, "the forward walk has no strict step")
    p, q = there.lower, there.upper
    _require({p, q} <= claimed_points(item), "the walks' points are not points of the claim")
    if p == q:
        itself = item.claim.left == item.claim.right
        _require(itself, "the claim does not compare a point with itself")
        _require(not cycle.backward, "a closed forward walk allows no backward walk")
    else:
        back = _check_walk(item, cycle.backward)
        _require(back.strict, "the backward walk has no strict step")
        _require((back.lower, back.upper) == (q, p), "the walks do not join the same two points")
    _check_core(item, cycle, p)


def _check_core(item: Item, cycle: Cycle, p: Point) -> None:
    """The core is unsatisfiable and minimal, and in the strongly connected component of p."""
    core = set(cycle.core)
    _require(core <= set(range(len(item.premise))), "the core names a relation that does not exist")
    steps = Steps(item, core)
    _require(not steps.consistent(), "the core is satisfiable")
    pivot = min(core)
    _require(Steps(item, core - {pivot}).consistent(), f"the core does not need {pivot}")
    # So every cycle uses the pivot, and one without some other relation would be shorter.
    start = item.premise[pivot].left
    shortest = steps.distance(Fact(start, True, start))
    _require(shortest == len(core), "the core does not need all of its relations")
    walked = {step.relation for step in (*cycle.forward, *cycle.backward)}
    if core <= walked:
        return
    whole = Steps(item, range(len(item.premise)))
    for index in sorted(core):
        end = item.premise[index].left
        linked = whole.derive(Fact(p, False, end)) and whole.derive(Fact(end, False, p))
        _require(linked, f"relation {index} of the core is not in the pair's component")


def _check_timelines(item: Item, timelines: Timelines) -> None:
    """Both timelines satisfy the premise; the claim holds in one and fails in the other."""
    steps = Steps(item, range(len(item.premise)))
    points = {point for fact in steps.facts for point in (fact.lower, fact.upper)}
    for timeline in (timelines.holds, timelines.fails):
        _require(points <= set(timeline), "a point has no instant")
        for fact in steps.facts:
            if not fact.holds(timeline):
                # Only constraints on a cycle may be violated, and there all points coincide.
                _require(
                    timeline[fact.lower] == timeline[fact.upper]
                    and steps.derive(Fact(fact.upper, False, fact.lower)),
                    f"{fact.lower} has to come before {fact.upper}",
                )
    claimed = claim_facts(item)
    _require(
        all(fact.holds(timelines.holds) for fact in claimed), "the claim fails where it should hold"
    )
    _require(
        not all(fact.holds(timelines.fails) for fact in claimed),
        "the claim holds where it should fail",
    )


def _check_walk(item: Item, walk: Walk) -> Fact:
    """Check the steps of a walk; returns the fact that they derive."""
    _require(bool(walk), "a walk has no step")
    for step in walk:
        _require(_justified(item, step), f"unjustified step: {step.source}, then {step.target}")
    joined = all(step.target == then.source for step, then in pairwise(walk))
    _require(joined, "the steps of a walk do not join")
    return Fact(walk[0].source, any(step.strict for step in walk), walk[-1].target)


def _justified(item: Item, step: Step) -> bool:
    """Whether a step is a premise relation or a duration axiom."""
    fact = Fact(step.source, step.strict, step.target)
    if step.relation is None:
        return fact in duration_facts([step.source.event])
    if not 0 <= step.relation < len(item.premise):
        return False
    return fact in relation_facts(item.premise[step.relation])


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise _CertificateError(message)
