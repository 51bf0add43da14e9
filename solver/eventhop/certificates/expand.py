"""Expands certificates into evidence."""

from __future__ import annotations

from collections.abc import Iterator

from grammar.eventhop.model import (
    STRICT_ORDERS,
    Bound,
    Certificate,
    Claim,
    Item,
    Order,
    Point,
    Status,
    Verdict,
    Walk,
)
from solver.eventhop.certificates.evidence import Chain, Cycle, Evidence, Step, Steps, Timelines
from solver.eventhop.certificates.make import core
from solver.eventhop.engines.graph import number


def evidence(item: Item, verdict: Verdict, certificate: Certificate) -> Evidence:
    """The evidence of a status."""
    cycle = () if certificate.cycle is None else _expand(item, certificate, certificate.cycle)
    timelines = [_timeline(certificate, number) for number in range(len(certificate.timelines))]
    if verdict.status is Status.CONTRADICTORY:
        cut = _cut(item, cycle)
        used = {step.relation for step in cycle if step.relation is not None}
        return Cycle(forward=cycle[:cut], backward=cycle[cut:], core=core(number(item), used))
    if verdict.status is Status.UNKNOWN:
        return Timelines(holds=timelines[0], fails=timelines[1], elsewhere=cycle)
    walks = (_expand(item, certificate, walk) for walk in certificate.walks)
    return Chain(walks=tuple(filter(None, walks)), apart=timelines[0], elsewhere=cycle)


def _timeline(certificate: Certificate, place: int) -> dict[Point, int]:
    instants = certificate.timelines[place]
    return {_point(certificate, p): instant for p, instant in enumerate(instants)}


def _point(certificate: Certificate, p: int) -> Point:
    return Point(event=certificate.events[p >> 1], bound=(Bound.START, Bound.END)[p & 1])


def _expand(item: Item, certificate: Certificate, walk: Walk) -> Steps:
    return tuple(_steps(item, _point(certificate, walk.start), walk.steps))


def _steps(item: Item, here: Point, steps: tuple[int | None, ...]) -> Iterator[Step]:
    for index in steps:
        if index is None:
            there, strict, weak = Point(event=here.event, bound=Bound.END), True, False
        else:
            relation = item.premise[index]
            there = relation.right if relation.left == here else relation.left
            strict = relation.order in STRICT_ORDERS
            weak = not strict and relation.order is not Order.SIMULTANEOUS
        yield Step(source=here, target=there, strict=strict, weak=weak, relation=index)
        here = there


def _cut(item: Item, cycle: Steps) -> int:
    """The place of the second claimed point of a closed walk; its length if there is none."""
    claim = item.claim
    claimed = (
        {Point(event=event, bound=bound) for event in (claim.left, claim.right) for bound in Bound}
        if isinstance(claim, Claim)
        else {claim.left, claim.right}
    )
    first = cycle[0].source
    places = [n for n, step in enumerate(cycle, 1) if step.target in claimed - {first}]
    return places[0] if places else len(cycle)
