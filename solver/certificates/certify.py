"""Makes the certificate of a verdict, and counts its hops."""

from __future__ import annotations

from collections.abc import Iterable

from solver.certificates.placement import place
from solver.certificates.walks import AXIOM, State, Steps, Stride, Strides
from solver.engines.needs import Inequality, Needs, needed
from solver.errors import ExitStatus, HopcheckError
from solver.model import (
    Certificate,
    Chain,
    Cycle,
    Item,
    Point,
    Status,
    Step,
    Timelines,
    Verdict,
    Walk,
)
from solver.numbering import NumberedItem, number


class UncertifiableError(HopcheckError):
    """A verdict that nothing shows: the engine that gave it is wrong."""

    code = "uncertifiable"
    exit_status = ExitStatus.DISAGREEMENT


def certify(item: Item, verdict: Verdict) -> Certificate:
    """What shows the verdict's status.

    Raises:
        UncertifiableError: if nothing does.
    """
    numbered = number(item)
    needs = needed(item, numbered)
    steps = Steps(numbered)
    if verdict.status is Status.ENTAILED:
        return _chain(numbered, [_walk(item, steps, need) for need in needs.inequalities])
    if verdict.status is Status.REFUTED:
        return _chain(numbered, [_refutation(item, steps, needs)])
    if verdict.status is Status.CONTRADICTORY:
        return _cycle(item, numbered, steps, needs)
    return _timelines(numbered, steps, needs)


def hops(certificate: Certificate) -> int | None:
    """Premise relations on the shortest chain that shows the status; None for *unknown*.

    For several chains the longest counts; for a cycle the relations of its two walks together.
    """
    if isinstance(certificate, Timelines):
        return None
    if isinstance(certificate, Chain):
        return max(map(_premise_steps, certificate.walks))
    return _premise_steps(certificate.forward) + _premise_steps(certificate.backward)


def _premise_steps(walk: Walk) -> int:
    return sum(step.relation is not None for step in walk)


def _shortest(steps: Steps, wanted: Inequality) -> Strides | None:
    goals = {State(wanted.upper, True)}
    if not wanted.strict:
        goals.add(State(wanted.upper, False))
    arrivals = steps.arrivals(wanted.lower, goals)
    end = arrivals.best(wanted.upper, strict=wanted.strict)
    return None if end is None else arrivals.strides(end)


def _walk(item: Item, steps: Steps, wanted: Inequality) -> Strides:
    walk = _shortest(steps, wanted)
    if walk is None:
        raise UncertifiableError("no chain of premise relations shows the status", where=item.id)
    return walk


def _refutation(item: Item, steps: Steps, needs: Needs) -> Strides:
    """The shortest walk that defies one of the needs; the first of several."""
    walks = [walk for need in needs.inequalities if (walk := _shortest(steps, need.opposite))]
    if not walks:
        raise UncertifiableError("no chain of premise relations defies the claim", where=item.id)
    return min(walks, key=_cost)


def _cost(walk: Strides) -> int:
    return sum(stride.relation != AXIOM for stride in walk)


def _cycle(item: Item, numbered: NumberedItem, steps: Steps, needs: Needs) -> Cycle:
    goals = [State(p, True) for p in needs.points]
    arrivals = {p: steps.arrivals(p, goals) for p in needs.points}
    loops = [
        (arrivals[p].cost[there] + (arrivals[q].cost[back] if p != q else 0), p, q)
        for p, q in needs.pairs
        if (there := State(q, True)) in arrivals[p].cost
        and (back := State(p, True)) in arrivals[q].cost
    ]
    if not loops:
        raise UncertifiableError("no two walks contradict each other", where=item.id)
    _, p, q = min(loops)
    forward = arrivals[p].strides(State(q, True))
    backward = arrivals[q].strides(State(p, True)) if p != q else []
    return Cycle(
        forward=_named(numbered, forward),
        backward=_named(numbered, backward),
        core=_core(numbered, [*forward, *backward]),
    )


def _core(numbered: NumberedItem, loop: Strides) -> tuple[int, ...]:
    """A minimal unsatisfiable set of the relations on a closed strict walk.

    It is the strict cycle with the fewest relations among them: whatever smaller set were
    unsatisfiable would hold a shorter one.
    """
    used = {stride.relation for stride in loop} - {AXIOM}
    steps = Steps(numbered, sorted(used))
    best = used
    for point in sorted({stride.source for stride in loop}):
        home = State(point, True)
        arrivals = steps.arrivals(point, [home])
        if home in arrivals.cost and arrivals.cost[home] < len(best):
            best = {stride.relation for stride in arrivals.strides(home)} - {AXIOM}
    return tuple(sorted(best))


def _timelines(numbered: NumberedItem, steps: Steps, needs: Needs) -> Timelines:
    unmet = next(n for n in needs.inequalities if _shortest(steps, n) is None)
    return Timelines(
        holds=_timeline(numbered, place(numbered, needs.inequalities)),
        fails=_timeline(numbered, place(numbered, [unmet.opposite])),
    )


def _timeline(numbered: NumberedItem, instants: list[int]) -> dict[Point, int]:
    return {numbered.point(p): instant for p, instant in enumerate(instants)}


def _chain(numbered: NumberedItem, walks: Iterable[Strides]) -> Chain:
    return Chain(walks=tuple(_named(numbered, walk) for walk in walks))


def _named(numbered: NumberedItem, walk: Strides) -> Walk:
    return tuple(_step(numbered, stride) for stride in walk)


def _step(numbered: NumberedItem, stride: Stride) -> Step:
    return Step(
        source=numbered.point(stride.source),
        target=numbered.point(stride.target),
        strict=stride.strict,
        relation=None if stride.relation == AXIOM else stride.relation,
    )
