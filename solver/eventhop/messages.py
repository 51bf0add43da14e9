"""Verbalises verdicts and certificates, for reports, drawings and the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grammar.eventhop.model import (
    PUBLISHED_ORDERS,
    Bound,
    Claim,
    Item,
    Order,
    Point,
    Relation,
    Status,
    Verdict,
)
from solver.eventhop.certificates.evidence import (
    Chain,
    Cycle,
    Evidence,
    Step,
    Steps,
    Timeline,
    Timelines,
    order_of,
)
from solver.io.sources import counted

SHOWN_EVENTS = 12
"""Most events that a timeline in words lists."""


def claim_in_words(claim: Claim | Relation) -> str:
    """Format a claim as ``X before Y``, ``X finished by Y``, ``start of X after end of Y``."""
    if isinstance(claim, Claim):
        return f"{claim.left} {claim.relation.replace('_', ' ')} {claim.right}"
    return str(claim) if claim.order in PUBLISHED_ORDERS else sentence_in_words(claim)


def hops_in_words(hops: int | None) -> str:
    """Format a number of hops as ``1 hop``, ``3 hops``; empty for None."""
    return "" if hops is None else counted(hops, "hop")


def status_in_words(verdict: Verdict) -> str:
    """Describe a status in one clause."""
    return _STATUS[verdict.status]


_STATUS = {
    Status.ENTAILED: "the premise forces the claim",
    Status.REFUTED: "the premise rules the claim out",
    Status.UNKNOWN: "the premise leaves the claim open",
    Status.CONTRADICTORY: "the premise contradicts itself about the claim's events",
}


def in_words(item: Item, verdict: Verdict, found: Evidence) -> list[str]:
    """Explain why an item has its status, one line per step.

    Returns:
        Lines such as ``1. end of A before start of B (sentence 3)``; sentences count from 1.
    """
    match found:
        case Chain():
            lines = _chain(item, verdict, found)
        case Cycle():
            lines = _cycle(found)
        case Timelines():
            lines = _timelines(item, verdict, found)
    return [*lines, *(() if isinstance(found, Cycle) else _elsewhere(found.elsewhere))]


APART = "No contradiction: this timeline keeps the points apart"


def _chain(item: Item, verdict: Verdict, chain: Chain) -> Iterator[str]:
    number = 1
    for walk in chain.walks:
        yield from _steps(walk, number)
        number += len(walk)
        if len(walk) > 1:
            yield f"So {reached_in_words(walk)}."
    claim = f"“{claim_in_words(item.claim)}”"
    yield f"Hence {claim} {'holds' if verdict.status is Status.ENTAILED else 'cannot hold'}."
    yield f"{APART}: {_timeline(chain.apart, named_first(item))}."


def _cycle(cycle: Cycle) -> Iterator[str]:
    yield from _steps(cycle.forward, 1)
    if len(cycle.forward) > 1:
        yield f"So {reached_in_words(cycle.forward)}."
    if not cycle.backward:
        yield "No timeline puts a point before itself."
        return
    yield "But also:"
    yield from _steps(cycle.backward, len(cycle.forward) + 1)
    if len(cycle.backward) > 1:
        yield f"So {reached_in_words(cycle.backward)}."
    yield "No timeline has both."
    if cycle.core:
        yield f"The conflict is among {sentences_in_words(cycle.core)}; dropping any one ends it."


def _timelines(item: Item, verdict: Verdict, timelines: Timelines) -> Iterator[str]:
    order = named_first(item)
    fit = (
        "fit the premise" if verdict.consistent else "fit the premise apart from its contradiction"
    )
    yield f"Two timelines {fit}:"
    yield f"In the first the claim holds: {_timeline(timelines.holds, order)}."
    yield f"In the second it does not: {_timeline(timelines.fails, order)}."


def _elsewhere(cycle: Steps) -> Iterator[str]:
    """The contradiction of a premise that says nothing about the claim."""
    if cycle:
        yield "The premise contradicts itself elsewhere; on the timeline, that is one instant:"
        yield from _steps(cycle, 1)


def _steps(walk: Steps, number: int) -> Iterator[str]:
    for place, step in enumerate(walk, number):
        yield f"{place}. {step_in_words(step)}"


ORDER_WORDS = {
    Order.BEFORE: "before",
    Order.AFTER: "after",
    Order.SIMULTANEOUS: "simultaneous with",
    Order.NOT_AFTER: "at or before",
    Order.NOT_BEFORE: "at or after",
}
"""How each order is written between two points."""


def sentence_in_words(relation: Relation) -> str:
    """Format a premise relation as ``start of X before end of Y``."""
    return f"{relation.left} {ORDER_WORDS[relation.order]} {relation.right}"


def step_in_words(step: Step) -> str:
    """Format a step as ``end of A before start of B (sentence 3)``."""
    order = ORDER_WORDS[order_of([step])]
    reason = "each event lasts" if step.relation is None else f"sentence {step.relation + 1}"
    return f"{step.source} {order} {step.target} ({reason})"


def reached_in_words(walk: Steps) -> str:
    """Format the inequality that a walk derives: ``end of A before start of C``."""
    return f"{walk[0].source} {ORDER_WORDS[order_of(walk)]} {walk[-1].target}"


def sentences_in_words(indices: Sequence[int]) -> str:
    """Format indices of premise relations, from 0, as ``sentences 1, 2 and 4``."""
    numbers = [str(index + 1) for index in indices]
    if len(numbers) == 1:
        return f"sentence {numbers[0]} alone"
    return f"sentences {', '.join(numbers[:-1])} and {numbers[-1]}"


def claimed_events(item: Item) -> tuple[str, ...]:
    """The events of the claim, in its order; one if a claim about points names it twice."""
    claim = item.claim
    if isinstance(claim, Claim):
        return (claim.left, claim.right)
    return tuple(dict.fromkeys((claim.left.event, claim.right.event)))


def named_first(item: Item) -> tuple[str, ...]:
    """All events of an item, the claim's own first, the others by first mention."""
    points = (point for r in item.premise for point in (r.left, r.right))
    return tuple(dict.fromkeys((*claimed_events(item), *(point.event for point in points))))


def _timeline(timeline: Mapping[Point, int], order: Sequence[str]) -> str:
    spans = [_span(timeline, event) for event in order[:SHOWN_EVENTS]]
    more = len(order) - SHOWN_EVENTS
    return ", ".join(spans) + (f" and {counted(more, 'more event')}" if more > 0 else "")


def _span(timeline: Timeline, event: str) -> str:
    start, end = (timeline.get(Point(event=event, bound=bound)) for bound in Bound)
    if start is None or end is None:
        instant = end if start is None else start
        return event if instant is None else f"{event} at {instant}"
    return f"{event} {start} to {end}"
