"""Replays certificates step by step; shares no code with what made them.

Slow and plain on purpose: whoever doubts a label should be able to read this file and
``meaning.py`` alone.
"""

from __future__ import annotations

from itertools import pairwise

from solver.certificates.derivation import Steps
from solver.certificates.meaning import Fact, claimed_points, demands, lasting, said
from solver.model import Certificate, Chain, Cycle, Item, Point, Status, Step, Timelines, Walk


class _ObjectionError(Exception):
    """Why a certificate does not show its status."""


def objection(item: Item, status: Status, certificate: Certificate) -> str | None:
    """Why the certificate does not show the item's status; None if it does."""
    try:
        if isinstance(certificate, Chain) and status is Status.ENTAILED:
            _replay_chain(item, certificate, demands(item), all_of_them=True)
        elif isinstance(certificate, Chain) and status is Status.REFUTED:
            opposites = [fact.opposite for fact in demands(item)]
            _replay_chain(item, certificate, opposites, all_of_them=False)
        elif isinstance(certificate, Cycle) and status is Status.CONTRADICTORY:
            _replay_cycle(item, certificate)
        elif isinstance(certificate, Timelines) and status is Status.UNKNOWN:
            _replay_timelines(item, certificate)
        else:
            kind = type(certificate).__name__.lower()
            return f"a certificate of the kind {kind} cannot show the status {status}"
    except _ObjectionError as found:
        return str(found)
    return None


def _replay_chain(item: Item, chain: Chain, goals: list[Fact], *, all_of_them: bool) -> None:
    """Each walk derives one of the goals and needs every relation it uses."""
    # A point is no later than itself: nothing has to be derived for that.
    met = {goal for goal in goals if goal.lower == goal.upper and not goal.strict}
    _require(bool(chain.walks or met), "there is no walk")
    for walk in chain.walks:
        derived = _replay_walk(item, walk)
        served = [goal for goal in goals if derived.implies(goal)]
        _require(bool(served), "a walk derives nothing that shows the status")
        met.update(served)
        _require_all_needed(item, walk, served)
    _require(not all_of_them or met == set(goals), "the walks do not derive all the claim needs")


def _require_all_needed(item: Item, walk: Walk, goals: list[Fact]) -> None:
    """With any one of its premise relations taken away, a walk no longer derives its goal."""
    used = {step.relation for step in walk if step.relation is not None}
    steps = Steps(item, used)
    if steps.consistent():
        # No walk needs a relation twice here, so whatever does without one takes fewer steps.
        shortest = min(steps.distance(goal) for goal in goals)
        _require(shortest == len(used), "the walk does not need all the relations it uses")
        return
    for spare in sorted(used):
        rest = Steps(item, used - {spare})
        needless = any(rest.derive(goal) for goal in goals)
        _require(not needless, f"the walk does not need relation {spare} of the premise")


def _replay_cycle(item: Item, cycle: Cycle) -> None:
    """Two points before each other; and a smallest set of relations that cannot all be true."""
    there = _replay_walk(item, cycle.forward)
    _require(there.strict, "the forward walk has no strict step")
    p, q = there.lower, there.upper
    _require({p, q} <= claimed_points(item), "the claim does not speak of the walks' points")
    if p == q:
        itself = item.claim.left == item.claim.right
        _require(itself, "the claim does not set a point beside itself")
        _require(not cycle.backward, "a walk that has come home needs no way back")
    else:
        back = _replay_walk(item, cycle.backward)
        _require(back.strict, "the backward walk has no strict step")
        _require((back.lower, back.upper) == (q, p), "the walks do not join the same two points")
    _replay_core(item, cycle, p)


def _replay_core(item: Item, cycle: Cycle, p: Point) -> None:
    """Each closed walk over the core has to use all of it."""
    core = set(cycle.core)
    _require(core <= set(range(len(item.premise))), "the core names a relation that is not there")
    steps = Steps(item, core)
    _require(not steps.consistent(), "the core can be satisfied")
    pivot = min(core)
    _require(Steps(item, core - {pivot}).consistent(), f"the core does not need {pivot}")
    # So every cycle takes the pivot; one that left out another relation would be a shorter one.
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
        _require(linked, f"relation {index} of the core is not of the pair's component")


def _replay_timelines(item: Item, timelines: Timelines) -> None:
    """Both timelines agree with the premise; the claim is true in one and not in the other."""
    steps = Steps(item, range(len(item.premise)))
    points = {point for fact in steps.facts for point in (fact.lower, fact.upper)}
    for timeline in (timelines.holds, timelines.fails):
        _require(points <= set(timeline), "a point has no instant")
        for fact in steps.facts:
            if not fact.holds(timeline):
                # Only on a cycle may a relation be broken, and there all points share an instant.
                _require(
                    timeline[fact.lower] == timeline[fact.upper]
                    and steps.derive(Fact(fact.upper, False, fact.lower)),
                    f"{fact.lower} has to come before {fact.upper}",
                )
    claimed = demands(item)
    _require(
        all(fact.holds(timelines.holds) for fact in claimed), "the claim fails where it should hold"
    )
    _require(
        not all(fact.holds(timelines.fails) for fact in claimed),
        "the claim holds where it should fail",
    )


def _replay_walk(item: Item, walk: Walk) -> Fact:
    """What the steps of a walk derive together."""
    _require(bool(walk), "a walk has no step")
    for step in walk:
        _require(_licensed(item, step), f"nothing says so: {step.source}, then {step.target}")
    joined = all(step.target == then.source for step, then in pairwise(walk))
    _require(joined, "the steps of a walk do not join")
    return Fact(walk[0].source, any(step.strict for step in walk), walk[-1].target)


def _licensed(item: Item, step: Step) -> bool:
    fact = Fact(step.source, step.strict, step.target)
    if step.relation is None:
        return fact in lasting([step.source.event])
    return 0 <= step.relation < len(item.premise) and fact in said(item.premise[step.relation])


def _require(held: bool, otherwise: str) -> None:
    if not held:
        raise _ObjectionError(otherwise)
