"""The published procedure against a literal transcription of the paper's Algorithms 1 to 7."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain, combinations, cycle
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grammar.eventhop.model import (
    PUBLISHED_ORDERS,
    Bound,
    Claim,
    ClaimRelation,
    Item,
    Label,
    Order,
    Point,
    Relation,
)
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName, Fault
from solver.eventhop.published import Procedure, published_label

EVERY_FAULT = frozenset(Fault)
REPAIRS = [
    frozenset(faults)
    for faults in chain.from_iterable(combinations(Fault, n) for n in range(len(Fault) + 1))
]


# Oracle: the algorithms as printed, on names. Comments mark the lines that a repair changes.


@dataclass(eq=False)
class Rel:
    ep1: str
    reltype: str
    ep2: str

    def other_point(self, ep: str) -> str:
        return self.ep2 if ep == self.ep1 else self.ep1


@dataclass
class Printed:
    repaired: frozenset[Fault]
    rels: dict[str, list[Rel]] = field(default_factory=dict)

    def add(self, ep1: str, reltype: str, ep2: str) -> None:
        rel = Rel(ep1, reltype, ep2)
        self.rels.setdefault(ep1, []).append(rel)
        self.rels.setdefault(ep2, []).append(rel)

    def does_overlap_forwards(self, e1: str, e2: str) -> bool:  # Algorithm 1
        s1_s2 = self.is_ep1_before_ep2(f"start {e1}", f"start {e2}")
        s2_s1 = self.is_ep1_before_ep2(f"start {e2}", f"start {e1}")
        e1_s1 = self.is_ep1_before_ep2(f"end {e1}", f"start {e1}")
        s2_e1 = self.is_ep1_before_ep2(f"start {e2}", f"end {e1}")
        e2_s2 = self.is_ep1_before_ep2(f"end {e2}", f"start {e2}")
        if Fault.OVERLAP_BY_ABSENCE in self.repaired:
            s1_e2 = self.is_ep1_before_ep2(f"start {e1}", f"end {e2}")
            return not e1_s1 and not e2_s2 and s1_e2 and s2_e1
        return (not e1_s1) and (not e2_s2) and ((not s2_s1) or s1_s2) and s2_e1

    def is_ep1_before_ep2(self, ep1: str, ep2: str) -> bool:  # Algorithm 2
        eps = [(ep1, True)]
        seen: set[object] = set()
        while len(eps) > 0:
            ep, is_sim = eps.pop()
            mark = (ep, is_sim) if Fault.SEEN_EARLY in self.repaired else ep
            if mark in seen:
                continue
            seen.add(mark)
            for rel in self.rels[ep]:
                if rel.reltype == "after" and ep == rel.ep2:
                    eps.append((rel.ep1, False))
                if rel.reltype == "before" and ep == rel.ep1:
                    eps.append((rel.ep2, False))
                if rel.reltype == "simultaneous":
                    eps.append((rel.other_point(ep), is_sim))
                if (ep2, False) in eps:
                    return True
        return False

    def is_contradictory_event_pair(self, e1: str, e2: str) -> bool:  # Algorithm 3
        s1_s2 = self.is_contra_eps(f"start {e1}", f"start {e2}")
        s1_e1 = self.is_contra_eps(f"start {e1}", f"end {e1}")
        s1_e2 = self.is_contra_eps(f"start {e1}", f"end {e2}")
        s2_e2 = self.is_contra_eps(f"start {e2}", f"end {e2}")
        if Fault.PAIR_UNCHECKED in self.repaired:
            e1_e2 = self.is_contra_eps(f"end {e1}", f"end {e2}")
            e1_s2 = self.is_contra_eps(f"end {e1}", f"start {e2}")
            return s1_s2 or s1_e1 or s1_e2 or s2_e2 or e1_e2 or e1_s2
        return s1_s2 or s1_e1 or s1_e2 or s2_e2

    def is_contra_eps(self, ep1: str, ep2: str) -> bool:  # Algorithm 4
        (bound1, event1), (bound2, event2) = ep1.split(" ", 1), ep2.split(" ", 1)
        same_event_check = event1 == event2 and bound1 == "start" and bound2 == "end"
        check_forwards = self.is_ep1_before_ep2(ep1, ep2)
        check_backwards = self.is_ep1_before_ep2(ep2, ep1)
        check_simultaneous = self.is_simul_eps(ep1, ep2)
        check = check_forwards and check_backwards
        if Fault.SIMULTANEOUS_EXEMPT not in self.repaired:
            check = check and not check_simultaneous
        if Fault.SAME_EVENT_EXEMPT not in self.repaired:
            return check and not (same_event_check and check_backwards)
        return check

    def is_overlap_events(self, e1: str, e2: str) -> bool:  # Algorithm 5
        is_contradictory = self.is_contradictory_event_pair(e1, e2)
        e1_e2 = self.does_overlap_forwards(e1, e2)
        e2_e1 = self.does_overlap_forwards(e2, e1)
        return not is_contradictory and (e1_e2 or e2_e1)

    def is_simul_eps(self, ep1: str, ep2: str) -> bool:  # Algorithm 6
        eps = [ep1]
        seen = set()
        while len(eps) > 0:
            ep = eps.pop()
            seen.add(ep)
            for rel in self.rels[ep]:
                if rel.reltype == "simultaneous":
                    other_point = rel.other_point(ep)
                    if other_point not in seen:
                        eps.append(other_point)
                if ep2 in eps:
                    return True
        return False

    def is_strictly_before(self, e1: str, e2: str) -> bool:  # Algorithm 7
        s1_s2 = self.is_ep1_before_ep2(f"start {e1}", f"start {e2}")
        e1_s2 = self.is_ep1_before_ep2(f"end {e1}", f"start {e2}")
        e1_s2_is_simul = self.is_simul_eps(f"end {e1}", f"start {e2}")
        return s1_s2 and (e1_s2 or e1_s2_is_simul)


def printed_label(item: Item, repaired: frozenset[Fault] = frozenset()) -> Label:
    printed = Printed(repaired)
    left, right = item.claim.left, item.claim.right
    named = [p.event for r in item.premise for p in (r.left, r.right)] + [left, right]
    for event in dict.fromkeys(named):
        printed.add(f"start {event}", "before", f"end {event}")
    for r in item.premise:
        printed.add(f"{r.left.bound} {r.left.event}", r.order, f"{r.right.bound} {r.right.event}")
    if printed.is_contradictory_event_pair(left, right):
        return Label.UNDEFINED
    match item.claim.relation:
        case ClaimRelation.BEFORE:
            holds = printed.is_strictly_before(left, right)
        case ClaimRelation.AFTER:
            holds = printed.is_strictly_before(right, left)
        case _:
            holds = printed.is_overlap_events(left, right)
    return Label.TRUE if holds else Label.FALSE


def drawn(rng: random.Random, events: int, size: int) -> Item:
    """A random item; names may repeat inside a relation and inside the claim."""
    names = [f"Event {n}" for n in range(events)]

    def point() -> Point:
        return Point(event=rng.choice(names), bound=rng.choice(list(Bound)))

    premise = (
        Relation(left=point(), order=rng.choice(PUBLISHED_ORDERS), right=point())
        for _ in range(size)
    )
    relation = rng.choice(list(ClaimRelation))
    claim = Claim(left=rng.choice(names), relation=relation, right=rng.choice(names))
    return Item(id="drawn", premise=tuple(premise), claim=claim)


def local_labels(items: list[Item]) -> list[Label]:
    return [verdict.label for verdict in engine(EngineName.GRAPH).decide(items)]


points = st.builds(Point, event=st.sampled_from("ABC"), bound=st.sampled_from(Bound))
premises = st.lists(
    st.builds(Relation, left=points, order=st.sampled_from(PUBLISHED_ORDERS), right=points),
    max_size=8,
)
claims = st.builds(
    Claim,
    left=st.sampled_from("AB"),
    relation=st.sampled_from(ClaimRelation),
    right=st.sampled_from("ABD"),
)
STARTS = (Point(event="A", bound=Bound.START), Point(event="B", bound=Bound.START))
ENTANGLED = Item(
    id="each start before the other, and the same",
    premise=tuple(
        Relation(left=STARTS[0], order=order, right=STARTS[1]) for order in PUBLISHED_ORDERS
    ),
    claim=Claim(left="A", relation=ClaimRelation.OVERLAPS, right="B"),
)
items = st.builds(Item, id=st.just("any"), premise=premises.map(tuple), claim=claims)


EXAMPLES = pytest.mark.parametrize("examples", [150, pytest.param(600, marks=pytest.mark.slow)])


@EXAMPLES
def test_agrees_with_the_algorithms_as_printed(examples: int) -> None:
    @given(items, st.sampled_from(REPAIRS))
    @example(ENTANGLED, frozenset())
    @settings(max_examples=examples)
    def law(item: Item, repaired: frozenset[Fault]) -> None:
        assert published_label(item, repaired) is printed_label(item, repaired)

    law()


@EXAMPLES
def test_is_the_local_policy_once_repaired(examples: int) -> None:
    @given(items)
    @settings(max_examples=examples)
    def law(item: Item) -> None:
        assert [published_label(item, EVERY_FAULT)] == local_labels([item])

    law()


@EXAMPLES
def test_undefined_as_printed_is_undefined_between_two_events(examples: int) -> None:
    @given(items)
    @settings(max_examples=examples)
    def law(item: Item) -> None:
        if item.claim.left != item.claim.right and published_label(item) is Label.UNDEFINED:
            assert published_label(item, EVERY_FAULT) is Label.UNDEFINED

    law()


def test_larger_items_agree_as_well() -> None:
    rng = random.Random("larger items")
    for _ in range(300):
        events = rng.randint(2, 25)
        item = drawn(rng, events, rng.randint(0, 3 * events))
        repaired = rng.choice(REPAIRS)
        assert published_label(item, repaired) is printed_label(item, repaired)


def test_every_fault_matters() -> None:
    rng = random.Random("every fault")
    drawn_items = [drawn(rng, 3, rng.randint(1, 6)) for _ in range(400)]
    for fault in Fault:
        others = EVERY_FAULT - {fault}
        changed = sum(
            published_label(item, others) is not published_label(item, EVERY_FAULT)
            for item in drawn_items
        )
        assert changed > 0, fault


def test_searches_are_shared_without_changing_the_labels() -> None:
    rng = random.Random("shared searches")
    for _ in range(50):
        item = drawn(rng, 3, rng.randint(2, 8))
        procedure = Procedure(item)
        for repaired in rng.sample(REPAIRS, k=len(REPAIRS)):
            assert procedure.label(repaired) is published_label(item, repaired)


def chain_of(size: int) -> Item:
    """A chain of events; the claim compares the first with an event that no sentence mentions."""
    premise = (
        Relation(
            left=Point(event=f"Event {n // 2}", bound=bound),
            order=Order.BEFORE,
            right=Point(event=f"Event {n // 2 + 1}", bound=bound),
        )
        for n, bound in zip(range(size), cycle(Bound), strict=False)
    )
    claim = Claim(left="Event 0", relation=ClaimRelation.BEFORE, right="Nobody's event")
    return Item(id="chain", premise=tuple(premise), claim=claim)


def crowd_of(size: int) -> Item:
    """Few points, each simultaneous with all others many times over."""
    rng = random.Random("crowd")
    crowd = [Point(event=f"Event {n}", bound=bound) for n in range(150) for bound in Bound]
    premise = (
        Relation(left=rng.choice(crowd), order=Order.SIMULTANEOUS, right=rng.choice(crowd))
        for _ in range(size)
    )
    claim = Claim(left="Event 0", relation=ClaimRelation.OVERLAPS, right="Event 149")
    return Item(id="crowd", premise=tuple(premise), claim=claim)


@pytest.mark.parametrize("large", [chain_of, crowd_of])
def test_ten_thousand_relations_are_fast(
    large: Callable[[int], Item], within: Callable[..., Any]
) -> None:
    """Searching the stack, as printed, takes seconds for one and minutes for the other."""
    item = large(10_000)
    labels = within(1, lambda: [published_label(item), published_label(item, EVERY_FAULT)])
    assert labels[1:] == local_labels([item])
    smaller = large(300)
    assert published_label(smaller) is printed_label(smaller)
