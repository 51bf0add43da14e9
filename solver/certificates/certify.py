"""Makes the certificate of a verdict, and counts its hops."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from solver.certificates.placement import place
from solver.certificates.walks import AXIOM, Arrivals, State, Steps, Stride, Strides
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
    return _timelines(item, numbered, steps, needs)


def hops(certificate: Certificate) -> int | None:
    """Premise relations on the shortest chain that shows the status; None for *unknown*.

    For several chains the longest counts; for a cycle the way round through its two points.
    """
    if isinstance(certificate, Timelines):
        return None
    if isinstance(certificate, Chain):
        return max(map(_premise_steps, certificate.walks), default=0)
    return _premise_steps(_way_round(certificate.forward, certificate.backward))


def _way_round(forward: Walk, backward: Walk) -> Walk:
    """Both walks, but once: where one way has no strict step, its walk goes round once more."""
    shorter, longer = sorted((forward, backward), key=len)
    loose = longer[: (len(longer) - len(shorter)) // 2]
    return loose + shorter if longer == loose + shorter + loose else forward + backward


def _premise_steps(walk: Walk) -> int:
    return sum(step.relation is not None for step in walk)


def _shortest(steps: Steps, wanted: Inequality) -> Strides | None:
    goals = {State(wanted.upper, True)}
    if not wanted.strict:
        goals.add(State(wanted.upper, False))
    arrivals = steps.arrivals(wanted.lower, goals)
    return arrivals.walk_to(wanted.upper, strict=wanted.strict)


def _walk(item: Item, steps: Steps, wanted: Inequality) -> Strides:
    walk = _shortest(steps, wanted)
    if walk is None:
        raise UncertifiableError("no chain of premise relations shows the status", where=item.id)
    return walk


def _refutation(item: Item, steps: Steps, needs: Needs) -> Strides:
    """The shortest walk that defies one of the needs; the first of several."""
    found = (_shortest(steps, need.opposite) for need in needs.inequalities)
    walks = [walk for walk in found if walk is not None]
    if not walks:
        raise UncertifiableError("no chain of premise relations defies the claim", where=item.id)
    return min(walks, key=_cost)


def _cost(walk: Strides) -> int:
    return sum(stride.relation != AXIOM for stride in walk)


def _cycle(item: Item, numbered: NumberedItem, steps: Steps, needs: Needs) -> Cycle:
    """The closed walk of fewest premise relations that joins two claimed points strictly."""
    goals = [State(p, True) for p in needs.points]
    arrivals = {p: steps.arrivals(p, goals) for p in needs.points}
    loops = [loop for p, q in needs.pairs if (loop := _loop(arrivals[p], arrivals[q]))]
    if not loops:
        raise UncertifiableError("no two walks contradict each other", where=item.id)
    shortest = min(loops, key=lambda loop: loop.cost)
    forward, backward = shortest.walks()
    return Cycle(
        forward=_named(numbered, forward),
        backward=_named(numbered, backward),
        core=_core(numbered, [*forward, *backward]),
    )


@dataclass(frozen=True, slots=True)
class _Loop:
    """A way round through two points; ``strict_out`` tells which half has to have a strict step."""

    out: Arrivals
    back: Arrivals
    strict_out: bool
    cost: int

    def walks(self) -> tuple[Strides, Strides]:
        """A strict walk each way; a point beside itself needs no way back."""
        p, q = self.out.source, self.back.source
        out = self.out.walk_to(q, strict=self.strict_out) or []
        if p == q:
            return out, []
        back = self.back.walk_to(p, strict=not self.strict_out) or []
        # One strict half is enough to go round; the other walk then goes round once more.
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
    """A minimal unsatisfiable set of the relations on a closed strict walk.

    Once every cycle takes one relation, the pivot, and the shortest takes all of the set, a smaller
    set cannot hold a cycle: it would be a shorter one.
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
    """Some relations with the events that they name: a core is small where its premise is not."""
    events: dict[int, int] = {}

    def point(p: int) -> int:
        return 2 * events.setdefault(p >> 1, len(events)) + (p & 1)

    few = tuple(
        (point(p), order, point(q)) for p, order, q in (numbered.relations[r] for r in relations)
    )
    return NumberedItem(
        events=tuple(numbered.events[e] for e in events), relations=few, claim=(0, 0)
    )


def _timelines(item: Item, numbered: NumberedItem, steps: Steps, needs: Needs) -> Timelines:
    unmet = next((n for n in needs.inequalities if _shortest(steps, n) is None), None)
    if unmet is None:
        raise UncertifiableError("on every timeline the claim holds", where=item.id)
    return Timelines(
        holds=_timeline(numbered, place(numbered, needs.inequalities)),
        fails=_timeline(numbered, place(numbered, [unmet.opposite])),
    )


def _timeline(numbered: NumberedItem, instants: list[int]) -> dict[Point, int]:
    return {numbered.point(p): instant for p, instant in enumerate(instants)}


def _chain(numbered: NumberedItem, walks: Iterable[Strides]) -> Chain:
    # That a point is no later than itself needs no walk.
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
