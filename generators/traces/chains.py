"""Random items that are decided by a chain, and the right chains of thought about them.

Points are numbered by the names of an item: ``2 * e`` is the start of event ``e``. The events 0 and
1 are those of the claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import NamedTuple

from grammar.eventhop.model import (
    Bound,
    Claim,
    ClaimRelation,
    Domain,
    Item,
    Order,
    Point,
    Relation,
    Status,
    Verdict,
)
from grammar.traces.model import Orders, PointOrder, ordered
from solver.eventhop.certificates.make import certify, place
from solver.eventhop.engines.graph import Inequality, number
from solver.traces.engine import Edge, PremiseClosure, edges

_BOUNDS = (Bound.START, Bound.END)
_EQUAL, _SHARED = 0.2, 0.7
"""Shares of links that are equations, and of inner events of which a chain uses one point alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A premise and a claim in numbers.

    Attributes:
        names: the events; those of the claim first.
        sentences: the premise.
        relation: the claimed relation of the events 0 and 1.
    """

    names: tuple[str, ...]
    sentences: Orders
    relation: ClaimRelation

    def with_sentence(self, place: int, order: PointOrder) -> Draft:
        """The same with another sentence."""
        sentences = (*self.sentences[:place], order, *self.sentences[place + 1 :])
        return Draft(names=self.names, sentences=sentences, relation=self.relation)

    def item(self, identifier: str, domain: Domain, turned: Sequence[bool]) -> Item:
        """The item.

        Args:
            identifier: its id.
            domain: its wording.
            turned: for each sentence whether the later point is named first.
        """
        return Item(
            id=identifier,
            premise=tuple(
                relation(self.names, order, turned=turn)
                for order, turn in zip(self.sentences, turned, strict=True)
            ),
            claim=Claim(left=self.names[0], relation=self.relation, right=self.names[1]),
            domain=domain,
        )


def relation(names: Sequence[str], order: PointOrder, *, turned: bool) -> Relation:
    """An order as a sentence of a premise."""
    left, right = (
        Point(event=names[p >> 1], bound=_BOUNDS[p & 1]) for p in (order.left, order.right)
    )
    if turned:
        left, right = right, left
    if order.sign == "=":
        return Relation(left=left, order=Order.SIMULTANEOUS, right=right)
    return Relation(left=left, order=Order.AFTER if turned else Order.BEFORE, right=right)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step to write, as what it says: an order, or something about the claim.

    Attributes:
        form: its wording; see ``generators.traces.wording``.
        order: the order that it states; None for a step about the claim.
        sentence: the sentence of the premise that it restates, if it does.
    """

    form: str
    order: PointOrder | None = None
    sentence: int | None = None


# --- Items ----------------------------------------------------------------------------------------


def draft(
    draw: Random, names: Sequence[str], status: Status, *, hops: int, irrelevant: int
) -> Draft | None:
    """A random item with a status that a chain of some sentences decides; None if there is none.

    Args:
        draw: source of randomness.
        names: names to draw from.
        status: entailed, refuted or contradictory.
        hops: number of sentences of the chain.
        irrelevant: number of further sentences, which change neither the status nor the chain.
    """
    claimed = draw.choice(tuple(ClaimRelation))
    walks = _walks(draw, claimed, status, hops)
    if walks is None:
        return None
    events = 2
    sentences: list[PointOrder] = []
    for first, last, length, strict in walks:
        made, events = _chain(draw, first, last, length, events, strict=strict)
        sentences += made
    if irrelevant and draw.random() < 0.5:
        events += 1
    for _ in range(irrelevant):
        order = _irrelevant(draw, sentences, events)
        if order is None:
            return None
        sentences.append(order)
    draw.shuffle(sentences)
    return Draft(
        names=tuple(draw.sample(names, events)), sentences=tuple(sentences), relation=claimed
    )


def _walks(
    draw: Random, claimed: ClaimRelation, status: Status, hops: int
) -> list[tuple[int, int, int, bool]] | None:
    """The walks that decide a claim: first point, last point, sentences, whether it is strict."""
    left, right = (0, 1) if claimed is not ClaimRelation.AFTER else (1, 0)
    start, end = 2 * right, 2 * left + 1
    pairs = [(end, start)]
    if claimed is ClaimRelation.OVERLAPS:
        pairs = [(0, 3), (2, 1)]
    several = status is Status.CONTRADICTORY or (
        status is Status.ENTAILED and claimed is ClaimRelation.OVERLAPS
    )
    if several and hops < 2:
        return None
    split = draw.randint(1, hops - 1) if several else hops
    if status is Status.CONTRADICTORY:
        p, q = draw.choice(pairs)
        return [(p, q, split, True), (q, p, hops - split, True)]
    if status is Status.REFUTED:
        p, q = draw.choice(pairs)
        return [(q, p, hops, True)]
    strict = claimed is ClaimRelation.OVERLAPS
    if not several:
        return [(*pairs[0], hops, strict)]
    return [(*pairs[0], split, True), (*pairs[1], hops - split, True)]


def _chain(
    draw: Random, first: int, last: int, length: int, events: int, *, strict: bool
) -> tuple[list[PointOrder], int]:
    """Sentences that lead from a point to another through new events."""
    points: list[tuple[int, int]] = []
    at = first
    for _ in range(length - 1):
        new = 2 * events
        events += 1
        # A chain arrives at a point of a new event, and leaves it at the same, or later at its end.
        arrives, leaves = (new + 1,) * 2 if draw.random() < 0.5 else (new,) * 2
        if draw.random() >= _SHARED:
            arrives, leaves = new, new + 1
        points.append((at, arrives))
        at = leaves
    points.append((at, last))
    signs = ["=" if draw.random() < _EQUAL else "<" for _ in points]
    if strict and "<" not in signs:
        signs[draw.randrange(len(signs))] = "<"
    return [ordered(p, sign, q) for (p, q), sign in zip(points, signs, strict=True)], events


def _irrelevant(draw: Random, sentences: Sequence[PointOrder], events: int) -> PointOrder | None:
    """A sentence about other pairs of points; whether it is irrelevant is seen from the proof."""
    pairs = {frozenset((order.left, order.right)) for order in sentences}
    unnamed = set(range(2, events)) - {p >> 1 for order in sentences for p in order[::2]}
    for _ in range(20):
        p, q = draw.sample(range(2 * events), 2)
        if unnamed:
            p = 2 * min(unnamed) + (p & 1)
        if p >> 1 != q >> 1 and frozenset((p, q)) not in pairs:
            return ordered(p, "=" if draw.random() < _EQUAL else "<", q)
    return None


# --- Right chains, from certificates --------------------------------------------------------------


class Link(NamedTuple):
    """A step of a walk; its sentence is None for a duration."""

    lower: int
    upper: int
    strict: bool
    sentence: int | None


def proof(item: Item, premise: PremiseClosure, names: Sequence[str]) -> list[list[Link]]:
    """The walks of the certificate of an item, as links between points in the numbers of names."""
    verdict = Verdict(status=premise.status, consistent=premise.consistent, label=premise.label)
    certificate = certify(item, verdict)
    number = {name: place for place, name in enumerate(names)}
    points = [2 * number[name] + bound for name in certificate.events for bound in (0, 1)]
    walks = []
    for walk in (*certificate.walks, *([certificate.cycle] if certificate.cycle else ())):
        at, links = walk.start, []
        for sentence in walk.steps:
            to, strict = _onward(premise, at, sentence)
            links.append(Link(points[at], points[to], strict, sentence))
            at = to
        walks.append(links)
    if premise.status is not Status.CONTRADICTORY:
        return walks[: len(certificate.walks)]
    pairs = [(points[p], points[q]) for p, q in premise.claimed.pairs]
    return _halves(walks[-1], pairs)


def _onward(premise: PremiseClosure, at: int, sentence: int | None) -> tuple[int, bool]:
    """Where a step of a walk leads, and whether it is strict."""
    if sentence is None:
        return at ^ 1, True
    order = premise.relations[sentence]
    other = order.right if at == order.left else order.left
    return other, order.sign == "<"


def _halves(cycle: Sequence[Link], pairs: Sequence[tuple[int, int]]) -> list[list[Link]]:
    """A cycle through two points of a claim, as the walks from each to the other."""
    places = {link.lower: place for place, link in enumerate(cycle)}
    p, q = next((p, q) for p, q in pairs if p in places and q in places)
    turned = [*cycle[places[p] :], *cycle[: places[p]]]
    middle = next(place for place, link in enumerate(turned) if link.lower == q)
    return [turned[:middle], turned[middle:]]


def chain(
    walks: Sequence[Sequence[Link]], premise: PremiseClosure, *, left_out: int | None = None
) -> list[Step]:
    """The shortest right chain: each sentence of a proof, what follows so far, and the claim.

    Args:
        walks: the walks of the proof.
        premise: the item.
        left_out: a sentence at the start or the end of a walk, which no step states.
    """
    steps: list[Step] = []
    for walk in walks:
        steps += _along([link for link in walk if left_out is None or link.sentence != left_out])
        if left_out is not None and any(link.sentence == left_out for link in walk):
            whole = summed(walk)
            if whole is not None:
                steps.append(Step(form="so", order=whole))
    return [*steps, *conclusion(premise)]


def conclusion(premise: PremiseClosure) -> list[Step]:
    """The status of a claim and its label."""
    return [Step(form=premise.status.value), Step(form=f"answer {premise.label.value}")]


def left_open(premise: PremiseClosure, names: Sequence[str]) -> list[Step]:
    """A claim that is left open, with two timelines: it is true on one, and false on the other."""
    needs = premise.claimed.needs
    derives = premise.closure.derives
    shown = next(
        need
        for need in needs
        if not derives(PointOrder(need.lower, "<" if need.strict else "<=", need.upper))
    )
    numbered = number(premise.item)
    points = [2 * numbered.events.index(name) + bound for name in names for bound in (0, 1)]
    steps = [Step(form=Status.UNKNOWN.value)]
    if premise.consistent:
        for extra in (needs, (Inequality(shown.upper, not shown.strict, shown.lower),)):
            instants = place(numbered, extra)
            spans = ", ".join(
                f"{name} {instants[points[2 * at]]} to {instants[points[2 * at + 1]]}"
                for at, name in enumerate(names)
            )
            steps.append(Step(form=f"timeline One timeline: {spans}"))
    return [*steps, conclusion(premise)[-1]]


def right_chain(premise: PremiseClosure) -> list[Step]:
    """The shortest right chain about an item, from its certificate; points have its numbers."""
    if premise.status is Status.UNKNOWN:
        return left_open(premise, premise.events)
    return chain(proof(premise.item, premise, premise.events), premise)


def _along(walk: Sequence[Link]) -> Iterator[Step]:
    """The sentences of a walk, and after each but the first what follows so far."""
    shown: PointOrder | None = None
    for end, link in enumerate(walk, start=1):
        if link.sentence is not None:
            order = ordered(link.lower, "<" if link.strict else "=", link.upper)
            yield Step(form="premise", order=order, sentence=link.sentence)
            if end == 1:
                shown = order
        if link.sentence is None and end < len(walk):
            continue
        so_far = summed(walk[:end])
        if so_far is not None and so_far != shown:
            yield Step(form="so", order=so_far)
            shown = so_far


def summed(walk: Sequence[Link]) -> PointOrder | None:
    """The order of the ends of a walk; None if it comes back to its start, or has no links."""
    if not walk or walk[0].lower == walk[-1].upper:
        return None
    strict = any(link.strict for link in walk)
    return ordered(walk[0].lower, "<" if strict else "=", walk[-1].upper)


def detours(sentences: Orders) -> list[PointOrder]:
    """What two sentences, with a duration between or after them, derive."""
    found: dict[PointOrder, None] = {}
    links = [edge for order in sentences for edge in edges(order)]
    for first in links:
        if not first.upper & 1:
            found[PointOrder(first.lower, "<", first.upper + 1)] = None
        for second in links:
            joint = first.upper == second.lower
            lasting = not first.upper & 1 and second.lower == first.upper + 1
            if (joint or lasting) and first.lower >> 1 != second.upper >> 1:
                strict = first.strict or second.strict or lasting
                found[ordered(first.lower, "<" if strict else "=", second.upper)] = None
    given = set(sentences)
    return [order for order in found if order not in given and order.left >> 1 != order.right >> 1]


def steps_of(orders: Orders) -> tuple[Edge, ...]:
    """The steps of some orders."""
    return tuple(edge for order in orders for edge in edges(order))


def inner(walk: Sequence[Link]) -> Iterator[tuple[Link, Link]]:
    """The pairs of neighbouring sentences of a walk without a duration between them."""
    return (
        (first, second)
        for first, second in pairwise(walk)
        if first.sentence is not None and second.sentence is not None
    )
